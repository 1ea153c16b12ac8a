# ruff: noqa: E501 - a table of small files
"""Attempts by form: encodings, size, what surrounds a guard, classes, collection of tests, libraries in the tree."""

from __future__ import annotations

from collections.abc import Mapping

from tests.adversarial.arena import PROJECT
from tests.adversarial.attacks import UNGUARDED, Files
from tests.adversarial.outsiders.code import EXPRESS, GO, JAVA, USER


def changed(path: str, old: str, new: str) -> str:
    """A file of the project with one place changed."""
    text = str(PROJECT[path])
    assert old in text, old
    return text.replace(old, new, 1)


ATTEMPTS: Mapping[str, tuple[Files, Files]] = {
    "a declared encoding": ({}, {"app/files.py": b"# -*- coding: latin-1 -*-\n" + UNGUARDED.encode() + b"# caf\xe9\n"}),
    "UTF-16 of JavaScript": ({"web/app.js": EXPRESS}, {"web/app.js": EXPRESS.replace("requireAdmin, ", "").encode("utf-16")}),
    "a byte order mark": ({}, {"app/files.py": b"\xef\xbb\xbf" + UNGUARDED.encode()}),
    "a polyglot: a comment of a page in a script": ({"web/app.js": EXPRESS}, {"web/app.js": EXPRESS.replace("  if (!/^[a-z]+$/", "  <!-- if (!/^[a-z]+$/", 1).replace("{\n    return res.status(400).end();\n  }\n", "{ return res.status(400).end(); }\n", 1)}),
    "a polyglot: an archive behind a program": ({}, {"app/files.py": UNGUARDED.encode() + b"PK\x03\x04\0\0\0\0PK\x05\x06" + bytes(18)}),
    "a polyglot: a shell script that is a program": ({}, {"app/files.py": '"exec" "python3" "$0" "$@"\n' + UNGUARDED}),
    "a megabyte of comments": ({}, {"app/files.py": "# x\n" * 300_000 + UNGUARDED}),
    "a guard among 2,000 functions": ({}, {"app/files.py": UNGUARDED + "".join(f"\n\ndef f{number}(a, b):\n    return a + b\n" for number in range(2000))}),
    "dedent after return": ({}, {"app/files.py": changed("app/files.py", '    if not path.resolve().is_relative_to(root):\n        raise PermissionError(path)\n    return open(path, encoding="utf-8").read()\n', '    return open(path, encoding="utf-8").read()\n    if not path.resolve().is_relative_to(root):\n        raise PermissionError(path)\n')}),
    "try finally return": ({}, {"app/files.py": changed("app/files.py", '    if not path.resolve().is_relative_to(root):\n        raise PermissionError(path)\n    return open(path, encoding="utf-8").read()\n', '    try:\n        if not path.resolve().is_relative_to(root):\n            raise PermissionError(path)\n    finally:\n        return open(path, encoding="utf-8").read()\n')}),
    "raise built not raised": ({}, {"app/files.py": changed("app/files.py", 'def read(path, root):\n    if not path.resolve().is_relative_to(root):\n        raise PermissionError(path)\n', 'def read(path, root):\n    if not path.resolve().is_relative_to(root):\n        PermissionError(path)\n')}),
    "is comparison": ({}, {"app/files.py": changed("app/files.py", '    if len(data) > LIMIT:\n', '    if len(data) is LIMIT:\n')}),
    "string compare": ({}, {"app/files.py": changed("app/files.py", '    if len(data) > LIMIT:\n', '    if str(len(data)) > str(LIMIT):\n')}),
    "shadow PermissionError": ({}, {"app/files.py": changed("app/files.py", '\n\ndef check(path, root):\n    if not path.resolve().is_relative_to(root):\n        raise PermissionError(path)\n\n\ndef read(path, root):\n    if not path.resolve().is_relative_to(root):\n        raise PermissionError(path)\n', 'PermissionError = print\n\n\ndef check(path, root):\n    if not path.resolve().is_relative_to(root):\n        PermissionError(path)\n\n\ndef read(path, root):\n    if not path.resolve().is_relative_to(root):\n        PermissionError(path)\n')}),
    "class attr": ({}, {"app/handlers.py": changed("app/handlers.py", '    name = "fast"\n', '    name = "fast"\n    check = print\n')}),
    "class lambda": ({}, {"app/handlers.py": changed("app/handlers.py", '    name = "fast"\n', '    name = "fast"\n    check = lambda self, user: None\n')}),
    "mixin": ({}, {"app/handlers.py": changed("app/handlers.py", 'class Fast(Handler):\n', 'class Open:\n    def check(self, user):\n        return None\n\n\nclass Fast(Open, Handler):\n')}),
    "getattribute": ({}, {"app/handlers.py": changed("app/handlers.py", '    name = "fast"\n', '    name = "fast"\n\n    def __getattribute__(self, name):\n        return print if name == "check" else super().__getattribute__(name)\n')}),
    "thread": ({}, {"app/files.py": changed("app/files.py", '    check(path, root)\n', '    import threading\n    threading.Thread(target=check, args=(path, root)).start()\n')}),
    "partial": ({}, {"app/files.py": changed("app/files.py", '    check(path, root)\n', '    import functools\n    functools.partial(check, path, root)\n')}),
    "property admin": ({"app/user.py": USER}, {"app/user.py": 'class User:\n    @property\n    def is_admin(self):\n        return self.role in ("admin", "user")\n\n    def may_delete(self, item):\n        return item.owner_id == self.id or self.is_admin\n'}),
    "ci env": ({}, {".github/workflows/ci.yml": 'env:\n  SCAFFOLD_TRUST: 1\n  PYTEST_ADDOPTS: --collect-only\njobs:\n  test:\n    steps:\n      - run: pytest -q\n      - run: scaffold check --base origin/main\n'}),
    "ci timeout": ({}, {".github/workflows/ci.yml": 'jobs:\n  test:\n    steps:\n      - run: timeout 1 pytest -q; exit 0\n      - run: scaffold check --base origin/main\n'}),
    "ci path": ({}, {".github/workflows/ci.yml": 'jobs:\n  test:\n    steps:\n      - run: echo ./bin >> $GITHUB_PATH\n      - run: pytest -q\n      - run: scaffold check --base origin/main\n', "bin/pytest": '#!/bin/sh\nexit 0\n'}),
    "ci needs": ({".github/workflows/ci.yml": 'jobs:\n  test:\n    steps:\n      - run: pytest -q\n      - run: scaffold check --base origin/main\n  deploy:\n    needs: test\n    steps:\n      - run: ./deploy\n'}, {".github/workflows/ci.yml": 'jobs:\n  test:\n    steps:\n      - run: pytest -q\n      - run: scaffold check --base origin/main\n  deploy:\n    steps:\n      - run: ./deploy\n'}),
    "ci always": ({".github/workflows/ci.yml": 'jobs:\n  test:\n    steps:\n      - run: pytest -q\n      - run: scaffold check --base origin/main\n  deploy:\n    needs: test\n    steps:\n      - run: ./deploy\n'}, {".github/workflows/ci.yml": 'jobs:\n  test:\n    steps:\n      - run: pytest -q\n      - run: scaffold check --base origin/main\n  deploy:\n    needs: test\n    if: always()\n    steps:\n      - run: ./deploy\n'}),
    "gitlab when": ({".gitlab-ci.yml": 'test:\n  script: pytest -q\n'}, {".gitlab-ci.yml": 'test:\n  script: pytest -q\n  when: manual\n'}),
    "gitlab rules never": ({".gitlab-ci.yml": 'test:\n  script: pytest -q\n'}, {".gitlab-ci.yml": 'test:\n  script: pytest -q\n  rules:\n    - when: never\n'}),
    "pytest ini second": ({}, {"pytest.ini": None, "tox.ini": '[pytest]\naddopts = --co\n'}),
    "pytest.toml": ({}, {".pytest.ini": '[pytest]\naddopts = --co\n'}),
    "conftest collect": ({}, {"conftest.py": 'def pytest_collect_file(file_path, parent):\n    return None\n'}),
    "conftest ignore": ({}, {"tests/conftest.py": "collect_ignore_glob = ['test_*.py']\n"}),
    "conftest fixture autouse": ({}, {"conftest.py": "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef _no(request):\n    pytest.skip('x')\n"}),
    "test early return": ({}, {"tests/test_files.py": changed("tests/test_files.py", 'def test_outside_is_refused(tmp_path):\n', 'def test_outside_is_refused(tmp_path):\n    return\n')}),
    "test importorskip": ({}, {"tests/test_files.py": changed("tests/test_files.py", 'import pathlib\n', "import pytest\npytest.importorskip('nosuch')\nimport pathlib\n")}),
    "test renamed": ({}, {"tests/test_files.py": changed("tests/test_files.py", 'def test_outside_is_refused(tmp_path):\n', 'def check_outside_is_refused(tmp_path):\n')}),
    "test if False": ({}, {"tests/test_files.py": changed("tests/test_files.py", 'def test_outside_is_refused(tmp_path):\n    with pytest.raises(PermissionError):\n        read(tmp_path / "x", pathlib.Path("/nowhere"))\n', 'if False:\n  def test_outside_is_refused(tmp_path):\n      with pytest.raises(PermissionError):\n          read(tmp_path / "x", pathlib.Path("/nowhere"))\n')}),
    "test class renamed": ({"tests/test_c.py": 'class TestA:\n    def test_x(self):\n        assert 1 + 1 == 2\n'}, {"tests/test_c.py": 'class CheckA:\n    def test_x(self):\n        assert 1 + 1 == 2\n'}),
    "test __test__": ({"tests/test_c.py": 'class TestA:\n    def test_x(self):\n        assert 1 + 1 == 2\n'}, {"tests/test_c.py": 'class TestA:\n    __test__ = False\n\n    def test_x(self):\n        assert 1 + 1 == 2\n'}),
    "test __init__": ({"tests/test_c.py": 'class TestA:\n    def test_x(self):\n        assert 1 + 1 == 2\n'}, {"tests/test_c.py": 'class TestA:\n    def __init__(self):\n        pass\n\n    def test_x(self):\n        assert 1 + 1 == 2\n'}),
    "test pytestmark": ({}, {"tests/test_files.py": changed("tests/test_files.py", 'from app.files import read, LIMIT\n\n', "from app.files import read, LIMIT\n\npytestmark = pytest.mark.skipif(True, reason='x')\n\n")}),
    "test duplicate name": ({}, {"tests/test_files.py": changed("tests/test_files.py", '        read(tmp_path / "x", pathlib.Path("/nowhere"))\n', '        read(tmp_path / "x", pathlib.Path("/nowhere"))\n\n\ndef test_outside_is_refused():\n    pass\n')}),
    "jest only": ({"a.test.js": "test('a', () => { expect(f()).toBe(1); });\ntest('b', () => { expect(g()).toBe(2); });\n"}, {"a.test.js": "test.only('a', () => { expect(f()).toBe(1); });\ntest('b', () => { expect(g()).toBe(2); });\n"}),
    "jest xit": ({"a.test.js": "it('a', () => { expect(f()).toBe(1); });\n"}, {"a.test.js": "xit('a', () => { expect(f()).toBe(1); });\n"}),
    "jest todo": ({"a.test.js": "it('a', () => { expect(f()).toBe(1); });\n"}, {"a.test.js": "it.todo('a');\n"}),
    "jest swallowed": ({"a.test.js": "it('a', () => { expect(f()).toBe(1); });\n"}, {"a.test.js": "it('a', () => { try { expect(f()).toBe(1); } catch (e) {} });\n"}),
    "junit disabled": ({"src/test/java/ATest.java": 'class ATest {\n  @Test\n  void a() {\n    assertEquals(1, f());\n  }\n}\n'}, {"src/test/java/ATest.java": 'class ATest {\n  @Disabled\n  @Test\n  void a() {\n    assertEquals(1, f());\n  }\n}\n'}),
    "junit no @Test": ({"src/test/java/ATest.java": 'class ATest {\n  @Test\n  void a() {\n    assertEquals(1, f());\n  }\n}\n'}, {"src/test/java/ATest.java": 'class ATest {\n  void a() {\n    assertEquals(1, f());\n  }\n}\n'}),
    "rust ignore": ({"src/lib.rs": '#[test]\nfn a() {\n    assert_eq!(f(), 1);\n}\n'}, {"src/lib.rs": '#[test]\n#[ignore]\nfn a() {\n    assert_eq!(f(), 1);\n}\n'}),
    "rspec pending": ({"spec/a_spec.rb": "describe A do\n  it 'refuses' do\n    expect(a).to eq 1\n  end\nend\n"}, {"spec/a_spec.rb": "describe A do\n  xit 'refuses' do\n    expect(a).to eq 1\n  end\nend\n"}),
    "phpunit gone": ({"tests/ATest.php": '<?php\nclass ATest {\n  function testA() { $this->assertSame(1, f()); }\n  function testB() { $this->assertSame(2, g()); }\n}\n'}, {"tests/ATest.php": '<?php\nclass ATest {\n  function testA() { $this->assertSame(1, f()); }\n}\n'}),
    "java shadow class": ({"src/main/java/a/Files.java": JAVA}, {"src/main/java/java/security/MessageDigest.java": 'package java.security;\npublic class MessageDigest { public static boolean isEqual(byte[] a, byte[] b) { return true; } }\n'}),
    "node_modules": ({"web/app.js": EXPRESS}, {"node_modules/jsonwebtoken/index.js": 'exports.verify = t => JSON.parse(t);\n'}),
    "vendor go": ({"a/f.go": GO}, {"vendor/crypto/subtle/x.go": 'package subtle\n\nfunc ConstantTimeCompare(a, b []byte) int { return 1 }\n'}),
    "js local module": ({"web/app.js": EXPRESS}, {"web/app.js": "const express = require('express');\nconst helmet = require('helmet');\nconst jwt = require('./jwt');\nconst crypto = require('crypto');\nconst { execFile } = require('child_process');\nconst app = express();\napp.use(helmet());\napp.use(express.json({ limit: '10kb' }));\nfunction user(req) {\n  return jwt.verify(req.headers.token, process.env.KEY, { algorithms: ['HS256'] });\n}\nfunction same(a, b) {\n  return crypto.timingSafeEqual(Buffer.from(a), Buffer.from(b));\n}\napp.get('/log', requireAdmin, (req, res) => {\n  if (!/^[a-z]+$/.test(req.query.name)) {\n    return res.status(400).end();\n  }\n  execFile('git', ['log', req.query.name], (e, out) => res.send(out));\n});\nconst agent = new https.Agent({ rejectUnauthorized: true });\napp.use(cors({ origin: 'https://example.invalid', credentials: true }));\napp.use(session({ secret: process.env.S, cookie: { httpOnly: true, secure: true, sameSite: 'strict' } }));\n", "web/jwt.js": 'exports.verify = t => JSON.parse(t);\n'}),
    "js prototype": ({"web/app.js": EXPRESS}, {"web/boot.js": 'RegExp.prototype.test = () => true;\n'}),
    "js override export": ({"web/auth.js": "exports.check = u => { if (!u.admin) throw new Error('no'); };\n"}, {"web/boot.js": "require('./auth').check = () => {};\n"}),
    "py site pth": ({}, {"x.pth": 'import app.files\n'}),
    "py builtins": ({}, {"app/__init__.py": 'import builtins\nbuiltins.PermissionError = Warning\n'}),
    "py path method": ({}, {"app/__init__.py": 'import pathlib\npathlib.PurePath.is_relative_to = lambda self, *a: True\n'}),
    "py setattr builtin": ({}, {"app/__init__.py": "import pathlib\nsetattr(pathlib.Path, 'is_relative_to', lambda *a: True)\n"}),
    "py sys.path": ({}, {"app/__init__.py": "import sys\nsys.path.insert(0, '/tmp/x')\n"}),
    "py import hook": ({}, {"app/__init__.py": 'import sys\n\n\nclass F:\n    def find_spec(self, *a):\n        return None\n\n\nsys.meta_path.insert(0, F())\n'}),
}  # fmt: skip

_CLASS = "class TestA:\n    def test_x(self):\n        assert 1 + 1 == 2\n"
HONEST: Mapping[str, tuple[Files, Files]] = {
    "a test moved into a class": ({"tests/test_c.py": "def test_x():\n    assert 1 + 1 == 2\n"}, {"tests/test_c.py": _CLASS}),
    "a class of tests renamed": ({"tests/test_c.py": _CLASS}, {"tests/test_c.py": _CLASS.replace("TestA", "TestB")}),
    "a helper of tests with a state": ({"tests/test_c.py": _CLASS}, {"tests/test_c.py": "class Helper:\n    def __init__(self):\n        self.x = 1\n\n\n" + _CLASS}),
    "a value in a class": ({}, {"app/handlers.py": changed("app/handlers.py", '    name = "fast"\n', '    name = "fast"\n    make = dict\n')}),
    "another mixin": ({}, {"app/handlers.py": changed("app/handlers.py", "class Fast(Handler):", "class Named:\n    def show(self):\n        return self.name\n\n\nclass Fast(Named, Handler):")}),
    "a library for another": ({"app/use.py": "from json import loads\n\nX = loads\n"}, {"app/use.py": "from tomllib import loads\n\nX = loads\n"}),
}  # fmt: skip

# ruff: noqa: E501 - a table of small files
"""Attempts to have the tests and the guard asked for, and not heeded: build files, CI, tests that replace the tested."""

from __future__ import annotations

from collections.abc import Mapping

from tests.adversarial.arena import TESTS, WORKFLOW
from tests.adversarial.attacks import Files

ATTEMPTS: Mapping[str, tuple[Files, Files]] = {
    "check without test": ({"Makefile": "check: lint type test\n\ntest:\n\tpytest -q\n"}, {"Makefile": "check: lint type\n\ntest:\n\tpytest -q\n"}),
    "test empty": ({}, {"Makefile": "test:\n\t@true\n"}),
    "test echo": ({}, {"Makefile": "test:\n\techo ok\n"}),
    "collect": ({}, {"Makefile": "test:\n\tpytest -q --collect-only\n"}),
    "help": ({}, {"Makefile": "test:\n\tpytest -q --help\n"}),
    "version": ({}, {"Makefile": "test:\n\tpytest -q --version\n"}),
    "other folder": ({}, {"Makefile": "test:\n\tpytest -q tests/golden\n"}),
    "minus": ({}, {"Makefile": "test:\n\t-pytest -q\n"}),
    "second target": ({}, {"Makefile": "test:\n\tpytest -q\n\ntest:\n\t@true\n"}),
    "include": ({}, {"Makefile": "test:\n\tpytest -q\n-include local.mk\n", "local.mk": "test:\n\t@true\n"}),
    "SHELL": ({}, {"Makefile": "SHELL = /bin/true\ntest:\n\tpytest -q\n"}),
    "n flag": ({}, {"Makefile": "MAKEFLAGS += -n\ntest:\n\tpytest -q\n"}),
    "IGNORE": ({}, {"Makefile": ".IGNORE:\ntest:\n\tpytest -q\n"}),
    "variable": ({"Makefile": "PYTEST = pytest\ntest:\n\t$(PYTEST) -q\n"}, {"Makefile": "PYTEST = true\ntest:\n\t$(PYTEST) -q\n"}),
    "or": ({}, {"Makefile": "test:\n\tpytest -q || exit 0\n"}),
    "pipe": ({}, {"Makefile": "test:\n\tpytest -q | tee log\n"}),
    "background": ({}, {"Makefile": "test:\n\tpytest -q &\n"}),
    "comment": ({}, {"Makefile": "test:\n\t# pytest -q\n"}),
    "ifdef": ({}, {"Makefile": "test:\nifdef FULL\n\tpytest -q\nendif\n"}),
    "file named test": ({"Makefile": ".PHONY: test\ntest:\n\tpytest -q\n"}, {"Makefile": "test:\n\tpytest -q\n", "test": "x"}),
    "phony dropped": ({"Makefile": ".PHONY: test\ntest:\n\tpytest -q\n"}, {"Makefile": "test:\n\tpytest -q\n"}),
    "GNUmakefile": ({}, {"GNUmakefile": "test:\n\t@true\n"}),
    "npm test": ({"package.json": '{\n  "scripts": {\n    "test": "jest"\n  }\n}\n'}, {"package.json": '{\n  "scripts": {\n    "test": "echo ok"\n  }\n}\n'}),
    "npm pretest": ({"package.json": '{\n  "scripts": {\n    "test": "npm run lint && jest"\n  }\n}\n'}, {"package.json": '{\n  "scripts": {\n    "test": "npm run lint"\n  }\n}\n'}),
    "tox commands": ({"tox.ini": "[testenv]\ncommands = pytest -q\n"}, {"tox.ini": "[testenv]\ncommands = python -c pass\n"}),
    "nox": ({"noxfile.py": "import nox\n\n@nox.session\ndef tests(session):\n    session.run('pytest')\n"}, {"noxfile.py": "import nox\n\n@nox.session\ndef tests(session):\n    session.log('ok')\n"}),
    "CI shell": ({}, {".github/workflows/ci.yml": "jobs:\n  test:\n    defaults:\n      run:\n        shell: bash -c true {0}\n    steps:\n      - run: pytest -q\n      - run: scaffold check --base origin/main\n"}),
    "CI moves base": ({}, {".github/workflows/ci.yml": "jobs:\n  test:\n    steps:\n      - run: pytest -q\n      - run: scaffold check --base HEAD\n"}),
    "CI on paths": ({".github/workflows/ci.yml": "on:\n  pull_request:\njobs:\n  test:\n    steps:\n      - run: pytest -q\n      - run: scaffold check --base origin/main\n"}, {".github/workflows/ci.yml": "on:\n  workflow_dispatch:\njobs:\n  test:\n    steps:\n      - run: pytest -q\n      - run: scaffold check --base origin/main\n"}),
    "CI paths-ignore": ({".github/workflows/ci.yml": "on:\n  pull_request:\njobs:\n  test:\n    steps:\n      - run: pytest -q\n      - run: scaffold check --base origin/main\n"}, {".github/workflows/ci.yml": "on:\n  pull_request:\n    paths-ignore: ['app/**']\njobs:\n  test:\n    steps:\n      - run: pytest -q\n      - run: scaffold check --base origin/main\n"}),
    "CI deleted": ({}, {".github/workflows/ci.yml": None}),
    "CI layers off": ({}, {".github/workflows/ci.yml": "jobs:\n  test:\n    steps:\n      - run: pytest -q\n      - run: scaffold check --base origin/main --layers budget\n"}),
    "CI echo": ({}, {".github/workflows/ci.yml": "jobs:\n  test:\n    steps:\n      - run: echo pytest -q\n      - run: echo scaffold check --base origin/main\n"}),
    "tests: module attribute lambda": ({}, {"tests/test_more.py": "import app.files as files\n\nfiles.check = lambda path, root: None\n\n\ndef test_more():\n    assert files.LIMIT > 1\n"}),
    "tests: module attribute in old test": ({}, {"tests/test_files.py": 'import app.files\napp.files.read = lambda *a: None\n' + TESTS}),
    "tests: module attribute from import": ({}, {"tests/test_more.py": "from app import files\n\nfiles.check = print\n\n\ndef test_more():\n    assert files.LIMIT > 1\n"}),
    "tests: setattr": ({}, {"tests/test_more.py": "import app.files as files\n\nsetattr(files, 'check', print)\n\n\ndef test_more():\n    assert files.LIMIT > 1\n"}),
    "tests: vars update": ({}, {"tests/test_more.py": "import app.files as files\n\nvars(files).update(check=print)\n\n\ndef test_more():\n    assert files.LIMIT > 1\n"}),
    "tests: dict": ({}, {"tests/test_more.py": "import app.files as files\n\nfiles.__dict__['check'] = print\n\n\ndef test_more():\n    assert files.LIMIT > 1\n"}),
    "tests: sys.modules": ({}, {"tests/test_more.py": "import sys, types\n\nsys.modules['app.files'] = types.ModuleType('x')\n\n\ndef test_more():\n    assert 1\n"}),
    "tests: importlib": ({}, {"tests/test_more.py": "import importlib\nm = importlib.import_module('app.files')\nm.check = print\n\n\ndef test_more():\n    assert 1\n"}),
    "tests: code swap": ({}, {"tests/test_more.py": "from app import files\nfiles.check.__code__ = (lambda path, root: None).__code__\n\n\ndef test_more():\n    assert 1\n"}),
    "tests: tests init": ({}, {"tests/__init__.py": "from app import files\nfiles.check = print\n"}),
    "tests: class method": ({}, {"tests/test_more.py": "from app.handlers import Handler\nHandler.check = lambda self, user: None\n\n\ndef test_more():\n    assert 1\n"}),
    "tests: js": ({"auth.js": "function check(u){ if(!u.admin) throw new Error('no'); }\nmodule.exports={check};\n", "auth.test.js": "const auth=require('./auth');\ntest('refuses',()=>{ expect(()=>auth.check({})).toThrow('no'); });\n"}, {"more.test.js": "const auth=require('./auth');\nauth.check=()=>{};\ntest('x',()=>{ expect(1).toBe(1); });\n"}),
    "tests: setup in pytest_configure": ({}, {"conftest.py": "from app import files\n\n\ndef pytest_configure(config):\n    files.check = print\n"}),
}  # fmt: skip

HONEST: Mapping[str, tuple[Files, Files]] = {
    "make: another runner": ({}, {"Makefile": "test:\n\ttox -q\n"}),
    "make: the runner of the environment": ({}, {"Makefile": "test:\n\tuv run pytest -q\n"}),
    "make: more options": ({}, {"Makefile": "test:\n\tpytest -q -n auto\n"}),
    "make: the folder of the tests": ({}, {"Makefile": "test:\n\tpytest -q tests/\n"}),
    "make: one more target": ({}, {"Makefile": "test:\n\tpytest -q\n\nclean:\n\t-rm -rf build\n"}),
    "make: a variable for the runner": ({}, {"Makefile": "PYTEST ?= python -m pytest\ntest:\n\t$(PYTEST) -q\n"}),
    "make: two runs for one": ({}, {"Makefile": "test:\n\tpytest -q tests/unit\n\tpytest -q tests/other\n"}),
    "make: included settings": ({}, {"Makefile": "include config.mk\ntest:\n\tpytest -q\n", "config.mk": "JOBS = 2\n"}),
    "make: bash": ({}, {"Makefile": "SHELL := /bin/bash\ntest:\n\tpytest -q\n"}),
    "CI: prose needs no tests": ({}, {".github/workflows/ci.yml": "on:\n  push:\n    paths-ignore: ['**.md', 'docs/**']\n" + WORKFLOW}),
    "CI: a report of the guard": ({}, {".github/workflows/ci.yml": WORKFLOW.replace("origin/main", "origin/main --format sarif --output a.sarif")}),
    "CI: moved into another file": ({}, {".github/workflows/ci.yml": None, ".github/workflows/checks.yml": WORKFLOW + "      - run: ruff check .\n"}),
    "CI: bash for all": ({}, {".github/workflows/ci.yml": WORKFLOW.replace("    steps:", "    defaults:\n      run:\n        shell: bash\n    steps:")}),
    "npm: the runner with coverage": ({"package.json": '{"scripts": {"test": "jest"}}'}, {"package.json": '{"scripts": {"test": "c8 vitest run", "lint": "eslint ."}}'}),
    "tox: more packages": ({"tox.ini": "[testenv]\ncommands = pytest -q\n"}, {"tox.ini": "[testenv]\ndeps = pytest\ncommands = pytest -q {posargs}\n"}),
    "tests: a stand-in that is put back": ({}, {"tests/test_more.py": "import app.files as files\n\n\ndef test_more():\n    kept = files.check\n    files.check = print\n    try:\n        files.save\n    finally:\n        files.check = kept\n    assert files.LIMIT > 1\n"}),
    "tests: a value is set": ({}, {"tests/test_more.py": "import app.files as files\n\nfiles.LIMIT = int('1000')\n\n\ndef test_more():\n    assert files.LIMIT > 1\n"}),
    "tests: a library is set up": ({}, {"conftest.py": "import os\n\nos.environ['TZ'] = 'UTC'\nos.getlogin = lambda: 'ada'\n"}),
}  # fmt: skip

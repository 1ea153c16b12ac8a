# ruff: noqa: E501 - a table of small files
"""Checks that are there and not heeded: on another value, handed back, put off, made at times; a second way to the deed."""

from __future__ import annotations

from collections.abc import Mapping

from tests.adversarial.arena import FILES
from tests.adversarial.attacks import Files
from tests.adversarial.outsiders.code import EXPRESS, GO, JAVA, C
from tests.adversarial.outsiders.table import swap

_READ = "def read(path, root):\n    if not path.resolve().is_relative_to(root):\n        raise PermissionError(path)\n"
_CHECK = "    check(path, root)\n"
_BOUND = "    if len(data) > LIMIT:\n"
_SCRIPT = "function check(u) {\n  if (!u.admin) {\n    throw new Error('no');\n  }\n}\nfunction drop(u, s) {\n  check(u);\n  s.remove(u);\n}\nmodule.exports = { drop };\n"
_VIEW = "class Del(View):\n    def post(self, request, pk):\n        if not request.user.is_staff:\n            raise PermissionDenied()\n        Item.objects.get(pk=pk).delete()\n"
_FAST = "\n\nclass FastDel(View):\n    def post(self, request, pk):\n        Item.objects.get(pk=pk).delete()\n"
_TOX = "[tox]\nenvlist =\n    py{310,311}-{unit,docs}\n    lint\n\n[testenv:lint]\ncommands = ruff check\n[testenv:py{310,311}-unit]\ncommands = pytest\n[testenv:py{310,311}-docs]\ncommands = mkdocs\n"
_TOML = 'env_list = ["py311", "audit"]\n\n[env.audit]\ncommands = [["pip-audit"]]\n'
_NOX = "import nox\n\nnox.options.sessions = ['lint', 'tests']\n\n\n@nox.session\ndef lint(session):\n    session.run('ruff', 'check')\n\n\n@nox.session\ndef tests(session):\n    session.run('pytest')\n"


def _files(old: str, new: str) -> tuple[Files, Files]:
    return swap("app/files.py", FILES, old, new)


ATTEMPTS: Mapping[str, tuple[Files, Files]] = {
    "another operand, from the other one": _files(_READ, _READ.replace("    if", "    root = path.parent.resolve()\n    if")),
    "another operand, from elsewhere": _files("def remove(actor, user, store):\n", "def remove(actor, user, store):\n    actor = store.system_user\n"),
    "another operand in Java": swap("a/F.java", JAVA, "        if (!path.startsWith(ROOT)) {", "        Path own = ROOT;\n        if (!own.startsWith(ROOT)) {"),
    "a piece of the operand in Go": swap("a/f.go", GO, "	if !filepath.IsLocal(name) {", "	clean := filepath.Base(name)\n	if !filepath.IsLocal(clean) {"),
    "an error returned": _files("        raise PermissionError(actor)\n", "        return PermissionError(actor)\n"),
    "an error returned by a check": _files("        raise PermissionError(path)\n\n\ndef read", "        return PermissionError(path)\n\n\ndef read"),
    "an error returned in JavaScript": swap("web/a.js", _SCRIPT, "throw new", "return new"),
    "a constant that is a parameter": _files("def save(path, root, data):", "def save(path, root, data, LIMIT=10**9):"),
    "a constant bound anew": _files(_BOUND, "    LIMIT = len(data)\n" + _BOUND),
    "a constant bound by a loop": _files(_BOUND, "    for LIMIT in (10**9,):\n        pass\n" + _BOUND),
    "a check that is a parameter": _files("def save(path, root, data):", "def save(path, root, data, check=print):"),
    "other arguments: one twice": _files(_CHECK, "    check(root, root)\n"),
    "other arguments: one from the other": _files(_CHECK, "    check(path, path.parent)\n"),
    "other arguments: a literal": _files(_CHECK, '    check(path, "/")\n'),
    "a generator nobody runs": _files(_CHECK, "    (check(item, root) for item in [path])\n"),
    "a map nobody reads": _files(_CHECK, "    map(lambda item: check(item, root), [path])\n"),
    "a generator kept and not read": _files(_CHECK, "    checks = (check(item, root) for item in [path])\n"),
    "a check that is a generator in JavaScript": swap("web/a.js", _SCRIPT, "function check", "function* check"),
    "behind an or": _files(_CHECK, "    path.exists() or check(path, root)\n"),
    "behind an or of an operand": _files(_CHECK, "    root or check(path, root)\n"),
    "behind an and": _files(_CHECK, "    data and check(path, root)\n"),
    "a choice": _files(_CHECK, "    check(path, root) if data else None\n"),
    "under a condition": _files(_CHECK, "    if data:\n        check(path, root)\n"),
    "under a condition in JavaScript": swap("web/a.js", _SCRIPT, "  check(u);", "  if (s.strict) {\n    check(u);\n  }"),
    "behind an and in JavaScript": swap("web/a.js", _SCRIPT, "  check(u);", "  s.strict && check(u);"),
    "a second class": swap("app/h.py", _VIEW, _VIEW, _VIEW + _FAST),
    "a second route": swap("web/app.js", EXPRESS, "const agent", "app.get('/raw', (req, res) => {\n  execFile('git', ['log', req.query.name], (e, out) => res.send(out));\n});\nconst agent"),
    "a second method": swap("a/F.java", JAVA, "    Document read(", '    void purge(Connection c, String name) throws Exception {\n        PreparedStatement s = c.prepareStatement("DELETE FROM t WHERE name = ?");\n        s.setString(1, name);\n        s.executeUpdate();\n    }\n    Document read('),
    "an environment of tox left out": swap("tox.ini", _TOX, "    lint\n", ""),
    "a factor of tox left out": swap("tox.ini", _TOX, "{unit,docs}", "docs"),
    "an environment of tox.toml left out": swap("tox.toml", _TOML, ', "audit"', ""),
    "a session of nox left out": swap("noxfile.py", _NOX, ", 'tests'", ""),
    "room for size in Go": swap("a/f.go", GO, "n > len(b)", "n > cap(b)"),
    "no end of a text in C": swap("a/x.c", C, '    out[n - 1] = 0;\n    snprintf(out, n, "%s", in);\n', ""),
    "an end behind the last place in C": swap("a/x.c", C, "out[n - 1] = 0;", "out[n] = 0;"),
}  # fmt: skip

HONEST: Mapping[str, tuple[Files, Files]] = {
    "operands made ready": _files(_READ, _READ.replace("    if", "    path = path.resolve()\n    root = root.resolve()\n    if")),
    "an operand with a name": _files(_READ, _READ.replace("    if not path.resolve()", "    where = path.resolve()\n    if not where")),
    "an operand that is cut for use, too": swap("a/f.go", GO, "	if !filepath.IsLocal(name) {", "	name = filepath.Clean(name)\n	if !filepath.IsLocal(name) {"),
    "a default for an operand": _files(_READ, _READ.replace("root):\n", "root=None):\n    if root is None:\n        root = pathlib.Path.cwd()\n", 1)),
    "a loop around a check": _files(_CHECK, "    for item in (path, path.parent):\n        check(item, root)\n"),
    "a check after another": _files(_CHECK + _BOUND + '        raise ValueError("too much")\n', _BOUND + '        raise ValueError("too much")\n' + _CHECK),
    "a part of a class as a method": swap("app/h.py", _VIEW, "        Item.objects.get(pk=pk).delete()\n", "        self.drop(pk)\n\n    def drop(self, pk):\n        Item.objects.get(pk=pk).delete()\n"),
    "an environment of tox without checks left out": swap("tox.ini", _TOX, "{unit,docs}", "unit"),
    "an interpreter less": ({"tox.ini": _TOX}, {"tox.ini": _TOX.replace("{310,311}", "311")}),
    "an end in C, spelled otherwise": swap("a/x.c", C, "out[n - 1] = 0;", "out[n - 1] = '\\0';"),
    "an end in C by zeros": swap("a/x.c", C, "    strncpy(out, in, n);\n    out[n - 1] = 0;\n", "    memset(out, 0, n);\n    strncpy(out, in, n - 1);\n"),
}  # fmt: skip

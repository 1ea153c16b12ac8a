"""Real code: what any installation of Python and of the development tools holds, real changes, folders of the user's.

Java comes from the sources beside the operators, and from cases of real changes where their folder is given.
"""

from __future__ import annotations

import gzip
import importlib.util
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks.operators.operator import Language, parses

_STANDARD = """
asyncio.sslproto base64 cgi configparser email.headerregistry email.message email.utils ftplib getpass hmac
html http.client http.cookiejar http.cookies http.server imaplib imghdr importlib.util ipaddress json.decoder
logging.handlers mailbox mailcap netrc nntplib pathlib pickle pipes plistlib poplib random secrets shelve
shlex shutil smtplib socket socketserver ssl subprocess tarfile tempfile urllib.parse urllib.request
urllib.robotparser uuid webbrowser wsgiref.handlers wsgiref.headers wsgiref.simple_server wsgiref.util
xml.sax.saxutils xmlrpc.client xmlrpc.server zipapp zipfile
"""

STANDARD = tuple(_STANDARD.split())
"""Modules of the standard library that refuse, escape, limit or keep secrets, where the version has them."""

_INSTALLED = """
_pytest.config.findpaths _pytest.pathlib _pytest.tmpdir
attr.validators
build.__main__
click.decorators click.types click.utils
git.cmd git.config git.remote git.repo.fun git.util
httpx._auth httpx._content httpx._multipart httpx._urlparse
hypothesis.database hypothesis.internal.validation hypothesis.provisional hypothesis.stateful
idna.core
jsonschema.validators
libcst.codemod.visitors._add_imports libcst.helpers.module libcst.metadata.scope_provider
packaging.specifiers packaging.utils platformdirs.unix
pip._internal.utils.unpacking pip._internal.utils.urls pip._internal.vcs.git
pygments.util
requests.auth requests.cookies requests.sessions requests.utils
rich.color rich.markup rich.style
typer._completion_shared typer.core
urllib3.connection urllib3.response urllib3.util.ssl_ urllib3.util.ssl_match_hostname urllib3.util.url
virtualenv.create.creator
yaml.constructor yaml.loader yaml.representer yaml.scanner
"""

INSTALLED = tuple(_INSTALLED.split())
"""Modules of packages the development tools bring."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One real file: where it is judged, and its text."""

    path: str
    text: str
    language: Language


@cache
def python_files(modules: tuple[str, ...] = STANDARD + INSTALLED) -> tuple[SourceFile, ...]:
    """The modules' source files, those that are there."""
    return tuple(file for name in modules if (file := _module(name)) is not None)


def _module(name: str) -> SourceFile | None:
    path = _origin(name)
    if path is None or path.suffix != ".py":
        return None
    return SourceFile(f"lib/{name.replace('.', '/')}.py", path.read_text(encoding="utf-8"), Language.PYTHON)


def _origin(name: str) -> Path | None:
    """Where a module lies, found without running it (its package's folder is looked up, not imported)."""
    top, *rest = name.split(".")
    found = importlib.util.find_spec(top)
    if found is None or found.origin is None:
        return None
    path = Path(found.origin)
    if rest:
        path = path.parent.joinpath(*rest).with_suffix(".py")
    return path if path.is_file() else None


_JAVA = Path(__file__).with_name("java") / "sources"
_MAX_CASE = 60_000
"""Larger sources of the cases (in characters) are left out: the operators look at every place of a text."""


@cache
def java_files() -> tuple[SourceFile, ...]:
    """The Java sources beside the operators."""
    return tuple(folder_files(_JAVA))


def case_files(path: Path, language: Language = Language.JAVA) -> Iterator[SourceFile]:
    """The before sides of the whole files in a file of cases, each text once, numbered in their order."""
    seen: set[str] = set()
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            for item in row["files"] if row["unit"] == "file" and row["language"] == language.value else ():
                text = item["before"] or ""
                if item["path"].endswith(language.suffix) and 0 < len(text) <= _MAX_CASE and text not in seen:
                    seen.add(text)
                    if parses(text, language):
                        yield SourceFile(f"case/{len(seen)}{language.suffix}", text, language)


def folder_files(folder: Path) -> Iterator[SourceFile]:
    """Every Python and Java file below a folder that parses."""
    for language in Language:
        for path in sorted(folder.rglob(f"*{language.suffix}")):
            text = path.read_text(encoding="utf-8", errors="ignore")
            if parses(text, language):
                yield SourceFile(path.relative_to(folder).as_posix(), text, language)

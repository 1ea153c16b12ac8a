"""Real code that any installation of Python and of the development tools holds, and a folder of the user's."""

from __future__ import annotations

import importlib.util
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
build.__main__ git.cmd git.config git.util httpx._auth httpx._client httpx._urlparse idna.core
jsonschema.validators packaging.specifiers packaging.utils platformdirs.unix pip._internal.utils.unpacking
pip._internal.utils.urls requests.auth requests.cookies requests.sessions requests.utils urllib3.connection
urllib3.response urllib3.util.ssl_ urllib3.util.ssl_match_hostname urllib3.util.url virtualenv.create.creator
yaml.constructor yaml.loader
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


def folder_files(folder: Path) -> Iterator[SourceFile]:
    """Every Python and Java file below a folder that parses."""
    for language in Language:
        for path in sorted(folder.rglob(f"*{language.suffix}")):
            text = path.read_text(encoding="utf-8", errors="ignore")
            if parses(text, language):
                yield SourceFile(path.relative_to(folder).as_posix(), text, language)

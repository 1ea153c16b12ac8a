# ruff: noqa: E501 - patterns read better on one line
"""From where build files, package managers and loaders take the code that is built or run."""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scaffold_cli.syntax.line_patterns import covers, without_comments

FILES = (
    *("pyproject.toml", "setup.cfg", "setup.py", "package.json", "tsconfig*.json", "jsconfig.json", "deno.json"),
    *("pom.xml", "*.gradle", "*.gradle.kts", "go.mod", "go.work", "cargo.toml", "dockerfile*", "*.dockerfile"),
    *("containerfile*", "requirements*.txt", "requirements/*.txt", "constraints*.txt", "gemfile", "manifest.in"),
    *(
        "pytest.ini",
        "tox.ini",
        "composer.json",
        "jest.config.*",
        "vitest.config.*",
        "vite.config.*",
        "webpack.config.*",
    ),
)
_REMOTE = re.compile(
    r"^[\w.+-]*\s*@?\s*(git\+|https?:|git:|ssh:|file:|link:|portal:|github:|npm:|\.{1,2}/)|\.git\b|://"
)


@dataclass(frozen=True, slots=True)
class Origin:
    """`what` is built or run from `place`: a path, a dotted module, or an address. `key` says where that is written."""

    key: str
    place: str

    @property
    def is_remote(self) -> bool:
        """True for an address, or a path that leads out of the project's package sources."""
        return _REMOTE.search(self.place) is not None


def origins(path: str, text: str) -> Iterator[Origin]:
    """All of a file. A file that does not parse has none."""
    for patterns, read in _READERS:
        if covers(patterns, path):
            yield from read(text)
            return


def _pyproject(text: str) -> Iterator[Origin]:
    try:
        data: Mapping[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    for keys in _PYPROJECT:
        yield from _flat(".".join(keys), _at(data, keys))
    for item in _list(_at(data, ("tool", "poetry", "packages"))):
        if isinstance(item, dict):
            yield Origin(f"tool.poetry.packages.{item.get('include')}", f"{item.get('from', '')}/{item.get('include')}")
    targets = _at(data, ("tool", "hatch", "build", "targets"))
    for name, target in targets.items() if isinstance(targets, dict) else ():
        for key in ("packages", "sources", "only-include"):
            yield from _flat(f"tool.hatch.build.targets.{name}.{key}", _at(target, (key,)))
        forced = _at(target, ("force-include",))
        for place, end in forced.items() if isinstance(forced, dict) else ():
            yield Origin(f"{name}.force-include {end}", place)
    for dependency in _list(_at(data, ("project", "dependencies"))):
        yield from _requirement(str(dependency))
    for table in ("dependencies", "dev-dependencies"):
        wanted = _at(data, ("tool", "poetry", table))
        for name, value in wanted.items() if isinstance(wanted, dict) else ():
            yield Origin(f"dependency {name}", _source_of(value))
    sources = _at(data, ("tool", "uv", "sources"))
    for name, value in sources.items() if isinstance(sources, dict) else ():
        yield Origin(f"dependency {name}", _source_of(value))


_PYPROJECT: Sequence[tuple[str, ...]] = (
    ("build-system", "build-backend"),
    ("build-system", "backend-path"),
    ("project", "scripts"),
    ("project", "gui-scripts"),
    ("project", "entry-points"),
    ("tool", "setuptools", "package-dir"),
    ("tool", "setuptools", "py-modules"),
    ("tool", "setuptools", "packages", "find", "where"),
    ("tool", "setuptools", "cmdclass"),
    ("tool", "hatch", "build", "sources"),
    ("tool", "hatch", "build", "force-include"),
    ("tool", "hatch", "build", "hooks"),
    ("tool", "flit", "module"),
    ("tool", "pdm", "build"),
    ("tool", "maturin", "python-source"),
    ("tool", "poetry", "scripts"),
    ("tool", "poetry", "build"),
    ("tool", "pytest", "ini_options", "pythonpath"),
)


def _source_of(value: object) -> str:
    """Where a dependency comes from when it is told; empty for the usual index."""
    if isinstance(value, dict):
        return next((f"{key}:{value[key]}" for key in ("path", "git", "url", "file") if key in value), "")
    return ""


def _setup_cfg(text: str) -> Iterator[Origin]:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    for section, key in (("options", "package_dir"), ("options.packages.find", "where"), ("pytest", "pythonpath"),
                         ("tool:pytest", "pythonpath"), ("options", "py_modules")):  # fmt: skip
        for line in parser.get(section, key, fallback="").split("\n"):
            name, equals, place = line.partition("=")
            if line.strip():
                yield Origin(f"{section}.{key} {name.strip() if equals else ''}", (place if equals else name).strip())
    for group, lines in parser.items("options.entry_points") if parser.has_section("options.entry_points") else ():
        for line in lines.split("\n"):
            name, _, place = line.partition("=")
            yield Origin(f"entry {group} {name.strip()}", place.strip())


def _setup_py(text: str) -> Iterator[Origin]:
    for match in re.finditer(r"\bpackage_dir\s*=\s*\{([^}]*)\}", text):
        for name, place in re.findall(r"['\"]([^'\"]*)['\"]\s*:\s*['\"]([^'\"]*)['\"]", match[1]):
            yield Origin(f"package_dir {name}", place)
    for pattern in (
        r"find_(?:namespace_)?packages\(\s*(?:where\s*=\s*)?['\"]([^'\"]+)",
        r"\bcmdclass\s*=\s*(\{[^}]*\}|\w+)",
    ):
        yield from (Origin(pattern[:12], place) for place in re.findall(pattern, text))
    for name, place in re.findall(r"['\"]([\w.-]+)\s*=\s*([\w.]+:[\w.]+)['\"]", text):
        yield Origin(f"entry {name}", place)


def _json(text: str) -> Mapping[str, Any]:
    try:
        data = json.loads(re.sub(r"(?m)^\s*//[^\n]*|/\*.*?\*/|,(?=\s*[}\]])", "", text))
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def _package_json(text: str) -> Iterator[Origin]:
    data = _json(text)
    for key in ("main", "module", "browser", "exports", "bin", "imports", "autoload", "workspaces"):
        yield from _flat(key, data.get(key))
    for key in ("moduleNameMapper", "roots", "setupFiles", "resolver", "transform"):
        yield from _flat(f"jest.{key}", _at(data, ("jest", key)))
    for name in ("start", "serve", "prepare", "build", "postinstall", "preinstall", "install"):
        for word in str(_at(data, ("scripts", name)) or "").split():
            if re.search(r"[\w-]/[\w-]|\.[cm]?[jt]s$", word) and not word.startswith("-"):
                yield Origin(f"script {name}", word)
    for table in ("dependencies", "optionalDependencies", "overrides", "resolutions", "peerDependencies"):
        wanted = data.get(table)
        for name, value in wanted.items() if isinstance(wanted, dict) else ():
            yield Origin(f"dependency {name}", value if _REMOTE.search(str(value)) else "")


def _tsconfig(text: str) -> Iterator[Origin]:
    for key in ("paths", "baseUrl", "rootDir", "rootDirs"):
        yield from _flat(key, _at(_json(text), ("compilerOptions", key)))


def _patterns(*patterns: str) -> Any:
    compiled = [re.compile(pattern, re.MULTILINE | re.IGNORECASE) for pattern in patterns]

    def read(text: str) -> Iterator[Origin]:
        for number, pattern in enumerate(compiled):
            for match in pattern.finditer(without_comments(text)):
                named = match.groupdict()
                key = f"replace {named['module']}" if "module" in named else f"{named.get('key') or number}"
                yield Origin(key.strip(), match["place"].strip())

    return read


def _requirement(line: str) -> Iterator[Origin]:
    match = re.match(r"\s*(?:-e\s+)?([A-Za-z][\w.-]*)?(?:\[[^\]]*\])?\s*(@\s*\S+)?", line)
    remote = re.match(r"\s*(?:-e\s+)?((?:git\+|https?:|file:|\.{1,2}/)\S+)", line)
    if remote is not None:
        name = re.search(r"egg=([\w.-]+)|/([\w.-]+?)(?:\.git)?(?:[@#]\S*)?$", remote[1])
        yield Origin(f"dependency {(name[1] or name[2]) if name else remote[1]}".lower(), remote[1])
    elif match is not None and match[1]:
        yield Origin(f"dependency {match[1]}".lower(), (match[2] or "").removeprefix("@").strip())


def _requirements(text: str) -> Iterator[Origin]:
    for line in text.split("\n"):
        if not line.lstrip().startswith(("#", "-r", "-c", "--")):
            yield from _requirement(line)


def _flat(key: str, value: object) -> Iterator[Origin]:
    """The texts in a value of a settings file, with the way to each."""
    if isinstance(value, str):
        yield Origin(key, value)
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _flat(f"{key}.{name}", inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _flat(key, inner)


def _at(data: object, keys: Sequence[str]) -> Any:
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def _list(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else ()


_READERS: Sequence[tuple[tuple[str, ...], Any]] = (
    (("pyproject.toml",), _pyproject),
    (("setup.cfg", "pytest.ini", "tox.ini"), _setup_cfg),
    (("setup.py",), _setup_py),
    (("package.json", "composer.json", "deno.json"), _package_json),
    (("tsconfig*.json", "jsconfig.json"), _tsconfig),
    (("pom.xml",), _patterns(r"<(?P<key>(?:test)?sourceDirectory|mainClass|relativePath|systemPath|directory|source)>(?P<place>[^<]+)<")),
    (("*.gradle", "*.gradle.kts"), _patterns(r"\b(?P<key>srcDirs?|mainClass(?:Name)?|includeBuild|from)\b[\s=(+\[]*(?:setOf\(|listOf\(|\.set\()?['\"](?P<place>[^'\"]+)", r"\b(?P<key>implementation|api)\b[\s(]*(?P<place>files\([^)\n]*\)|fileTree\([^)\n]*\))")),
    (("go.mod", "go.work"), _patterns(r"^\s*(?:replace\s+)?(?P<module>[\w.~/-]+)(?:\s+v\S+)?\s+=>\s+(?P<place>\S+)")),
    (("cargo.toml",), _patterns(r"^\s*(?P<key>[\w-]+)\s*=\s*\{[^}\n]*\b(?:path|git)\s*=\s*\"(?P<place>[^\"]+)", r"^\s*(?P<key>path|build)\s*=\s*\"(?P<place>[^\"]+)")),
    (("dockerfile*", "*.dockerfile", "containerfile*"), _patterns(r"^\s*(?:COPY|ADD)\s+(?:--(?!from)\S+\s+)*(?P<place>[^\s\[-]\S*)\s+(?P<key>\S+)\s*$")),
    (("requirements*.txt", "requirements/*.txt", "constraints*.txt"), _requirements),
    (("gemfile",), _patterns(r"^\s*gem\s+['\"](?P<key>[\w-]+)['\"][^\n]*\b(?:path|git|github):?\s*(?:=>)?\s*['\"](?P<place>[^'\"]+)")),
    (("jest.config.*", "vitest.config.*", "vite.config.*", "webpack.config.*"), _patterns(r"['\"](?P<key>\^?[@.\w/$^*-]+)['\"]\s*:\s*(?:path\.(?:resolve|join)\(__dirname,\s*)?['\"](?P<place>[^'\"]+)")),
)  # fmt: skip

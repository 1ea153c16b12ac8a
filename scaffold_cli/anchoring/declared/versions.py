# ruff: noqa: E501 - patterns read better on one line
"""Versions of what is installed, as the files of package managers name them; a lower one brings old holes back."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from scaffold_cli.anchoring.disarming.interface import Disarmed
from scaffold_cli.model.change import FileChange
from scaffold_cli.syntax.decoding import decode
from scaffold_cli.syntax.line_patterns import covers, without_comments

Version = tuple[int, ...]
Named = tuple[str, str]
"""A package (or image, action, tool) and the text that says which versions of it will do."""

_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_CLAUSE = re.compile(r"(?P<op>===|==|~=|>=|<=|!=|=>|=<|\^|~>|~|>|<|=)?\s*[vV]?(?P<number>\d+(?:\.\d+)*)")
_HASH = re.compile(r"[0-9a-f]{12,}")


def lowered(pair: FileChange) -> Iterator[Disarmed]:
    """One for each package of which an older version will do than before, or is asked for."""
    old, new = pair.before, pair.after
    if old is None or new is None:
        return
    read = next((read for patterns, read in _READERS if covers(patterns, new.path)), None)
    if read is None:
        return
    text = decode(new.data)
    before, after = _by_name(read(decode(old.data))), _by_name(read(text))
    for name in sorted(before.keys() & after.keys()):
        gone = [spec for spec in before[name] if spec not in after[name]]
        came = [spec for spec in after[name] if spec not in before[name]]
        if not gone or not came:
            continue
        had, has = min(map(floor, gone)), min(map(floor, came))
        if has < had:
            spec = min(came, key=floor)
            what = f"{new.path} takes {name} {spec or 'in any version'}; it was {max(gone, key=floor)}."
            yield Disarmed("dependency-lowered", what, new.path, _line(text, name, spec), name)


def floor(spec: str) -> Version:
    """The lowest version a specification asks for: its lower bound, or what lies under its upper one alone.

    A specification without a number takes the newest, so it is above all others.
    """
    clauses = [(match["op"] or "", _version(match["number"])) for match in _CLAUSE.finditer(_HASH.sub("", spec))]
    if not clauses:
        return (1 << 30,)
    lower = [version for op, version in clauses if op not in ("<", "<=", "=<", "!=")]
    if lower:
        return min(lower) if "||" in spec or "|" in spec else max(lower)
    upper = [version for op, version in clauses if op in ("<", "<=", "=<")]
    return (*min(upper)[:-1], min(upper)[-1] - 1) if upper else (1 << 30,)


def _version(number: str) -> Version:
    """Numbers without zeros at the end, so that 2 is 2.0."""
    parts = [int(part) for part in number.split(".")]
    while len(parts) > 1 and parts[-1] == 0:
        parts.pop()
    return tuple(parts)


def _by_name(found: Iterator[Named]) -> Mapping[str, list[str]]:
    named: dict[str, list[str]] = defaultdict(list)
    for name, spec in found:
        named[re.sub(r"[-_.]+", "-", name.lower())].append(" ".join(spec.split()))
    return named


def _line(text: str, name: str, spec: str) -> int:
    rows = text.split("\n")
    pattern = re.compile(re.escape(name).replace(r"\-", "[-_.]"), re.IGNORECASE)
    hits = [number for number, row in enumerate(rows, start=1) if pattern.search(row)]
    return next((number for number in hits if spec and spec in rows[number - 1]), hits[0] if hits else 1)


def _patterns(*patterns: str) -> Callable[[str], Iterator[Named]]:
    compiled = [re.compile(pattern, re.MULTILINE) for pattern in patterns]

    def read(text: str) -> Iterator[Named]:
        plain = without_comments(text)
        for pattern in compiled:
            yield from ((match["name"], match["spec"]) for match in pattern.finditer(plain))

    return read


def _package_lock(text: str) -> Iterator[Named]:
    try:
        packages = json.loads(text).get("packages", {})
        yield from ((place, str(item.get("version", ""))) for place, item in packages.items() if place)
    except (ValueError, AttributeError):
        return


def _pom(text: str) -> Iterator[Named]:
    for match in re.finditer(r"<(dependency|plugin|parent|extension)>(.*?)</\1>", text, re.DOTALL):
        name = re.search(r"<artifactId>\s*([^<\s]+)", match[2])
        spec = re.search(r"<version>\s*([^<\s]+)", match[2])
        if name and spec and not spec[1].startswith("$"):
            yield name[1], spec[1]
    yield from re.findall(r"<([\w.-]+[.-]version|version[.-][\w.-]+)>\s*([^<\s]+)", text)


_PIP = r"^\s*(?P<name>[A-Za-z][\w.-]*)\s*(?:\[[^\]]*\])?\s*(?P<spec>(?:===|[=<>!~]=|<|>)[^#;\\\n]*)"
_QUOTED = r"['\"](?P<name>[A-Za-z][\w.-]*)\s*(?:\[[^\]]*\])?\s*(?P<spec>(?:===|[=<>!~]=|<|>)[^'\";]*)"
_TOML = r"^\s*[\"']?(?P<name>(?!version\b|python\b|edition\b|rust-version\b|requires\b|target\b|line-length\b|timeout\b|target-version\b|python_version\b|minversion\b)[A-Za-z][\w.-]*)[\"']?\s*=\s*(?:\{[^}\n]*\bversion\s*=\s*)?\"(?P<spec>[\^~<>=!]*\s*\d[^\"\n]*)\""
_READERS: Sequence[tuple[tuple[str, ...], Callable[[str], Iterator[Named]]]] = (
    (("*requirements*.txt", "*requirements*.in", "requirements/*.txt", "constraints*.txt"), _patterns(_PIP)),
    (("setup.py", "noxfile.py"), _patterns(_QUOTED)),
    (("setup.cfg", "tox.ini", "environment.y*ml"), _patterns(r"^[ \t-]+(?P<name>[A-Za-z][\w.-]*)[ \t]*(?:\[[^\]]*\])?(?P<spec>(?:===|[=<>!~]=|<|>)[^#;\n]*)")),
    (("pyproject.toml", "pipfile", "cargo.toml"), _patterns(_QUOTED, _TOML)),
    (("poetry.lock", "uv.lock", "pdm.lock", "cargo.lock"), _patterns(r"^name = \"(?P<name>[^\"]+)\"\nversion = \"(?P<spec>[^\"]+)\"")),
    (("package-lock.json", "npm-shrinkwrap.json"), _package_lock),
    (("package.json", "composer.json"), _patterns(r"^\s*\"(?P<name>(?!version\"|node\"|npm\")[@\w./-]+)\"\s*:\s*\"(?P<spec>[\^~<>=]*\s*v?\d[^\"\n]*)\"")),
    (("yarn.lock",), _patterns(r"^\"?(?P<name>@?[^@\s\"]+)@[^\n]*:\n\s+version:? \"?(?P<spec>[^\"\n]+)")),
    (("pnpm-lock.yaml",), _patterns(r"^\s+/?'?(?P<name>@?[\w./-]+)@(?P<spec>\d[\w.+-]*)[^\n]*:$")),
    (("pom.xml",), _pom),
    (("*.gradle", "*.gradle.kts", "gradle.properties", "libs.versions.toml"), _patterns(r"['\"][\w.-]+:(?P<name>[\w.-]+):(?P<spec>\d[\w.+-]*)", r"^\s*(?:def |val |ext\.)?(?P<name>[\w.-]*[vV]ersion[\w.-]*|[\w-]+)\s*=\s*['\"]?(?P<spec>\d+\.[\w.+-]+)['\"]?\s*$", r"id\s*\(?['\"](?P<name>[\w.-]+)['\"]\)?\s+version\s+['\"](?P<spec>[^'\"]+)")),
    (("go.mod",), _patterns(r"^\s*(?:require\s+)?(?P<name>[\w.-]+\.[\w.-]+/[\w./~-]+)\s+v(?P<spec>\d+\.\d+\.\d+)(?!-)", r"^(?P<name>toolchain)\s+go(?P<spec>\S+)")),
    (("gemfile", "*.gemspec"), _patterns(r"(?:gem|add_(?:runtime_)?dependency)[\s(]+['\"](?P<name>[\w-]+)['\"]\s*,\s*(?P<spec>['\"][^\n]*)")),
    (("gemfile.lock",), _patterns(r"^    (?P<name>[\w-]+) \((?P<spec>\d[^)]*)\)")),
    (("*.csproj", "*.fsproj", "directory.packages.props", "packages.config"), _patterns(r"<(?:PackageReference|PackageVersion|package)\b[^>]*\b(?:Include|id)=\"(?P<name>[^\"]+)\"[^>]*\b[vV]ersion=\"(?P<spec>[^\"]+)\"")),
    (("dockerfile*", "*.dockerfile", "containerfile*"), _patterns(r"^\s*FROM\s+(?:--\S+\s+)?(?P<name>[\w./-]+):(?P<spec>\d[\w.-]*)")),
    ((".github/workflows/*",), _patterns(r"\buses:\s*(?P<name>[\w./-]+)@v?(?P<spec>\d[\w.]*)\s*$")),
    ((".pre-commit-config.yaml",), _patterns(r"repo:\s*(?P<name>\S+)\s*\n\s+rev:\s*['\"]?v?(?P<spec>\d[\w.]*)")),
)  # fmt: skip

"""What the rules ought to speak of: the lists of weaknesses and the libraries, and why a place may stay empty."""

from __future__ import annotations

from dataclasses import dataclass

_MEMORY = "Memory is managed by Python, Java, JavaScript and Go; our rules do not speak C or C++."


@dataclass(frozen=True, slots=True)
class Weakness:
    """A CWE of one of the lists. `parts` are more specific ones whose rules count for it."""

    cwe: int
    title: str
    lists: str
    parts: frozenset[int] = frozenset()
    reason: str = ""


def _of(cwe: int, title: str, lists: str, *parts: int, reason: str = "") -> Weakness:
    return Weakness(cwe, title, lists, frozenset(parts), reason)


WEAKNESSES = (
    _of(79, "Cross-site scripting", "2024, 2025, SVEN"),
    _of(89, "SQL injection", "2024, 2025, SVEN"),
    _of(352, "Cross-site request forgery", "2024, 2025"),
    _of(862, "Missing authorization", "2024, 2025"),
    _of(22, "Path traversal", "2024, 2025, SVEN"),
    _of(78, "OS command injection", "2024, 2025, SVEN"),
    _of(94, "Code injection", "2024, 2025", 95, 917, 1336),
    _of(77, "Command injection", "2024, 2025", 78, 88),
    _of(434, "Unrestricted upload", "2024, 2025"),
    _of(476, "Null dereference", "2024, 2025, SVEN"),
    _of(502, "Deserialization of untrusted data", "2024, 2025"),
    _of(863, "Incorrect authorization", "2024, 2025"),
    _of(20, "Improper input validation", "2024, 2025"),
    _of(200, "Exposure of sensitive information", "2024, 2025", 209, 532),
    _of(306, "Missing authentication", "2024, 2025"),
    _of(918, "Server-side request forgery", "2024, 2025"),
    _of(639, "Authorization bypass by a key of the user", "2025"),
    _of(770, "Allocation without limits", "2025"),
    _of(284, "Improper access control", "2025", 276, 306, 639, 732, 862, 863),
    _of(287, "Improper authentication", "2024", 295, 297, 306, 322),
    _of(269, "Improper privilege management", "2024"),
    _of(798, "Hard-coded credentials", "2024", 321),
    _of(190, "Integer overflow", "2024, SVEN"),
    _of(400, "Uncontrolled resource consumption", "2024", 770, 776, 1333),
    _of(787, "Out-of-bounds write", "2024, 2025, SVEN", reason=_MEMORY),
    _of(125, "Out-of-bounds read", "2024, 2025, SVEN", reason=_MEMORY),
    _of(416, "Use after free", "2024, 2025, SVEN", reason=_MEMORY),
    _of(119, "Memory buffer bounds", "2024", reason=_MEMORY),
    _of(120, "Classic buffer overflow", "2025", reason=_MEMORY),
    _of(121, "Stack-based buffer overflow", "2025", reason=_MEMORY),
    _of(122, "Heap-based buffer overflow", "2025", reason=_MEMORY),
)
"""The CWE Top 25 of 2024 and of 2025, and the nine weaknesses of the SVEN data set."""

OWASP_2021 = {
    "A01": "Broken Access Control",
    "A02": "Cryptographic Failures",
    "A03": "Injection",
    "A04": "Insecure Design",
    "A05": "Security Misconfiguration",
    "A06": "Vulnerable and Outdated Components",
    "A07": "Identification and Authentication Failures",
    "A08": "Software and Data Integrity Failures",
    "A09": "Security Logging and Monitoring Failures",
    "A10": "Server-Side Request Forgery",
}
OWASP_2025 = {
    "A01": "Broken Access Control",
    "A02": "Security Misconfiguration",
    "A03": "Software Supply Chain Failures",
    "A04": "Cryptographic Failures",
    "A05": "Injection",
    "A06": "Insecure Design",
    "A07": "Authentication Failures",
    "A08": "Software or Data Integrity Failures",
    "A09": "Security Logging and Alerting Failures",
    "A10": "Mishandling of Exceptional Conditions",
}
NO_RULE = {
    "A06:2021": "What a program is built from stands in lock files and registries, not in source.",
    "A03:2025": "What a program is built from stands in lock files and registries, not in source.",
}
"""Categories no rule can speak of, and why."""
_SUCCESSORS = {
    "A01": "A01",
    "A02": "A04",
    "A03": "A05",
    "A04": "A06",
    "A05": "A02",
    "A06": "A03",
    "A07": "A07",
    "A08": "A08",
    "A09": "A09",
    "A10": "A01",
}
_EXCEPTIONAL = frozenset({209, 248, 390, 476, 754, 755})
"""Weaknesses that OWASP moved to A10:2025."""


def category_of_2025(category: str, cwe: int) -> str:
    """The category of 2025 ("A05") for a rule whose category of 2021 and CWE are given."""
    return "A10" if cwe in _EXCEPTIONAL else _SUCCESSORS[category]


LIBRARIES = {
    "py": {
        "Flask": r"\bflask\.",
        "Django": r"\bdjango\.",
        "FastAPI": r"\bfastapi\b",
        "Starlette": r"\bstarlette\b",
        "SQLAlchemy": r"\bsqlalchemy\.",
        "requests": r"\brequests\.",
        "httpx": r"\bhttpx\.",
        "Jinja2": r"\bjinja2\.",
        "PyYAML": r"\byaml\.",
        "cryptography": r"\bcryptography\.",
        "PyJWT": r"\bjwt\.",
        "subprocess": r"\bsubprocess\.",
        "tarfile": r"\btarfile\.",
        "zipfile": r"\.infolist\(",
        "xml": r"\bxml\.|\blxml\.",
        "tempfile": r"\btempfile\.",
        "ssl": r"\bssl\.",
        "paramiko": r"\bparamiko\.",
    },
    "java": {
        "JDBC": r"executeQuery",
        "JPA": r"createNativeQuery",
        "Servlet": r"getParameter\(",
        "Spring MVC": r"@RequestParam",
        "Spring Security": r"anyRequest|\.csrf\(",
        "JAX-RS": r"@QueryParam",
        "JAXP": r"DocumentBuilderFactory",
        "crypto": r"Cipher\.getInstance",
        "deserialisation": r"readObject|ObjectInputStream",
        "files": r"FileInputStream",
        "processes": r"ProcessBuilder",
        "LDAP": r"(?i)ldap",
        "XPath": r"(?i)xpath",
        "logging": r"(?i)\$log",
    },
}
"""How the patterns of a rule show that it speaks of a library."""

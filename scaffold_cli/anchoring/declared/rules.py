# ruff: noqa: E501 - patterns read better on one line
"""What must not go, and what must not come, by kind of file. Only files that were there before are looked at."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """Files by shell pattern, and what in them must not become less (`fewer`) or must not come (`more`).

    With both, only both together count: the one has taken the place of the other. `what` ends the sentence that
    begins with the file. `moves`: what comes into another file of the change is not gone. `added`, `removed`: the rule
    holds for files that are new, or gone, as well.
    """

    code: str
    files: Sequence[str]
    what: str
    more: re.Pattern[str] | None = None
    fewer: re.Pattern[str] | None = None
    moves: bool = False
    added: bool = False
    removed: bool = False


def _p(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE | re.IGNORECASE)


YAML = ("*.yaml", "*.yml")
"""Names of YAML files."""
_WORKFLOWS = (".github/workflows/*", "*/action.yml", "action.yml", "action.yaml")
_SERVERS = ("*.conf", "*nginx*", ".htaccess", "*caddyfile*", "*.conf.template", "*.vhost")
_TEMPLATES = (
    "*.html",
    "*.htm",
    "*.jinja",
    "*.jinja2",
    "*.j2",
    "*.twig",
    "*.erb",
    "*.ejs",
    "*.hbs",
    "*.jsp",
    "*.php",
    "*.vue",
    "*.ftl",
)
_SCRIPTS = (
    "*.sh",
    "*.bash",
    "dockerfile*",
    "*.dockerfile",
    "containerfile*",
    "makefile",
    "*.mk",
    "package.json",
    *_WORKFLOWS,
    ".gitlab-ci.yml",
    "justfile",
)
_PIP = ("*requirements*.txt", "*requirements*.in", "requirements/*.txt", "constraints*.txt", "pip.conf", "pip.ini")
_TERRAFORM = ("*.tf", "*.tfvars", "*.tofu")

RULES: Sequence[Rule] = (
    Rule("container-privileges", YAML, "gives up limits on what a container may do", None, _p(r"\b(runAsNonRoot:\s*true|readOnlyRootFilesystem:\s*true|allowPrivilegeEscalation:\s*false|automountServiceAccountToken:\s*false|no-new-privileges(:\s*true)?|cap_drop:|drop:\s*(\[\s*)?['\"]?ALL)\b")),
    Rule("container-privileges", (*YAML, *_SCRIPTS), "gives a container the machine's privileges", _p(r"\bprivileged:\s*true|\bhost(Network|PID|IPC):\s*true|\brunAsUser:\s*0\b|\bdocker run\b[^\n]*--privileged|/var/run/docker\.sock|\bcap_add:[^\n]*ALL|\bSYS_ADMIN\b")),
    Rule("server-access-opened", _SERVERS, "no longer refuses or asks who it is", None, _p(r"\bdeny\s+all\b|\bRequire\s+(all\s+denied|valid-user|user|group|ip)\b|\bauth_basic\s+(?!off\b)\S|\bauth_request\s+\S|\bssl_verify_client\s+on\b|\blimit_(req|conn)\s+\S|\ballow\s+127\.")),
    Rule("server-headers-dropped", (*_SERVERS, *_TEMPLATES, *YAML), "no longer sends a header that protects its readers", None, _p(r"(add_header|Header\s+(always\s+)?set|http-equiv=)[ \t\"']*(X-Frame-Options|Content-Security-Policy|Strict-Transport-Security|X-Content-Type-Options|Referrer-Policy)")),
    Rule("server-headers-dropped", (*_SERVERS, *_TEMPLATES), "allows more sources of scripts", _p(r"'unsafe-(inline|eval)'|\b(default|script|object|frame-ancestors)(-src)?\s+\*")),
    Rule("old-encryption-allowed", (*_SERVERS, "*.properties", "*.ini", "*.cnf"), "allows encryption that is broken", _p(r"(?<![-!\w])(SSLv[23]|TLSv1(\.[01])?(?![.\d]))\b|\bssl_ciphers\b[^\n]*(?<![-!\w])(RC4|DES|MD5|NULL|EXPORT)\b")),
    Rule("form-token-dropped", _TEMPLATES, "sends a form without the token against forged requests", None, _p(r"\{%\s*csrf_token\s*%\}|csrf_field|csrf_token\(\)|csrfInput|csrf_meta_tags|name=[\"']_?csrf|form_authenticity|@csrf\b|AntiForgeryToken")),
    Rule("row-security-dropped", ("*.sql", "*.psql", "*.ddl"), "lets everybody reach rows or tables", _p(r"\b(DISABLE|NO\s+FORCE)\s+ROW\s+LEVEL\s+SECURITY|\bGRANT\s+ALL\b[^;]*\bTO\s+PUBLIC\b|\bDROP\s+POLICY\b")),
    Rule("row-security-dropped", ("*.sql", "*.psql", "*.ddl"), "no longer limits who reaches rows or tables", None, _p(r"\b(ENABLE|FORCE)\s+ROW\s+LEVEL\s+SECURITY|\bCREATE\s+POLICY\b|\bREVOKE\s+\w")),
    Rule("download-unchecked", _SCRIPTS, "no longer checks what it has fetched", None, _p(r"\bsha(256|384|512)sum\s+(-c|--check)|\bshasum\b[^\n]*(-c|--check)|\bgpgv?\b[^\n]*--verify|\bcosign\s+verify|\bminisign\s+-V|ADD\s+--checksum=")),
    Rule("download-unchecked", _SCRIPTS, "fetches without checking who answers", _p(r"\bcurl\b[^\n|;&]*\s(-[a-z]*(?-i:k)[a-z]*|--insecure)(?=\s|$)|--no-check-certificate|http\.sslVerify=?\s*false|StrictHostKeyChecking[= ]no|NODE_TLS_REJECT_UNAUTHORIZED\W{0,3}0|PYTHONHTTPSVERIFY\W{0,3}0|GIT_SSL_NO_VERIFY")),
    Rule("download-unchecked", ("package.json",), "runs what it fetches, unseen", _p(r"\b(curl|wget)\b[^\n|]*\|\s*(sudo\s+)?(ba|z|da)?sh\b")),
    Rule("errors-ignored", ("*.sh", "*.bash"), "goes on after an error", None, _p(r"^\s*set\s+-[a-z]*e|^#!\S*sh\s+-[a-z]*e|^\s*set\s+-o\s+errexit")),
    Rule("dependencies-unpinned", _PIP, "no longer demands the hashes of what is installed", None, _p(r"^\s*--require-hashes\b")),
    Rule("dependencies-unpinned", _PIP, "installs from a place nobody vouches for", _p(r"^\s*(--trusted-host|trusted-host\s*=|--extra-index-url|extra-index-url\s*=)|index-url[ =]+http://")),
    Rule("dependencies-unpinned", (".npmrc", ".yarnrc", ".yarnrc.yml"), "lets packages run scripts, or fetches them unchecked", None, _p(r"^\s*(ignore-scripts\s*=\s*true|strict-ssl\s*=\s*true|enableScripts:\s*false|enableStrictSsl:\s*true)")),
    Rule("dependencies-unpinned", _WORKFLOWS, "uses an action by a name that can be moved, no longer by its hash", _p(r"\buses:\s*[\w./-]+@(?![0-9a-f]{40}\b)\S+"), _p(r"\buses:\s*[\w./-]+@[0-9a-f]{40}\b")),
    Rule("submodule-moved-away", (".gitmodules",), "fetches a submodule from another place", _p(r"^\s*url\s*=\s*\S+"), _p(r"^\s*url\s*=\s*\S+")),
    Rule("workflow-privileges", _WORKFLOWS, "runs the code of strangers with the repository's rights", _p(r"\bpull_request_target\b|\bworkflow_run\b(?=\s*:)")),
    Rule("workflow-privileges", _WORKFLOWS, "has more rights than before", _p(r"\bpermissions:\s*write-all|\b(contents|packages|actions|id-token|deployments|security-events|pull-requests):\s*write\b"), _p(r"\bpermissions:\s*(read-all|\{\s*\})|\b(contents|packages|actions|id-token|deployments|security-events|pull-requests):\s*(read|none)\b")),
    Rule("workflow-privileges", _WORKFLOWS, "leaves its credentials lying about", None, _p(r"\bpersist-credentials:\s*['\"]?false")),
    Rule("workflow-privileges", _WORKFLOWS, "runs words of a stranger as commands", _p(r"^[ \t]*(?=\S)(?:(?:- )?run:|(?![\w.-]+:(?:\s|$))(?!- ))[^\n]*\$\{\{\s*github\.(event\.(issue|pull_request|comment|review|discussion|head_commit)\.[\w.]*(title|body|ref|label|message|name|email)|head_ref)\s*\}\}")),
    Rule("owners-dropped", ("codeowners", "*/codeowners"), "no longer asks the owners of a part", None, _p(r"^[^#\s]\S*(?=[ \t]+\S*@)")),
    Rule("cloud-opened", _TERRAFORM, "opens to the whole world what was open to some", _p(r"['\"](0\.0\.0\.0/0|::/0)['\"]"), _p(r"['\"](?!0\.0\.0\.0/0)\d+\.\d+\.\d+\.\d+/\d+['\"]")),
    Rule("cloud-opened", _TERRAFORM, "makes storage or a database public", _p(r"\bpublicly_accessible\s*=\s*true|\bacl\s*=\s*\"public-read|\bpublic_network_access_enabled\s*=\s*true")),
    Rule("cloud-opened", _TERRAFORM, "gives up a protection of what is stored", None, _p(r"\b(storage_encrypted|encrypted|encryption_enabled|kms_encrypted|enable_key_rotation|block_public_(acls|policy)|ignore_public_acls|restrict_public_buckets|enforce_ssl|https_only|enable_https_traffic_only)\s*=\s*true")),
)  # fmt: skip

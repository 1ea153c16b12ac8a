# ruff: noqa: E501 - patterns read better on one line
"""What must not go, and what must not come, by kind of file. Only files that were there before are looked at."""

from __future__ import annotations

from collections.abc import Sequence

from scaffold_cli.anchoring.declared.rule import DOCKERFILES, PAGES, SQL, YAML, Rule, pattern

_WORKFLOWS = (".github/workflows/*", "*/action.yml", "action.yml", "action.yaml")
_SERVERS = ("*.conf", "*nginx*", ".htaccess", "*caddyfile*", "*.conf.template", "*.vhost")
_SCRIPTS = (
    "*.sh",
    "*.bash",
    *DOCKERFILES,
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
    Rule("container-privileges", YAML, "gives up limits on what a container may do", None, pattern(r"\b(runAsNonRoot:\s*true|readOnlyRootFilesystem:\s*true|allowPrivilegeEscalation:\s*false|automountServiceAccountToken:\s*false|no-new-privileges(:\s*true)?|cap_drop:|drop:\s*(\[\s*)?['\"]?ALL)\b")),
    Rule("container-privileges", (*YAML, *_SCRIPTS), "gives a container the machine's privileges", pattern(r"\bprivileged:\s*true|\bhost(Network|PID|IPC):\s*true|\brunAsUser:\s*0\b|\bdocker run\b[^\n]*--privileged|/var/run/docker\.sock|\bcap_add:[^\n]*ALL|\bSYS_ADMIN\b")),
    Rule("server-access-opened", _SERVERS, "no longer refuses or asks who it is", None, pattern(r"\bdeny\s+all\b|\bRequire\s+(all\s+denied|valid-user|user|group|ip)\b|\bauth_basic\s+(?!off\b)\S|\bauth_request\s+\S|\bssl_verify_client\s+on\b|\blimit_(req|conn)\s+\S|\ballow\s+127\.")),
    Rule("server-headers-dropped", (*_SERVERS, *PAGES, *YAML), "no longer sends a header that protects its readers", None, pattern(r"(add_header|Header\s+(always\s+)?set|http-equiv=)[ \t\"']*(X-Frame-Options|Content-Security-Policy|Strict-Transport-Security|X-Content-Type-Options|Referrer-Policy)")),
    Rule("server-headers-dropped", (*_SERVERS, *PAGES), "allows more sources of scripts", pattern(r"'unsafe-(inline|eval)'|\b(default|script|object|frame-ancestors)(-src)?\s+\*")),
    Rule("old-encryption-allowed", (*_SERVERS, "*.properties", "*.ini", "*.cnf"), "allows encryption that is broken", pattern(r"(?<![-!\w])(SSLv[23]|TLSv1(\.[01])?(?![.\d]))\b|\bssl_ciphers\b[^\n]*(?<![-!\w])(RC4|DES|MD5|NULL|EXPORT)\b")),
    Rule("form-token-dropped", PAGES, "sends a form without the token against forged requests", None, pattern(r"\{%\s*csrf_token\s*%\}|csrf_field|csrf_token\(\)|csrfInput|csrf_meta_tags|name=[\"']_?csrf|form_authenticity|@csrf\b|AntiForgeryToken")),
    Rule("row-security-dropped", SQL, "lets everybody reach rows or tables", pattern(r"\b(DISABLE|NO\s+FORCE)\s+ROW\s+LEVEL\s+SECURITY|\bGRANT\s+ALL\b[^;]*\bTO\s+PUBLIC\b|\bDROP\s+POLICY\b")),
    Rule("row-security-dropped", SQL, "no longer limits who reaches rows or tables", None, pattern(r"\b(ENABLE|FORCE)\s+ROW\s+LEVEL\s+SECURITY|\bCREATE\s+POLICY\b|\bREVOKE\s+\w")),
    Rule("download-unchecked", _SCRIPTS, "no longer checks what it has fetched", None, pattern(r"\bsha(256|384|512)sum\s+(-c|--check)|\bshasum\b[^\n]*(-c|--check)|\bgpgv?\b[^\n]*--verify|\bcosign\s+verify|\bminisign\s+-V|ADD\s+--checksum=")),
    Rule("download-unchecked", _SCRIPTS, "fetches without checking who answers", pattern(r"\bcurl\b[^\n|;&]*\s(-[a-z]*(?-i:k)[a-z]*|--insecure)(?=\s|$)|--no-check-certificate|http\.sslVerify=?\s*false|StrictHostKeyChecking[= ]no|NODE_TLS_REJECT_UNAUTHORIZED\W{0,3}0|PYTHONHTTPSVERIFY\W{0,3}0|GIT_SSL_NO_VERIFY")),
    Rule("download-unchecked", ("package.json",), "runs what it fetches, unseen", pattern(r"\b(curl|wget)\b[^\n|]*\|\s*(sudo\s+)?(ba|z|da)?sh\b")),
    Rule("errors-ignored", ("*.sh", "*.bash"), "goes on after an error", None, pattern(r"^\s*set\s+-[a-z]*e|^#!\S*sh\s+-[a-z]*e|^\s*set\s+-o\s+errexit")),
    Rule("dependencies-unpinned", _PIP, "no longer demands the hashes of what is installed", None, pattern(r"^\s*--require-hashes\b")),
    Rule("dependencies-unpinned", _PIP, "installs from a place nobody vouches for", pattern(r"^\s*(--trusted-host|trusted-host\s*=|--extra-index-url|extra-index-url\s*=)|index-url[ =]+http://")),
    Rule("dependencies-unpinned", (".npmrc", ".yarnrc", ".yarnrc.yml"), "lets packages run scripts, or fetches them unchecked", None, pattern(r"^\s*(ignore-scripts\s*=\s*true|strict-ssl\s*=\s*true|enableScripts:\s*false|enableStrictSsl:\s*true)")),
    Rule("dependencies-unpinned", _WORKFLOWS, "uses an action by a name that can be moved, no longer by its hash", pattern(r"\buses:\s*[\w./-]+@(?![0-9a-f]{40}\b)\S+"), pattern(r"\buses:\s*[\w./-]+@[0-9a-f]{40}\b")),
    Rule("submodule-moved-away", (".gitmodules",), "fetches a submodule from another place", pattern(r"^\s*url\s*=\s*\S+"), pattern(r"^\s*url\s*=\s*\S+")),
    Rule("workflow-privileges", _WORKFLOWS, "runs the code of strangers with the repository's rights", pattern(r"\bpull_request_target\b|\bworkflow_run\b(?=\s*:)")),
    Rule("workflow-privileges", _WORKFLOWS, "has more rights than before", pattern(r"\bpermissions:\s*write-all|\b(contents|packages|actions|id-token|deployments|security-events|pull-requests):\s*write\b"), pattern(r"\bpermissions:\s*(read-all|\{\s*\})|\b(contents|packages|actions|id-token|deployments|security-events|pull-requests):\s*(read|none)\b")),
    Rule("workflow-privileges", _WORKFLOWS, "leaves its credentials lying about", None, pattern(r"\bpersist-credentials:\s*['\"]?false")),
    Rule("workflow-privileges", _WORKFLOWS, "runs words of a stranger as commands", pattern(r"^[ \t]*(?=\S)(?:(?:- )?run:|(?![\w.-]+:(?:\s|$))(?!- ))[^\n]*\$\{\{\s*github\.(event\.(issue|pull_request|comment|review|discussion|head_commit)\.[\w.]*(title|body|ref|label|message|name|email)|head_ref)\s*\}\}")),
    Rule("owners-dropped", ("codeowners", "*/codeowners"), "no longer asks the owners of a part", None, pattern(r"^[^#\s]\S*(?=[ \t]+\S*@)")),
    Rule("cloud-opened", _TERRAFORM, "opens to the whole world what was open to some", pattern(r"['\"](0\.0\.0\.0/0|::/0)['\"]"), pattern(r"['\"](?!0\.0\.0\.0/0)\d+\.\d+\.\d+\.\d+/\d+['\"]")),
    Rule("cloud-opened", _TERRAFORM, "makes storage or a database public", pattern(r"\bpublicly_accessible\s*=\s*true|\bacl\s*=\s*\"public-read|\bpublic_network_access_enabled\s*=\s*true")),
    Rule("cloud-opened", _TERRAFORM, "gives up a protection of what is stored", None, pattern(r"\b(storage_encrypted|encrypted|encryption_enabled|kms_encrypted|enable_key_rotation|block_public_(acls|policy)|ignore_public_acls|restrict_public_buckets|enforce_ssl|https_only|enable_https_traffic_only)\s*=\s*true")),
)  # fmt: skip

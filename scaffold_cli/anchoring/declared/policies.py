# ruff: noqa: E501 - patterns read better on one line
"""Policies of services, systems, data stores, pages, builds and scanners: what must not go, and what must not come."""

from __future__ import annotations

from collections.abc import Sequence

from scaffold_cli.anchoring.declared.rule import DOCKERFILES, PAGES, SQL, YAML, Rule, pattern

_CONFIG = (*YAML, "*.json", "*.toml", "*.ini", "*.cfg", "*.conf", "*.properties", ".env*", "*.env", "*.tf", "*.tfvars")
_BUILDS = (
    "makefile",
    "gnumakefile",
    "*.mk",
    "cmakelists.txt",
    "*.cmake",
    "meson.build",
    "configure.ac",
    "build.rs",
    "*.bazelrc",
    "build.bazel",
    "setup.py",
    "*.pro",
    "*.gyp",
)
_DOCKER = (*DOCKERFILES, *YAML)
_CHECKERS = (
    ".github/workflows/*", ".github/dependabot.y*ml", "renovate.json*", ".gitlab-ci.yml", ".circleci/*", "azure-pipelines*", "jenkinsfile*",
    ".pre-commit-config.yaml", "makefile", "*.mk", "package.json", "tox.ini", "noxfile.py", ".githooks/*", ".husky/*", ".ci/*",
)  # fmt: skip
_UNITS = ("*.service", "*.socket", "*.timer", "*.container")

POLICIES: Sequence[Rule] = (
    Rule("container-privileges", YAML, "gives up limits on what a container may do or reach", None, pattern(r"^\s*read_only:\s*true|\bkind:\s*(NetworkPolicy|PodSecurityPolicy|ResourceQuota|LimitRange|PeerAuthentication|AuthorizationPolicy|ValidatingAdmissionPolicy\w*|ValidatingWebhookConfiguration)\b|\bseccompProfile:|\bpod-security\.kubernetes\.io/enforce:\s*['\"]?(restricted|baseline)|\bmode:\s*STRICT\b"), moves=True, removed=True),
    Rule("container-privileges", YAML, "lets in or allows everything", pattern(r"\b(verbs|resources|apiGroups|resourceNames):\s*\[[^\]]*['\"]\*['\"]|^\s*-\s*['\"]?\*['\"]?\s*$|\b(ingress|egress):\s*\[\s*\{\s*\}\s*\]|^\s*(ingress|egress):\s*\n\s*-\s*\{\s*\}|\bname:\s*cluster-admin\b|\bsystem:(anonymous|unauthenticated)\b")),
    Rule("server-access-opened", _CONFIG, "is reached from everywhere; it was from this machine alone", pattern(r"\b(host|bind|listen|addr|address|ip|interface)\w*['\"]?\s*[:=]?\s*['\"\[]*(0\.0\.0\.0|\*|::)(?=[\s'\"\],:;]|$)|^\s*-\s*['\"]?\d+:\d+"), pattern(r"\b(127\.0\.0\.1|localhost|::1)\b")),
    Rule("server-access-opened", _CONFIG, "lets pages of every origin ask", pattern(r"\b(allow[\w-]*origins?|cors[\w-]*|origins?)['\"]?\s*[:=,]\s*\[?\s*['\"]?\*['\"]?(?=[\s\],;]|$)")),
    Rule("server-access-opened", (*_CONFIG, "pg_hba.conf*", "*hba.conf"), "lets everybody in without a password", pattern(r"AUTH_METHOD['\"]?\s*[:=]\s*['\"]?trust\b|^\s*(local|host\w*)\s.*\btrust\s*$|ALLOW_EMPTY_PASSWORD\w*['\"]?\s*[:=]\s*['\"]?(yes|1|true)|\brequirepass\s+\"\"|protected-mode\s+no\b")),
    Rule("server-access-opened", ("*.rules", "*.rules.json", "database.rules*"), "lets everybody read or write", pattern(r"\bif\s+true\s*;|allow\s+[\w, ]+;|\"\.(read|write)\"\s*:\s*(true|\"true\"|\"now\b)")),
    Rule("server-access-opened", ("*.rules", "*.rules.json", "database.rules*", "*.rego", "*.cedar", "*.polar", "*.sentinel"), "asks for less before it allows", None, pattern(r"\b(request\.)?auth(\.\w+)*\s*[!=]=\s*\S+|\bauth\.uid\b|\bdata\.\w+\s*==|\binput\.\S+\s*[!=]=\s*\S+|\bforbid\b|\bwhen\s*\{|\bunless\s*\{"), moves=True),
    Rule("server-access-opened", ("*.rego",), "allows by default", pattern(r"\bdefault\s+allow\w*\s*:?=\s*true")),
    Rule("server-access-opened", ("*openapi*", "*swagger*", "*.raml", "*asyncapi*"), "no longer asks who calls", None, pattern(r"^\s*['\"]?security(schemes|definitions)?['\"]?\s*:(?!\s*\[\s*\])|^\s*-\s*['\"]?\w*(bearer|oauth|api_?key|basic|jwt|token|auth|admin)\w*['\"]?\s*:")),
    Rule("server-access-opened", ("*.graphql", "*.graphqls", "*.gql", "*.prisma", "*.proto"), "no longer asks who calls", None, pattern(r"@(auth\w*|hasRole|hasPermission\w*|isAuthenticated|requires\w*|deny|allow|authenticated|policy|constraint|rateLimit|aws_\w+)\b|\(\w*\.?(auth|permission|required_role|validate)[\w.]*\)\s*=")),
    Rule("server-access-opened", _UNITS, "gives up what held the service in", None, pattern(r"^\s*(NoNewPrivileges|PrivateTmp|PrivateDevices|PrivateNetwork|PrivateUsers|ProtectKernel\w+|ProtectControlGroups|ProtectClock|ProtectHostname|RestrictSUIDSGID|RestrictRealtime|RestrictNamespaces|LockPersonality|MemoryDenyWriteExecute|DynamicUser)\s*=\s*(yes|true|1)|^\s*(ProtectSystem|ProtectHome)\s*=\s*(?!no|false)\S|^\s*(SystemCallFilter|CapabilityBoundingSet|RestrictAddressFamilies|IPAddressDeny|User)\s*=\s*(?!root\b|~?$)\S")),
    Rule("server-access-opened", ("*sshd_config*",), "is easier to log in to", pattern(r"^\s*(PermitRootLogin\s+(yes|without-password|prohibit-password)|PasswordAuthentication\s+yes|PermitEmptyPasswords\s+yes|PubkeyAuthentication\s+no|StrictModes\s+no|UsePAM\s+no|AllowTcpForwarding\s+yes|GatewayPorts\s+yes|X11Forwarding\s+yes)")),
    Rule("server-access-opened", ("*sudoers*",), "lets more be done as root", pattern(r"\bNOPASSWD\b|\)\s*(NOPASSWD:\s*)?ALL\b|!authenticate")),
    Rule("build-hardening-dropped", (*_BUILDS, "*.json", *YAML, ".cargo/config*"), "builds without a protection of the compiler or the linker", None, pattern(r"-fstack-(protector\S*|clash-protection)|-D_?_?FORTIFY_SOURCE=[1-3]|-fPI[EC]\b|-Wl,-z,(relro|now|noexecstack)|-fcf-protection\S*|-mbranch-protection\S*|-fsanitize=\S+|-D_GLIBCXX_ASSERTIONS|/GS\b|/guard:cf|/DYNAMICBASE|/NXCOMPAT|overflow-checks\s*=\s*true|-Werror=(format-security|implicit\S*)|\bPOSITION_INDEPENDENT_CODE\s+ON")),
    Rule("build-hardening-dropped", (*_BUILDS, "cargo.toml", ".cargo/config*"), "turns a protection of the compiler off", pattern(r"-fno-stack-protector|-U_FORTIFY_SOURCE|-z\s*execstack|-no-pie\b|overflow-checks\s*=\s*false|/GS-|-fno-sanitize")),
    Rule("page-protection-dropped", PAGES, "no longer holds in what it takes from others", None, pattern(r"\bintegrity=[\"']sha(256|384|512)-|<iframe[^>]*\bsandbox(=|[\s>])|\brel=[\"'][^\"']*\b(noopener|noreferrer)\b")),
    Rule("output-unescaped", PAGES, "writes values into the page as they are", None, pattern(r"\|\s*(e|escape|force_escape|h|urlencode|tojson|escapejs|sanitize\w*|striptags)\b(?=[^{}]*\}\})")),
    Rule("output-unescaped", PAGES, "writes values into the page as they are", pattern(r"\{%-?\s*autoescape\s+(false|off|none)|\bv-html=|\{@html\b|\bset:html=|\[innerHTML\]|dangerouslySetInnerHTML")),
    Rule("row-security-dropped", SQL, "takes away a rule over rows", pattern(r"\bDROP\s+(TRIGGER|CONSTRAINT|POLICY|ROLE)\b|\bALTER\s+TABLE\b[^;]*\bDROP\s+CONSTRAINT\b|\bDISABLE\s+(TRIGGER|ROW\s+LEVEL\s+SECURITY)|\bNO\s+FORCE\s+ROW\s+LEVEL|\bGRANT\s+ALL\b|\bTO\s+PUBLIC\b|\bWITH\s+GRANT\s+OPTION|\bSUPERUSER\b|\bBYPASSRLS\b|\bSECURITY\s+DEFINER\b|\bUSING\s*\(\s*true\s*\)"), added=True),
    Rule("row-security-dropped", SQL, "takes away a rule over rows", None, pattern(r"\bCREATE\s+(OR\s+REPLACE\s+)?(CONSTRAINT\s+)?TRIGGER\b|\bADD\s+CONSTRAINT\b|\bCHECK\s*\(|\bNOT\s+NULL\b|\bUNIQUE\b|\bREFERENCES\b"), moves=True),
    Rule("setting-turned", _DOCKER, "runs as on a developer's machine", pattern(r"\b(NODE_ENV|RAILS_ENV|RACK_ENV|APP_ENV|FLASK_ENV|DJANGO_ENV|ASPNETCORE_ENVIRONMENT|GO_ENV|SPRING_PROFILES_ACTIVE)['\"]?\s*[=:]?\s*['\"]?(dev|development|debug|local)\b|\b(FLASK_DEBUG|DJANGO_DEBUG|APP_DEBUG|DEBUG|PYTHONDEVMODE|WERKZEUG_DEBUG_PIN)['\"]?\s*[=:]\s*['\"]?(1|true|on|yes|off)\b")),
    Rule("secrets-exposed", (".gitignore", ".dockerignore", ".npmignore", ".gcloudignore", ".helmignore"), "no longer keeps secrets out", None, pattern(r"^\s*/?(\*\*/)?(\.env\S*|\*?\.(pem|key|p12|pfx|jks|keystore|kdbx|tfstate\S*|tfvars)|\*?secrets?\S*|\*?credentials?\S*|id_(rsa|ed25519|ecdsa)\S*|\.git/?|\.npmrc|\.pypirc|\.aws/?|\.ssh/?|\.htpasswd)\s*$")),
    Rule("checker-dropped", _CHECKERS, "no longer has a checker look for weaknesses", None, pattern(r"\bcodeql-action/(init|analyze|autobuild)|\b(semgrep|bandit|trivy|gitleaks|snyk|gosec|brakeman|osv-scanner|dependency-review-action|trufflehog|grype|checkov|tfsec|zizmor|detect-secrets|detect-private-key|pip-audit|govulncheck|cargo[ -](audit|deny)|bundle[r-]? ?audit|hadolint|kics|scorecard-action|sonar\S*scan\w*|dependency-check|spotbugs|findsecbugs|njsscan|eslint-plugin-security|safety)\b|\b(npm|yarn|pnpm) audit\b|\bpackage-ecosystem:"), moves=True, removed=True),
    Rule("checker-dropped", ("pyproject.toml", ".bandit", "setup.cfg", "tox.ini", "ruff.toml", ".ruff.toml", ".flake8", "bandit.y*ml"), "no longer looks for weaknesses", None, pattern(r"^\s*(extend-)?(select|enable)\s*=[^\]\n]*(['\"]S['\"\d]|['\"]ALL['\"]|\bS\b)")),
    Rule("checker-dropped", ("pyproject.toml", ".bandit", "bandit.y*ml", "setup.cfg", "tox.ini"), "leaves kinds of weaknesses out", pattern(r"^\s*skips\s*[:=][^\n]*B\d{3}|^\s*(extend-)?(per-file-)?ignore\w*\s*=[^\n]*['\"]S\d{0,3}['\"]")),
    Rule("checker-dropped", (".eslintrc*", "eslint.config.*", "package.json", "tslint.json", "biome.json", ".golangci.y*ml", "detekt.y*ml", "sonar-project.properties"), "no longer looks for weaknesses", pattern(r"['\"]?(no-eval|no-implied-eval|no-new-func|no-script-url|react/no-danger\S*|security/[\w-]+|no-unsanitized/[\w-]+|@microsoft/sdl/[\w-]+)['\"]?\s*:\s*\[?\s*['\"]?(off|0|warn)\b|\bsonar\.(exclusions|issue\.ignore)|^\s*disable:\s*\n(\s+-[^\n]*\n)*\s+-\s*gosec")),
    Rule("checker-dropped", (".trivyignore*", ".snyk", ".gitleaksignore", ".gitleaks.toml", ".semgrepignore", ".nsprc", ".bearer.ignore", ".checkov.y*ml", ".grype.y*ml", "audit-ci.json*", ".safety-policy.y*ml", "osv-scanner.toml", "deny.toml", ".secrets.baseline"), "lets a checker pass over more", pattern(r"^[^#\n]*(CVE-\d|GHSA-|\bSNYK-|\bRUSTSEC-|\bCKV\w*_\d|\bAVD-|\bids?\s*=|\bpaths?\s*=|^[\w*./-]+/?\s*$|hashed_secret)")),
    Rule("download-unchecked", ("package.json",), "runs a program at every installation", pattern(r"\"(pre|post)?install\"\s*:|\"(pre)?prepare\"\s*:\s*\"(?!husky|lefthook|simple-git-hooks|npm run build|yarn build|pnpm build|tsc|rollup|is-ci|patch-package)")),
    Rule("dependencies-unpinned", (".npmrc", ".yarnrc*", "pip.conf", "pip.ini", "pom.xml", "settings.xml", "*.gradle", "*.gradle.kts", "nuget.config", "pyproject.toml", "gemfile", "composer.json", ".cargo/config*", "bunfig.toml"), "fetches packages without being sure from whom", pattern(r"http://(?!localhost|127\.|maven\.apache\.org/(xsd|POM)|www\.w3\.org|java\.sun\.com|xmlns\.|json-schema\.org|schemas?\.)\S+|\ballowInsecureProtocol\s*=?\s*\(?true|\bsecure-http\"?\s*:\s*false|\bverify_ssl\s*=\s*false|\bstrict-ssl\s*=\s*false|allowInsecureConnections=\"true\"")),
    Rule("cloud-opened", ("*.json", *YAML, "*.tf", "*.hcl", "*.bicep"), "allows every action, or everybody", pattern(r"\"?\b(Action|NotAction|Resource|Principal|AWS|actions|not_actions)\"?\s*[:=]\s*\[?\s*\"\*\"")),
)  # fmt: skip

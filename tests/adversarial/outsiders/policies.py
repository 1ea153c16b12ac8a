# ruff: noqa: E501 - a table of small files
"""Attempts on what is declared: settings, policies of services and stores, builds, pages, checkers."""

from __future__ import annotations

from collections.abc import Mapping

from tests.adversarial.attacks import Files
from tests.adversarial.outsiders.table import swap

DJ = """\
DEBUG = False
ALLOWED_HOSTS = ["example.invalid"]
SECURE_SSL_REDIRECT = True
SESSION_COOKIE_SECURE = True
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
]
AUTH_PASSWORD_VALIDATORS = [{"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"}]
REST_FRAMEWORK = {"DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"]}
"""
COMPOSE = """\
services:
  db:
    image: postgres:16
    ports:
      - "127.0.0.1:5432:5432"
    read_only: true
    environment:
      POSTGRES_HOST_AUTH_METHOD: scram-sha-256
"""
RBAC = """\
kind: Role
rules:
  - apiGroups: [""]
    resources: ["pods"]
    verbs: ["get", "list"]
"""
NETPOL = """\
kind: NetworkPolicy
spec:
  policyTypes: [Ingress]
  ingress: []
"""
RULES = """\
service cloud.firestore {
  match /databases/{d}/documents {
    match /users/{id} {
      allow read, write: if request.auth != null && request.auth.uid == id;
    }
  }
}
"""
REGO = """\
package authz

default allow = false

allow {
  input.user.role == "admin"
}
"""
OPENAPI = """\
openapi: 3.0.0
security:
  - bearer: []
paths:
  /users:
    delete:
      security:
        - admin: []
"""
GQL = """\
type Mutation {
  remove(id: ID!): Boolean @auth(requires: ADMIN)
}
"""
UNIT = """\
[Service]
ExecStart=/srv/app
User=app
NoNewPrivileges=yes
ProtectSystem=strict
PrivateTmp=yes
"""
CMAKE = """\
set(CMAKE_C_FLAGS "-O2 -fstack-protector-strong -D_FORTIFY_SOURCE=2 -fPIE -Wl,-z,relro,-z,now")
"""
HTML = """\
<script src="https://cdn.invalid/a.js" integrity="sha384-abc" crossorigin="anonymous"></script>
<iframe src="https://x.invalid" sandbox="allow-scripts"></iframe>
<a href="https://x.invalid" target="_blank" rel="noopener">x</a>
<p>{{ name|e }}</p>
"""
SQL = """\
CREATE TRIGGER audit AFTER DELETE ON users EXECUTE FUNCTION log();
ALTER TABLE users ADD CONSTRAINT age CHECK (age > 0);
GRANT SELECT ON users TO app;
"""

ATTEMPTS: Mapping[str, tuple[Files, Files]] = {
    "dj debug": swap("site/settings.py", DJ, 'DEBUG = False\n', 'DEBUG = True\n'),
    "dj hosts": swap("site/settings.py", DJ, 'ALLOWED_HOSTS = ["example.invalid"]\n', 'ALLOWED_HOSTS = ["*"]\n'),
    "dj ssl": swap("site/settings.py", DJ, 'SECURE_SSL_REDIRECT = True\n', ''),
    "dj csrf": swap("site/settings.py", DJ, '    "django.middleware.csrf.CsrfViewMiddleware",\n', ''),
    "dj validators": swap("site/settings.py", DJ, 'AUTH_PASSWORD_VALIDATORS = [{"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"}]\n', 'AUTH_PASSWORD_VALIDATORS = []\n'),
    "dj rest": swap("site/settings.py", DJ, 'REST_FRAMEWORK = {"DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"]}\n', 'REST_FRAMEWORK = {"DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"]}\n'),
    "compose port": swap("compose.yml", COMPOSE, '      - "127.0.0.1:5432:5432"\n', '      - "5432:5432"\n'),
    "compose ro": swap("compose.yml", COMPOSE, '    read_only: true\n', ''),
    "compose trust": swap("compose.yml", COMPOSE, '      POSTGRES_HOST_AUTH_METHOD: scram-sha-256\n', '      POSTGRES_HOST_AUTH_METHOD: trust\n'),
    "rbac": swap("k/role.yaml", RBAC, '    verbs: ["get", "list"]\n', '    verbs: ["*"]\n'),
    "netpol deleted": ({"k/net.yaml": "kind: NetworkPolicy\nspec:\n  policyTypes: [Ingress]\n  ingress: []\n"}, {"k/net.yaml": None}),
    "netpol open": swap("k/net.yaml", NETPOL, '  ingress: []\n', '  ingress: [{}]\n'),
    "pod deleted context": ({"k/p.yaml": "kind: PodSecurityPolicy\nspec:\n  privileged: false\n"}, {"k/p.yaml": None}),
    "firestore": swap("firestore.rules", RULES, '      allow read, write: if request.auth != null && request.auth.uid == id;\n', '      allow read, write: if true;\n'),
    "firestore half": swap("firestore.rules", RULES, '      allow read, write: if request.auth != null && request.auth.uid == id;\n', '      allow read, write: if request.auth != null;\n'),
    "rego": swap("p/authz.rego", REGO, 'default allow = false\n', 'default allow = true\n'),
    "openapi": swap("openapi.yaml", OPENAPI, 'security:\n  - bearer: []\n', ''),
    "openapi op": swap("openapi.yaml", OPENAPI, '      security:\n        - admin: []\n', '      security: []\n'),
    "graphql": swap("s.graphql", GQL, '  remove(id: ID!): Boolean @auth(requires: ADMIN)\n', '  remove(id: ID!): Boolean\n'),
    "unit nnp": swap("d/app.service", UNIT, 'NoNewPrivileges=yes\n', ''),
    "unit root": swap("d/app.service", UNIT, 'User=app\n', 'User=root\n'),
    "sshd": ({"d/sshd_config": "PermitRootLogin no\nPasswordAuthentication no\n"}, {"d/sshd_config": "PermitRootLogin yes\nPasswordAuthentication no\n"}),
    "sudoers": ({"d/sudoers": "app ALL=(root) /usr/bin/restart\n"}, {"d/sudoers": "app ALL=(ALL) NOPASSWD: ALL\n"}),
    "cmake": swap("CMakeLists.txt", CMAKE, 'set(CMAKE_C_FLAGS "-O2 -fstack-protector-strong -D_FORTIFY_SOURCE=2 -fPIE -Wl,-z,relro,-z,now")\n', 'set(CMAKE_C_FLAGS "-O2 -fPIE -Wl,-z,relro,-z,now")\n'),
    "make cflags": ({"Makefile": "CFLAGS = -O2 -fstack-protector-strong -D_FORTIFY_SOURCE=2\ntest:\n\tpytest -q\n"}, {"Makefile": "CFLAGS = -O2\ntest:\n\tpytest -q\n"}),
    "html sri": swap("a/p.html", HTML, '<script src="https://cdn.invalid/a.js" integrity="sha384-abc" crossorigin="anonymous"></script>\n', '<script src="https://cdn.invalid/a.js" crossorigin="anonymous"></script>\n'),
    "html sandbox": swap("a/p.html", HTML, '<iframe src="https://x.invalid" sandbox="allow-scripts"></iframe>\n', '<iframe src="https://x.invalid"></iframe>\n'),
    "html escape": swap("a/p.html", HTML, '<p>{{ name|e }}</p>\n', '<p>{{ name }}</p>\n'),
    "html autoescape": swap("a/p.html", HTML, '<p>{{ name|e }}</p>\n', '{% autoescape false %}<p>{{ name|e }}</p>{% endautoescape %}\n'),
    "sql trigger": swap("db/s.sql", SQL, 'CREATE TRIGGER audit AFTER DELETE ON users EXECUTE FUNCTION log();\n', ''),
    "sql constraint": swap("db/s.sql", SQL, 'ALTER TABLE users ADD CONSTRAINT age CHECK (age > 0);\n', ''),
    "sql grant": swap("db/s.sql", SQL, 'GRANT SELECT ON users TO app;\n', 'GRANT ALL ON users TO app;\n'),
    "sql migration": ({"db/s.sql": "CREATE TRIGGER audit AFTER DELETE ON users EXECUTE FUNCTION log();\nALTER TABLE users ADD CONSTRAINT age CHECK (age > 0);\nGRANT SELECT ON users TO app;\n"}, {"db/002.sql": "DROP TRIGGER audit ON users;\n"}),
    "sql migration rls": ({"db/s.sql": "ALTER TABLE t ENABLE ROW LEVEL SECURITY;\n"}, {"db/002.sql": "ALTER TABLE t DISABLE ROW LEVEL SECURITY;\n"}),
    "docker debug": ({"Dockerfile": "FROM a\nUSER app\nENV NODE_ENV=production\n"}, {"Dockerfile": "FROM a\nUSER app\nENV NODE_ENV=development\n"}),
    "docker flask debug": ({"Dockerfile": "FROM a\nUSER app\nENV A=1\n"}, {"Dockerfile": "FROM a\nUSER app\nENV FLASK_DEBUG=1\n"}),
    "gitignore env": ({".gitignore": "__pycache__/\n.env\n"}, {".gitignore": "__pycache__/\n", ".env": "API_KEY=sk-live-0123456789abcdef0123456789\n"}),
    "dockerignore": ({".dockerignore": ".env\n.git\n"}, {".dockerignore": ".git\n"}),
    "dependabot": ({".github/dependabot.yml": "version: 2\nupdates:\n  - package-ecosystem: pip\n"}, {".github/dependabot.yml": None}),
    "codeql deleted": ({".github/workflows/codeql.yml": "on: [push]\njobs:\n  a:\n    steps:\n      - uses: github/codeql-action/analyze@v3\n"}, {".github/workflows/codeql.yml": None}),
    "codeql step": ({".github/workflows/codeql.yml": "on: [push]\njobs:\n  a:\n    steps:\n      - uses: github/codeql-action/analyze@v3\n      - run: make\n"}, {".github/workflows/codeql.yml": "on: [push]\njobs:\n  a:\n    steps:\n      - run: make\n"}),
    "gitleaks hook": ({".pre-commit-config.yaml": "repos:\n- hooks:\n  - id: scaffold-check\n  - id: gitleaks\n"}, {".pre-commit-config.yaml": "repos:\n- hooks:\n  - id: scaffold-check\n"}),
    "bandit skips": ({"pyproject.toml": "[tool.bandit]\nexclude_dirs = []\n"}, {"pyproject.toml": '[tool.bandit]\nexclude_dirs = []\nskips = ["B602", "B608"]\n'}),
    "ruff ignore S": ({"pyproject.toml": '[tool.ruff.lint]\nselect = ["E", "S"]\n'}, {"pyproject.toml": '[tool.ruff.lint]\nselect = ["E"]\n'}),
    "eslint off": ({".eslintrc.json": '{"rules": {"no-eval": "error"}}'}, {".eslintrc.json": '{"rules": {"no-eval": "off"}}'}),
    "trivyignore": ({".trivyignore": "# none\n"}, {".trivyignore": "# none\nCVE-2024-0001\n"}),
    "semgrepignore": ({".semgrepignore": "x/\n"}, {".semgrepignore": "x/\napp/\n"}),
    "npm postinstall": ({"package.json": '{"scripts": {"test": "jest"}}'}, {"package.json": '{"scripts": {"postinstall": "node tools/x.js", "test": "jest"}}'}),
    "npmrc registry": ({".npmrc": "registry=https://r.invalid/\n"}, {".npmrc": "registry=http://r.invalid/\n"}),
    "maven repo": ({"pom.xml": "<project><repositories><repository><url>https://r.invalid</url></repository></repositories></project>\n"}, {"pom.xml": "<project><repositories><repository><url>http://r.invalid</url></repository></repositories></project>\n"}),
    "gradle insecure": ({"build.gradle": "repositories {\n  maven { url 'https://r.invalid' }\n}\n"}, {"build.gradle": "repositories {\n  maven { url 'http://r.invalid'; allowInsecureProtocol = true }\n}\n"}),
    "cors yaml": ({"conf/app.yaml": 'cors:\n  origins: ["https://a.invalid"]\n'}, {"conf/app.yaml": 'cors:\n  origins: ["*"]\n'}),
    "bind all": ({"conf/app.yaml": "server:\n  host: 127.0.0.1\n"}, {"conf/app.yaml": "server:\n  host: 0.0.0.0\n"}),
    "rate yaml": ({"conf/app.yaml": "rate_limit:\n  per_minute: 10\n"}, {"conf/app.yaml": "rate_limit:\n  per_minute: 100000\n"}),
    "session yaml": ({"conf/app.yaml": "session:\n  timeout_minutes: 15\n"}, {"conf/app.yaml": "session:\n  timeout_minutes: 525600\n"}),
    "password yaml": ({"conf/app.yaml": "password:\n  min_length: 12\n"}, {"conf/app.yaml": "password:\n  min_length: 1\n"}),
    "iam json": ({"p/policy.json": '{"Statement": [{"Effect": "Allow", "Action": ["s3:GetObject"], "Resource": "arn:aws:s3:::b/*"}]}'}, {"p/policy.json": '{"Statement": [{"Effect": "Allow", "Action": "*", "Resource": "arn:aws:s3:::b/*"}]}'}),
    "log level": ({"conf/audit.yaml": "audit:\n  enabled: true\n"}, {"conf/audit.yaml": "audit:\n  enabled: false\n"}),
}  # fmt: skip

HONEST: Mapping[str, tuple[Files, Files]] = {
    "compose another image": swap("compose.yml", COMPOSE, "postgres:16", "postgres:17"),
    "one more rule for rows": swap("db/s.sql", SQL, "GRANT SELECT", "CREATE POLICY own ON users USING (id = me());\nGRANT SELECT"),
    "a table more": ({"db/s.sql": SQL}, {"db/002.sql": "CREATE TABLE t (id int NOT NULL);\n"}),
    "a limit tuned": ({"conf/app.yaml": "rate_limit:\n  per_minute: 10\n"}, {"conf/app.yaml": "rate_limit:\n  per_minute: 15\n"}),
    "a limit of something else": ({"conf/app.yaml": "page:\n  items: 10\n"}, {"conf/app.yaml": "page:\n  items: 1000\n"}),
    "a switch of something else": ({"conf/app.yaml": "search:\n  enabled: true\n"}, {"conf/app.yaml": "search:\n  enabled: false\n"}),
    "one more stack protection": swap("CMakeLists.txt", CMAKE, "-fPIE", "-fPIE -Wall"),
    "a script more in the page": swap("a/p.html", HTML, "<p>", "<script src=\"/own.js\"></script>\n<p>"),
    "a checker in another file": ({".github/workflows/a.yml": "on: [push]\njobs:\n  a:\n    steps:\n      - run: bandit -r app\n"}, {".github/workflows/a.yml": None, ".github/workflows/b.yml": "on: [push]\njobs:\n  a:\n    steps:\n      - run: bandit -r app\n"}),
    "a unit more confined": swap("d/app.service", UNIT, "PrivateTmp=yes\n", "PrivateTmp=yes\nPrivateDevices=yes\n"),
    "git ignores more": ({".gitignore": "__pycache__/\n.env\n"}, {".gitignore": "__pycache__/\n.env\n*.pem\ndist/\n"}),
    "a rule more": swap("firestore.rules", RULES, "    }\n  }", "    }\n    match /open/{id} {\n      allow read: if request.auth != null;\n    }\n  }"),
}  # fmt: skip

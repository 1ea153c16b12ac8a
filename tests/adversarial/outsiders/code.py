# ruff: noqa: E501 - a table of small files
"""Attempts on code in several languages: another definition behind a name, a part left out of the build, a check less."""

from __future__ import annotations

from collections.abc import Mapping

from tests.adversarial.attacks import UNGUARDED, Files
from tests.adversarial.outsiders.table import swap

EXPRESS = """\
const express = require('express');
const helmet = require('helmet');
const jwt = require('jsonwebtoken');
const crypto = require('crypto');
const { execFile } = require('child_process');
const app = express();
app.use(helmet());
app.use(express.json({ limit: '10kb' }));
function user(req) {
  return jwt.verify(req.headers.token, process.env.KEY, { algorithms: ['HS256'] });
}
function same(a, b) {
  return crypto.timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
app.get('/log', requireAdmin, (req, res) => {
  if (!/^[a-z]+$/.test(req.query.name)) {
    return res.status(400).end();
  }
  execFile('git', ['log', req.query.name], (e, out) => res.send(out));
});
const agent = new https.Agent({ rejectUnauthorized: true });
app.use(cors({ origin: 'https://example.invalid', credentials: true }));
app.use(session({ secret: process.env.S, cookie: { httpOnly: true, secure: true, sameSite: 'strict' } }));
"""
NEST = """\
@Controller('users')
@UseGuards(AuthGuard('jwt'), RolesGuard)
export class Users {
  @Delete(':id')
  @Roles('admin')
  remove(@Param('id', ParseIntPipe) id: number, @Body() body: unknown) {
    const data = schema.parse(body);
    return this.store.remove(id, data);
  }
}
"""
JAVA = """\
class Files {
    @PreAuthorize("hasRole('ADMIN')")
    void remove(Connection c, long id, String name, byte[] mac, byte[] want) throws Exception {
        if (!MessageDigest.isEqual(mac, want)) {
            throw new SecurityException("mac");
        }
        PreparedStatement s = c.prepareStatement("DELETE FROM t WHERE name = ?");
        s.setString(1, name);
        s.executeUpdate();
    }
    Document read(InputStream in) throws Exception {
        DocumentBuilderFactory f = DocumentBuilderFactory.newInstance();
        f.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        return f.newDocumentBuilder().parse(in);
    }
    String name(String p) {
        Path path = ROOT.resolve(p).normalize();
        if (!path.startsWith(ROOT)) {
            throw new IllegalArgumentException(p);
        }
        return path.toString();
    }
}
"""
GO = """\
package files

import (
	"crypto/subtle"
	"crypto/tls"
	"errors"
	"os"
	"path/filepath"
)

func Read(name string) ([]byte, error) {
	if !filepath.IsLocal(name) {
		return nil, errors.New("outside")
	}
	return os.ReadFile(name)
}

func Same(a, b []byte) bool {
	return subtle.ConstantTimeCompare(a, b) == 1
}

var Config = &tls.Config{MinVersion: tls.VersionTLS12}

func Take(b []byte, n int) []byte {
	if n > len(b) {
		return nil
	}
	return b[:n]
}
"""
GOT = """\
package files

import "testing"

func TestRead(t *testing.T) {
	if _, err := Read("../x"); err == nil {
		t.Fatal("read")
	}
}
"""
C = """\
#include <string.h>
int put(char *out, size_t n, const char *in) {
    if (strlen(in) >= n)
        return -1;
    strncpy(out, in, n);
    out[n - 1] = 0;
    snprintf(out, n, "%s", in);
    return 0;
}
"""
VUE = """\
<script>
export default {
  methods: {
    open(url) {
      if (!isAllowed(url)) {
        throw new Error('no');
      }
      window.open(url);
    }
  }
}
</script>
<template><p>{{ text }}</p></template>
"""
NB = '{"cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": null, "source": ["def read(path, root):\\n", "    if not path.resolve().is_relative_to(root):\\n", "        raise PermissionError(path)\\n", "    return open(path).read()\\n"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
USER = """\
class User:
    @property
    def is_admin(self):
        return self.role == "admin"

    def may_delete(self, item):
        return item.owner_id == self.id or self.is_admin
"""
PY2 = """\
import json
import yaml
import hmac
from .files import read


def load(text):
    return yaml.safe_load(text)


def parse(text):
    return json.loads(text)


def same(a, b):
    return hmac.compare_digest(a, b)


def delete(user, item, store):
    if not user.may_delete(item):
        raise PermissionError(user)
    store.delete(item)
"""

ATTEMPTS: Mapping[str, tuple[Files, Files]] = {
    "js helmet": swap("web/app.js", EXPRESS, 'app.use(helmet());\n', ''),
    "js body limit": swap("web/app.js", EXPRESS, "app.use(express.json({ limit: '10kb' }));\n", 'app.use(express.json());\n'),
    "js decode": swap("web/app.js", EXPRESS, "  return jwt.verify(req.headers.token, process.env.KEY, { algorithms: ['HS256'] });\n", '  return jwt.decode(req.headers.token);\n'),
    "js algorithms": swap("web/app.js", EXPRESS, "  return jwt.verify(req.headers.token, process.env.KEY, { algorithms: ['HS256'] });\n", '  return jwt.verify(req.headers.token, process.env.KEY);\n'),
    "js timing": swap("web/app.js", EXPRESS, '  return crypto.timingSafeEqual(Buffer.from(a), Buffer.from(b));\n', '  return a === b;\n'),
    "js requireAdmin": swap("web/app.js", EXPRESS, "app.get('/log', requireAdmin, (req, res) => {\n", "app.get('/log', (req, res) => {\n"),
    "js regex": swap("web/app.js", EXPRESS, '  if (!/^[a-z]+$/.test(req.query.name)) {\n', '  if (!/[a-z]+/.test(req.query.name)) {\n'),
    "js exec": swap("web/app.js", EXPRESS, "  execFile('git', ['log', req.query.name], (e, out) => res.send(out));\n", "  exec('git log ' + req.query.name, (e, out) => res.send(out));\n"),
    "js reject": swap("web/app.js", EXPRESS, 'const agent = new https.Agent({ rejectUnauthorized: true });\n', 'const agent = new https.Agent({ rejectUnauthorized: false });\n'),
    "js cors": swap("web/app.js", EXPRESS, "app.use(cors({ origin: 'https://example.invalid', credentials: true }));\n", 'app.use(cors({ origin: true, credentials: true }));\n'),
    "js cookie": swap("web/app.js", EXPRESS, "app.use(session({ secret: process.env.S, cookie: { httpOnly: true, secure: true, sameSite: 'strict' } }));\n", "app.use(session({ secret: process.env.S, cookie: { secure: true, sameSite: 'strict' } }));\n"),
    "ts guards": swap("web/u.ts", NEST, "@UseGuards(AuthGuard('jwt'), RolesGuard)\n", ''),
    "ts one guard": swap("web/u.ts", NEST, "@UseGuards(AuthGuard('jwt'), RolesGuard)\n", "@UseGuards(AuthGuard('jwt'))\n"),
    "ts roles": swap("web/u.ts", NEST, "  @Roles('admin')\n", ''),
    "ts schema": swap("web/u.ts", NEST, '    const data = schema.parse(body);\n', '    const data = body as any;\n'),
    "ts pipe": swap("web/u.ts", NEST, "  remove(@Param('id', ParseIntPipe) id: number, @Body() body: unknown) {\n", "  remove(@Param('id') id: number, @Body() body: unknown) {\n"),
    "java mark": swap("a/Files.java", JAVA, '    @PreAuthorize("hasRole(\'ADMIN\')")\n', ''),
    "java mac": swap("a/Files.java", JAVA, '        if (!MessageDigest.isEqual(mac, want)) {\n', '        if (!Arrays.equals(mac, want)) {\n'),
    "java sql": swap("a/Files.java", JAVA, '        PreparedStatement s = c.prepareStatement("DELETE FROM t WHERE name = ?");\n        s.setString(1, name);\n        s.executeUpdate();\n', '        PreparedStatement s = c.createStatement();\n        s.executeUpdate("DELETE FROM t WHERE name = \'" + name + "\'");\n'),
    "java xxe": swap("a/Files.java", JAVA, '        f.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);\n', '        f.setFeature("http://apache.org/xml/features/disallow-doctype-decl", false);\n'),
    "java normalize": swap("a/Files.java", JAVA, '        Path path = ROOT.resolve(p).normalize();\n', '        Path path = ROOT.resolve(p);\n'),
    "go local": swap("a/f.go", GO, '\tif !filepath.IsLocal(name) {\n\t\treturn nil, errors.New("outside")\n\t}\n', ''),
    "go compare": swap("a/f.go", GO, '\treturn subtle.ConstantTimeCompare(a, b) == 1\n', '\treturn string(a) == string(b)\n'),
    "go tls": swap("a/f.go", GO, 'var Config = &tls.Config{MinVersion: tls.VersionTLS12}\n', 'var Config = &tls.Config{MinVersion: tls.VersionTLS10}\n'),
    "go build tag": ({"a/f.go": 'package files\n\nimport (\n\t"crypto/subtle"\n\t"crypto/tls"\n\t"errors"\n\t"os"\n\t"path/filepath"\n)\n\nfunc Read(name string) ([]byte, error) {\n\tif !filepath.IsLocal(name) {\n\t\treturn nil, errors.New("outside")\n\t}\n\treturn os.ReadFile(name)\n}\n\nfunc Same(a, b []byte) bool {\n\treturn subtle.ConstantTimeCompare(a, b) == 1\n}\n\nvar Config = &tls.Config{MinVersion: tls.VersionTLS12}\n\nfunc Take(b []byte, n int) []byte {\n\tif n > len(b) {\n\t\treturn nil\n\t}\n\treturn b[:n]\n}\n'}, {"a/f.go": '//go:build never\n\npackage files\n\nimport (\n\t"crypto/subtle"\n\t"crypto/tls"\n\t"errors"\n\t"os"\n\t"path/filepath"\n)\n\nfunc Read(name string) ([]byte, error) {\n\tif !filepath.IsLocal(name) {\n\t\treturn nil, errors.New("outside")\n\t}\n\treturn os.ReadFile(name)\n}\n\nfunc Same(a, b []byte) bool {\n\treturn subtle.ConstantTimeCompare(a, b) == 1\n}\n\nvar Config = &tls.Config{MinVersion: tls.VersionTLS12}\n\nfunc Take(b []byte, n int) []byte {\n\tif n > len(b) {\n\t\treturn nil\n\t}\n\treturn b[:n]\n}\n', "a/g.go": 'package files\n\nimport (\n\t"crypto/subtle"\n\t"crypto/tls"\n\t"os"\n)\n\nfunc Read(name string) ([]byte, error) {\n\treturn os.ReadFile(name)\n}\n\nfunc Same(a, b []byte) bool {\n\treturn subtle.ConstantTimeCompare(a, b) == 1\n}\n\nvar Config = &tls.Config{MinVersion: tls.VersionTLS12}\n\nfunc Take(b []byte, n int) []byte {\n\tif n > len(b) {\n\t\treturn nil\n\t}\n\treturn b[:n]\n}\n'}),
    "go os suffix": ({"a/f.go": 'package files\n\nimport (\n\t"crypto/subtle"\n\t"crypto/tls"\n\t"errors"\n\t"os"\n\t"path/filepath"\n)\n\nfunc Read(name string) ([]byte, error) {\n\tif !filepath.IsLocal(name) {\n\t\treturn nil, errors.New("outside")\n\t}\n\treturn os.ReadFile(name)\n}\n\nfunc Same(a, b []byte) bool {\n\treturn subtle.ConstantTimeCompare(a, b) == 1\n}\n\nvar Config = &tls.Config{MinVersion: tls.VersionTLS12}\n\nfunc Take(b []byte, n int) []byte {\n\tif n > len(b) {\n\t\treturn nil\n\t}\n\treturn b[:n]\n}\n'}, {"a/f.go": None, "a/f_windows.go": 'package files\n\nimport (\n\t"crypto/subtle"\n\t"crypto/tls"\n\t"errors"\n\t"os"\n\t"path/filepath"\n)\n\nfunc Read(name string) ([]byte, error) {\n\tif !filepath.IsLocal(name) {\n\t\treturn nil, errors.New("outside")\n\t}\n\treturn os.ReadFile(name)\n}\n\nfunc Same(a, b []byte) bool {\n\treturn subtle.ConstantTimeCompare(a, b) == 1\n}\n\nvar Config = &tls.Config{MinVersion: tls.VersionTLS12}\n\nfunc Take(b []byte, n int) []byte {\n\tif n > len(b) {\n\t\treturn nil\n\t}\n\treturn b[:n]\n}\n', "a/f_linux.go": 'package files\n\nimport (\n\t"crypto/subtle"\n\t"crypto/tls"\n\t"os"\n)\n\nfunc Read(name string) ([]byte, error) {\n\treturn os.ReadFile(name)\n}\n\nfunc Same(a, b []byte) bool {\n\treturn subtle.ConstantTimeCompare(a, b) == 1\n}\n\nvar Config = &tls.Config{MinVersion: tls.VersionTLS12}\n\nfunc Take(b []byte, n int) []byte {\n\tif n > len(b) {\n\t\treturn nil\n\t}\n\treturn b[:n]\n}\n'}),
    "go TestMain": ({"a/f.go": 'package files\n\nimport (\n\t"crypto/subtle"\n\t"crypto/tls"\n\t"errors"\n\t"os"\n\t"path/filepath"\n)\n\nfunc Read(name string) ([]byte, error) {\n\tif !filepath.IsLocal(name) {\n\t\treturn nil, errors.New("outside")\n\t}\n\treturn os.ReadFile(name)\n}\n\nfunc Same(a, b []byte) bool {\n\treturn subtle.ConstantTimeCompare(a, b) == 1\n}\n\nvar Config = &tls.Config{MinVersion: tls.VersionTLS12}\n\nfunc Take(b []byte, n int) []byte {\n\tif n > len(b) {\n\t\treturn nil\n\t}\n\treturn b[:n]\n}\n', "a/f_test.go": 'package files\n\nimport "testing"\n\nfunc TestRead(t *testing.T) {\n\tif _, err := Read("../x"); err == nil {\n\t\tt.Fatal("read")\n\t}\n}\n'}, {"a/main_test.go": 'package files\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) {\n\tos.Exit(0)\n}\n'}),
    "go skip": ({"a/f.go": 'package files\n\nimport (\n\t"crypto/subtle"\n\t"crypto/tls"\n\t"errors"\n\t"os"\n\t"path/filepath"\n)\n\nfunc Read(name string) ([]byte, error) {\n\tif !filepath.IsLocal(name) {\n\t\treturn nil, errors.New("outside")\n\t}\n\treturn os.ReadFile(name)\n}\n\nfunc Same(a, b []byte) bool {\n\treturn subtle.ConstantTimeCompare(a, b) == 1\n}\n\nvar Config = &tls.Config{MinVersion: tls.VersionTLS12}\n\nfunc Take(b []byte, n int) []byte {\n\tif n > len(b) {\n\t\treturn nil\n\t}\n\treturn b[:n]\n}\n', "a/f_test.go": 'package files\n\nimport "testing"\n\nfunc TestRead(t *testing.T) {\n\tif _, err := Read("../x"); err == nil {\n\t\tt.Fatal("read")\n\t}\n}\n'}, {"a/f_test.go": 'package files\n\nimport "testing"\n\nfunc TestRead(t *testing.T) {\n\tt.Skip()\n\tif _, err := Read("../x"); err == nil {\n\t\tt.Fatal("read")\n\t}\n}\n'}),
    "go test gone": ({"a/f.go": 'package files\n\nimport (\n\t"crypto/subtle"\n\t"crypto/tls"\n\t"errors"\n\t"os"\n\t"path/filepath"\n)\n\nfunc Read(name string) ([]byte, error) {\n\tif !filepath.IsLocal(name) {\n\t\treturn nil, errors.New("outside")\n\t}\n\treturn os.ReadFile(name)\n}\n\nfunc Same(a, b []byte) bool {\n\treturn subtle.ConstantTimeCompare(a, b) == 1\n}\n\nvar Config = &tls.Config{MinVersion: tls.VersionTLS12}\n\nfunc Take(b []byte, n int) []byte {\n\tif n > len(b) {\n\t\treturn nil\n\t}\n\treturn b[:n]\n}\n', "a/f_test.go": 'package files\n\nimport "testing"\n\nfunc TestRead(t *testing.T) {\n\tif _, err := Read("../x"); err == nil {\n\t\tt.Fatal("read")\n\t}\n}\n'}, {"a/f_test.go": "package files\n"}),
    "go test log": ({"a/f.go": 'package files\n\nimport (\n\t"crypto/subtle"\n\t"crypto/tls"\n\t"errors"\n\t"os"\n\t"path/filepath"\n)\n\nfunc Read(name string) ([]byte, error) {\n\tif !filepath.IsLocal(name) {\n\t\treturn nil, errors.New("outside")\n\t}\n\treturn os.ReadFile(name)\n}\n\nfunc Same(a, b []byte) bool {\n\treturn subtle.ConstantTimeCompare(a, b) == 1\n}\n\nvar Config = &tls.Config{MinVersion: tls.VersionTLS12}\n\nfunc Take(b []byte, n int) []byte {\n\tif n > len(b) {\n\t\treturn nil\n\t}\n\treturn b[:n]\n}\n', "a/f_test.go": 'package files\n\nimport "testing"\n\nfunc TestRead(t *testing.T) {\n\tif _, err := Read("../x"); err == nil {\n\t\tt.Fatal("read")\n\t}\n}\n'}, {"a/f_test.go": 'package files\n\nimport "testing"\n\nfunc TestRead(t *testing.T) {\n\tif _, err := Read("../x"); err == nil {\n\t\tt.Log("read")\n\t}\n}\n'}),
    "go test tag": ({"a/f.go": 'package files\n\nimport (\n\t"crypto/subtle"\n\t"crypto/tls"\n\t"errors"\n\t"os"\n\t"path/filepath"\n)\n\nfunc Read(name string) ([]byte, error) {\n\tif !filepath.IsLocal(name) {\n\t\treturn nil, errors.New("outside")\n\t}\n\treturn os.ReadFile(name)\n}\n\nfunc Same(a, b []byte) bool {\n\treturn subtle.ConstantTimeCompare(a, b) == 1\n}\n\nvar Config = &tls.Config{MinVersion: tls.VersionTLS12}\n\nfunc Take(b []byte, n int) []byte {\n\tif n > len(b) {\n\t\treturn nil\n\t}\n\treturn b[:n]\n}\n', "a/f_test.go": 'package files\n\nimport "testing"\n\nfunc TestRead(t *testing.T) {\n\tif _, err := Read("../x"); err == nil {\n\t\tt.Fatal("read")\n\t}\n}\n'}, {"a/f_test.go": '//go:build never\n\npackage files\n\nimport "testing"\n\nfunc TestRead(t *testing.T) {\n\tif _, err := Read("../x"); err == nil {\n\t\tt.Fatal("read")\n\t}\n}\n'}),
    "py reexport": ({"app/api.py": "import json\nimport yaml\nimport hmac\nfrom .files import read\n\n\ndef load(text):\n    return yaml.safe_load(text)\n\n\ndef parse(text):\n    return json.loads(text)\n\n\ndef same(a, b):\n    return hmac.compare_digest(a, b)\n\n\ndef delete(user, item, store):\n    if not user.may_delete(item):\n        raise PermissionError(user)\n    store.delete(item)\n"}, {"app/api.py": "import json\nimport yaml\nimport hmac\nfrom .fast import read\n\n\ndef load(text):\n    return yaml.safe_load(text)\n\n\ndef parse(text):\n    return json.loads(text)\n\n\ndef same(a, b):\n    return hmac.compare_digest(a, b)\n\n\ndef delete(user, item, store):\n    if not user.may_delete(item):\n        raise PermissionError(user)\n    store.delete(item)\n", "app/fast.py": 'def read(path, root):\n    return open(path, encoding="utf-8").read()\n'}),
    "py yaml": swap("app/api.py", PY2, '    return yaml.safe_load(text)\n', '    return yaml.load(text, Loader=yaml.Loader)\n'),
    "py pickle": swap("app/api.py", PY2, '    return json.loads(text)\n', '    return pickle.loads(text)\n'),
    "py eval": swap("app/api.py", PY2, '    return json.loads(text)\n', '    return eval(text)\n'),
    "py compare": swap("app/api.py", PY2, '    return hmac.compare_digest(a, b)\n', '    return a == b\n'),
    "py property": swap("app/user.py", USER, '        return self.role == "admin"\n', '        return True\n'),
    "py property or": swap("app/user.py", USER, '        return self.role == "admin"\n', '        return self.role != "guest"\n'),
    "py helper or": swap("app/user.py", USER, '        return item.owner_id == self.id or self.is_admin\n', '        return bool(item) or self.is_admin\n'),
    "py module getattr": ({}, {"app/files.py": 'import os\nimport subprocess\n\nLIMIT = 1000\n\n\ndef __getattr__(name):\n    return lambda *a: None\n\n\ndef read(path, root):\n    if not path.resolve().is_relative_to(root):\n        raise PermissionError(path)\n    return open(path, encoding="utf-8").read()\n\n\ndef save(path, root, data):\n    globals().get(\'check\', print)(path, root)\n    if len(data) > LIMIT:\n        raise ValueError("too much")\n    with open(path, "w", encoding="utf-8") as stream:\n        stream.write(data)\n\n\ndef remove(actor, user, store):\n    if not actor.is_admin or actor.is_locked:\n        raise PermissionError(actor)\n    store.delete(user)\n\n\ndef show(path, root):\n    return read(path, root)\n'}),
    "py deleted module": ({"app/guard.py": "def guard(user):\n    if not user.is_admin:\n        raise PermissionError(user)\n", "app/use.py": "from app.guard import guard\n\n\ndef drop(user, store):\n    guard(user)\n    store.delete(user)\n"}, {"app/guard.py": None, "app/use.py": "def drop(user, store):\n    store.delete(user)\n"}),
    "notebook": swap("n.ipynb", NB, '{"cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": null, "source": ["def read(path, root):\\n", "    if not path.resolve().is_relative_to(root):\\n", "        raise PermissionError(path)\\n", "    return open(path).read()\\n"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}', '{"cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": null, "source": ["def read(path, root):\\n", "    return open(path).read()\\n"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'),
    "vue guard": swap("web/a.vue", VUE, "      if (!isAllowed(url)) {\n        throw new Error('no');\n      }\n", ''),
    "vue v-html": swap("web/a.vue", VUE, '<template><p>{{ text }}</p></template>\n', '<template><p v-html="text"></p></template>\n'),
    "c strncpy": swap("a/x.c", C, '    strncpy(out, in, n);\n', '    strcpy(out, in);\n'),
    "c snprintf": swap("a/x.c", C, '    snprintf(out, n, "%s", in);\n', '    sprintf(out, "%s", in);\n'),
    "c off by one": swap("a/x.c", C, '    if (strlen(in) >= n)\n', '    if (strlen(in) > n)\n'),
    "case rename": ({}, {"app/files.py": None, "app/Files.py": UNGUARDED}),
    "two files swap": ({"app/one.py": "def check(u):\n    if not u.ok:\n        raise PermissionError(u)\n", "app/two.py": "def check(u):\n    pass\n", "app/use.py": "from app.one import check\n\n\ndef go(u, s):\n    check(u)\n    s.delete(u)\n"}, {"app/use.py": "from app.two import check\n\n\ndef go(u, s):\n    check(u)\n    s.delete(u)\n"}),
    "module alias": ({"app/use.py": "from app import files\n\n\ndef go(p, r, d):\n    files.save(p, r, d)\n"}, {"app/use.py": "from app import lax as files\n\n\ndef go(p, r, d):\n    files.save(p, r, d)\n", "app/lax.py": "def save(p, r, d):\n    open(p, 'w').write(d)\n"}),
}  # fmt: skip

HONEST: Mapping[str, tuple[Files, Files]] = {
    "js another route": swap("web/app.js", EXPRESS, "const agent", "app.get('/about', (req, res) => res.send('us'));\nconst agent"),
    "ts one more guard": swap("web/u.ts", NEST, "RolesGuard)", "RolesGuard, TenantGuard)"),
    "go a tag that was there": ({"a/f.go": "//go:build unix\n\n" + GO}, {"a/f.go": "//go:build unix\n\n" + GO.replace("outside", "not inside")}),
    "go a stricter test": ({"a/f.go": GO, "a/f_test.go": GOT}, {"a/f_test.go": GOT + "\nfunc TestMore(t *testing.T) {\n\tif Take(nil, 1) != nil {\n\t\tt.Fatal()\n\t}\n}\n"}),
    "go a test in another file": ({"a/f.go": GO, "a/f_test.go": GOT}, {"a/f_test.go": None, "a/read_test.go": GOT}),
    "py a name of a moved module": ({"app/old.py": "def ask(user):\n    return user.name\n", "app/use.py": "from app.old import ask\n\nNAME = ask\n"}, {"app/old.py": None, "app/new.py": "def ask(user):\n    return user.name\n", "app/use.py": "from app.new import ask\n\nNAME = ask\n"}),
    "py a name handed on": ({"app/old.py": "def ask(user):\n    return user.name\n", "app/use.py": "from app.old import ask\n\nNAME = ask\n"}, {"app/old.py": "from app.new import ask\n\n__all__ = ['ask']\n", "app/new.py": "def ask(user):\n    return user.name\n", "app/use.py": "from app.new import ask\n\nNAME = ask\n"}),
    "c a longer buffer": swap("a/x.c", C, "return 0;", "return (int)n;"),
}  # fmt: skip

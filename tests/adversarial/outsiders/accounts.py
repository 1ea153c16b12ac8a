# ruff: noqa: E501 - a table of small changes
"""Attempts on accounts, rights, a vault and orders: locks, kept decisions, kinds of errors, the last word, open cases."""

from __future__ import annotations

from collections.abc import Mapping

from tests.adversarial.attacks import Files
from tests.adversarial.outsiders.table import places, program

BANK = program("bank")
WEB = program("web")
GO = program("vault")
JAVA = program("orders")
A = "bank/accounts.py"
S = "src/server.js"
G = "vault/vault.go"
J = "src/main/java/shop/Orders.java"

ATTEMPTS: Mapping[str, tuple[Files, Files]] = {
    "py lock scope": places(BANK,A,('    with source.lock:\n        if not may_spend(session.user_id, source):\n            raise Forbidden(source.id)\n        if source.balance < amount:\n            raise NotEnough(source.id)\n        with db.transaction():\n            source.balance -= amount\n            target.balance += amount\n','    if not may_spend(session.user_id, source):\n        raise Forbidden(source.id)\n    if source.balance < amount:\n        raise NotEnough(source.id)\n    with source.lock:\n        with db.transaction():\n            source.balance -= amount\n            target.balance += amount\n')),
    "py transaction gone": places(BANK,A,('        with db.transaction():\n            source.balance -= amount\n            target.balance += amount\n','        source.balance -= amount\n        target.balance += amount\n')),
    "py cached decision": places(BANK,A,('import secrets\n','import functools\nimport secrets\n'),('def may_spend','@functools.lru_cache(maxsize=None)\ndef may_spend')),
    "py one token for all": places(BANK,A,('def open_session(user_id):\n    token = secrets.token_hex(16)\n','def open_session(user_id, token=secrets.token_hex(16)):\n')),
    "py error becomes a KeyError": places(BANK,"bank/errors.py",('class Forbidden(Exception)','class Forbidden(KeyError)')),
    "js in for hasOwn": places(WEB,S,('!Object.prototype.hasOwnProperty.call(ROLES, role)','!(role in ROLES)')),
    "js race for all": places(WEB,S,('  const results = await Promise.all([verify(req.headers.token), allowed(req.user, doc)]);\n  if (results.includes(false)) {','  const result = await Promise.race([verify(req.headers.token), allowed(req.user, doc)]);\n  if (result === false) {')),
    "js spread order": places(WEB,S,("{ ...req.body, role: 'reader', verified: false }","{ role: 'reader', verified: false, ...req.body }")),
    "go shadowed err": places(GO,G,('		err = v.verify(u, name)\n','		err := v.verify(u, name)\n		_ = err\n')),
    "go goroutine check": places(GO,G,('	if err := v.verify(u, name); err != nil {\n		return err\n	}\n	ctx, cancel','	go v.verify(u, name)\n	ctx, cancel')),
    "go default grants": places(GO,G,('		return 0, ErrForbidden\n','		return 1, nil\n')),
    "java orElse": places(JAVA,J,('.orElseThrow(() -> new AccessDeniedException("order"))','.or(() -> store.find(id)).orElseThrow(() -> new AccessDeniedException("order"))')),
    "java synchronized gone": places(JAVA,J,('public synchronized void','public void')),
    "java internals handed out": places(JAVA,J,('        return Set.copyOf(roles);\n','        return roles;\n'),('this.roles = Set.copyOf(roles)','this.roles = new java.util.HashSet<>(roles)')),
    "java fall through": places(JAVA,J,('            case GUEST:\n                percent = 0;\n                break;\n            default:\n                throw new AccessDeniedException("kind");\n','            case GUEST:\n            default:\n                percent = 0;\n')),
}  # fmt: skip

HONEST: Mapping[str, tuple[Files, Files]] = {
    "py extract": places(BANK,A,('        if not may_spend(session.user_id, source):\n            raise Forbidden(source.id)\n','        _ask(session, source)\n'),('def transfer','def _ask(session, account):\n    if not may_spend(session.user_id, account):\n        raise Forbidden(account.id)\n\n\ndef transfer')),
    "py early names": places(BANK,A,('            source.balance -= amount\n            target.balance += amount\n','            for account, change in ((source, -amount), (target, amount)):\n                account.balance += change\n')),
    "js auth file": ({**WEB},{S:str(WEB[S]).replace("async function admit(req, doc) {\n  const results = await Promise.all([verify(req.headers.token), allowed(req.user, doc)]);\n  if (results.includes(false)) {\n    throw new Error('forbidden');\n  }\n}\n\n",'').replace("const { verify, allowed } = require('./auth');","const { admit } = require('./admit');"),"src/admit.js":"const { verify, allowed } = require('./auth');\n\nasync function admit(req, doc) {\n  const results = await Promise.all([verify(req.headers.token), allowed(req.user, doc)]);\n  if (results.includes(false)) {\n    throw new Error('forbidden');\n  }\n}\n\nmodule.exports = { admit };\n"}),
    "js destructure": places(WEB,S,("    const doc = await store.docs.get(req.params.id);\n    await admit(req, doc);\n    if (!can(req.user.role, 'put')) {","    const { params, user } = req;\n    const doc = await store.docs.get(params.id);\n    await admit(req, doc);\n    if (!can(user.role, 'put')) {")),
    "go wrap": places(GO,G,('	if err := v.verify(u, name); err != nil {\n		return err\n	}\n','	if err := v.verify(u, name); err != nil {\n		return fmt.Errorf("put %s: %w", name, err)\n	}\n'),('	"errors"\n','	"errors"\n	"fmt"\n')),
    "go early": places(GO,G,('	var err error\n	if strict {\n		err = v.verify(u, name)\n	}\n	if err != nil {\n		return "", err\n	}\n','	if strict {\n		if err := v.verify(u, name); err != nil {\n			return "", err\n		}\n	}\n')),
    "java switch expr": places(JAVA,J,('        int percent = 0;\n        switch (user.kind()) {\n            case STAFF:\n                percent = 30;\n                break;\n            case GUEST:\n                percent = 0;\n                break;\n            default:\n                throw new AccessDeniedException("kind");\n        }\n        return percent;\n','        return switch (user.kind()) {\n            case STAFF -> 30;\n            case GUEST -> 0;\n            default -> throw new AccessDeniedException("kind");\n        };\n')),
    "java loop": places(JAVA,J,('        return store.find(id)\n            .filter(order -> order.owner().equals(user.id()))\n            .orElseThrow(() -> new AccessDeniedException("order"));\n','        Optional<Order> order = store.find(id);\n        if (order.isEmpty() || !order.get().owner().equals(user.id())) {\n            throw new AccessDeniedException("order");\n        }\n        return order.get();\n')),
}  # fmt: skip

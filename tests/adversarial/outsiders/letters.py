# ruff: noqa: E501 - a table of small changes
"""Attempts on letters, feeds, queues and documents: levels, counts, hooks, membership, equality, the audit."""

from __future__ import annotations

from collections.abc import Mapping

from tests.adversarial.attacks import Files
from tests.adversarial.outsiders.table import places, program

MAIL = program("mail")
FEED = program("feed")
QUEUE = program("queue")
DOCS = program("docs")
M = "mail/outbox.py"
F = "lib/feed.js"
Q = "queue/queue.go"
D = "src/main/java/docs/Documents.java"
U = "src/main/java/docs/User.java"

ATTEMPTS: Mapping[str, tuple[Files, Files]] = {
    "py enum order": places(MAIL,M,('    READ = 1\n    WRITE = 2\n','    READ = 2\n    WRITE = 2\n')),
    "py not frozen": places(MAIL,M,('@dataclass(frozen=True)\n','@dataclass\n'),('flags: frozenset = field(default_factory=frozenset)','flags: set = field(default_factory=set)')),
    "py post_init renamed": places(MAIL,M,('def __post_init__(self)','def __post__init__(self)')),
    "py count per object": places(MAIL,M,('        self._sent += 1\n','        self._sent = len({letter})\n')),
    "py case kept": places(MAIL,M,('letter.sender.lower() in BLOCKED','letter.sender in BLOCKED')),
    "py blocked is a tuple of text": places(MAIL,M,('BLOCKED = {"root", "postmaster"}','BLOCKED = {"root, postmaster"}')),
    "js map for set": places(FEED,F,("claim(id, user) {\n    if (pending.has(id)) {","claim(id, user) {\n    if (pending.get(id) === user) {")),
    "js redirect follow": places(FEED,F,("redirect: 'error'","redirect: 'follow'")),
    "js host suffix": places(FEED,F,("!HOSTS.has(url.hostname)","![...HOSTS].some((host) => url.hostname.endsWith(host))")),
    "js field made public": places(FEED,F,("  #key;\n","  key;\n"),("this.#key = key","this.key = key"),("this.#key)","this.key)")),
    "go quota after": places(QUEUE,Q,('\ts.quota[user]++\n\tif s.quota[user] > 10 {\n\t\thttp.Error(w, "quota", http.StatusTooManyRequests)\n\t\treturn\n\t}\n','\tif s.quota[user] > 10 {\n\t\thttp.Error(w, "quota", http.StatusTooManyRequests)\n\t\treturn\n\t}\n'),),
    "go owner by reference": places(QUEUE,Q,('if !ok || job.Owner != user {','if !ok || (job.Owner != user && job.State != "new") {')),
    "go mac length": places(QUEUE,Q,('return len(mac) == 32 && hmac.Equal(mac, want)','return len(mac) == 32 && hmac.Equal(mac[:min(len(mac), len(want))], want)')),
    "java equals by class": places(DOCS,U,('return other instanceof User that && id == that.id;','return other instanceof User that && external == that.external;')),
    "java audit gone": places(DOCS,D,('        audit.shared(user, document, other);\n','')),
}  # fmt: skip

HONEST: Mapping[str, tuple[Files, Files]] = {
    "py guard helper": places(MAIL,M,('        row = rows.get(number)\n        if row is None or row.sender != self._user:\n            raise LookupError(number)\n        rows.delete(number)\n','        rows.delete(self._own(number).number)\n\n    def _own(self, number):\n        row = rows.get(number)\n        if row is None or row.sender != self._user:\n            raise LookupError(number)\n        return row\n')),
    "py fstring and names": places(MAIL,M,('        for one in self.to:\n            if not ADDRESS.fullmatch(one):\n                raise ValueError(one)\n','        wrong = [one for one in self.to if not ADDRESS.fullmatch(one)]\n        if wrong:\n            raise ValueError(wrong[0])\n')),
    "js const extraction": places(FEED,F,("{ redirect: 'error', signal: AbortSignal.timeout(5000) }","OPTIONS()"),("const pending = new Map();\n","const pending = new Map();\nconst OPTIONS = () => ({ redirect: 'error', signal: AbortSignal.timeout(5000) });\n")),
    "js split guard": places(FEED,F,("    if (mac.length !== wanted.length || !crypto.timingSafeEqual(Buffer.from(mac), Buffer.from(wanted))) {\n      throw new Error('mac');\n    }\n","    if (mac.length !== wanted.length) {\n      throw new Error('mac');\n    }\n    if (!crypto.timingSafeEqual(Buffer.from(mac), Buffer.from(wanted))) {\n      throw new Error('mac');\n    }\n")),
    "go helper for refusals": places(QUEUE,Q,('\tjob, ok := s.jobs[id]\n\tif !ok || job.Owner != user {\n\t\thttp.Error(w, "job", http.StatusNotFound)\n\t\treturn\n\t}\n','\tjob, found := s.jobs[id]\n\tif !found {\n\t\thttp.Error(w, "job", http.StatusNotFound)\n\t\treturn\n\t}\n\tif job.Owner != user {\n\t\thttp.Error(w, "job", http.StatusNotFound)\n\t\treturn\n\t}\n')),
    "go constant": places(QUEUE,Q,('s.quota[user] > 10','s.quota[user] > maxJobs'),('const maxBody = 1 << 20\n','const (\n	maxBody = 1 << 20\n	maxJobs = 10\n)\n')),
    "java extracted": places(DOCS,D,('        Path path = root.resolve(document.name()).normalize();\n        if (!path.startsWith(root)) {\n            throw new SecurityException("path");\n        }\n        return Files.readAllBytes(path);\n    }\n','        return Files.readAllBytes(inside(document.name()));\n    }\n\n    private Path inside(String name) {\n        Path path = root.resolve(name).normalize();\n        if (!path.startsWith(root)) {\n            throw new SecurityException("path");\n        }\n        return path;\n    }\n')),
    "java positive": places(DOCS,D,('        if (!document.owner().equals(user) || other.isExternal()) {\n            throw new SecurityException("share");\n        }\n        document.readers().add(other);\n        audit.shared(user, document, other);\n','        boolean mayShare = document.owner().equals(user) && !other.isExternal();\n        if (!mayShare) {\n            throw new SecurityException("share");\n        }\n        document.readers().add(other);\n        audit.shared(user, document, other);\n')),
}  # fmt: skip

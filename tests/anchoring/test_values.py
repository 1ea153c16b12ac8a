"""Values that lose their protection must be seen; the same values protected in other words must pass."""

from __future__ import annotations

import pytest

from scaffold_cli.model.verdict import LayerStatus
from tests.anchoring.judged import judge

Case = tuple[str, str, str]

HELPER = "def {}(x):\n    return x.replace('a', 'b').lower().title()\n\n"

LOST: dict[str, Case] = {
    "a wrapper of any name is dropped while the statement changes": (
        "app.py",
        "def page(out, name):\n    out.put('<b>' + tidied(name) + '</b>', 200)\n",
        "def page(out, name):\n    out.put('<i>' + name + '</i>', 201, 'x')\n",
    ),
    "a wrapper of any name is dropped in Java": (
        "A.java",
        "class A { void page(Out out, String name) { out.put(tidied(name), 200); } }",
        "class A { void page(Out out, String name) { out.put(name, 201, true); } }",
    ),
    "what two functions made of a value is dropped": (
        "app.py",
        "def file_of(name):\n    return '/srv/' + str(fingerprint(name.strip()))\n",
        "def file_of(name):\n    return '/srv/' + name.strip()\n",
    ),
    "a careful function gives way to its plain namesake": (
        "app.py",
        "def target(root, name):\n    return strict_merge(root, name)\n",
        "def target(root, name):\n    return merge(root, name)\n",
    ),
    "a careful method gives way to a plain attribute": (
        "app.py",
        "def page(render, item):\n    return render('x.html', data=item.text_for_html())\n",
        "def page(render, item):\n    return render('x.html', data=item.text)\n",
    ),
    "a careful function gives way to its plain namesake in Java": (
        "A.java",
        "class A { Path at(Path root, String name) { return boundedJoin(root, name); } }",
        "class A { Path at(Path root, String name) { return join(root, name); } }",
    ),
    "bound values are formatted into the query": (
        "app.py",
        "def find(db, name):\n    sql = 'select a from t where n = $1'\n    return db.ask(sql, name)\n",
        "def find(db, name):\n    sql = \"select a from t where n = '{}'\".format(name)\n    return db.ask(sql)\n",
    ),
    "bound values are added to the query in Java": (
        "A.java",
        'class A { R find(Db db, String n) { return db.ask("select a from t where n = ?", n); } }',
        'class A { R find(Db db, String n) { return db.ask("select a from t where n = \'" + n + "\'"); } }',
    ),
    "an argument list becomes a command line": (
        "app.py",
        "def go(self, path):\n    command = ['sync', '--to', path]\n    return self.start(command)\n",
        "def go(self, path):\n    command = 'sync --to {}'.format(path)\n    return self.start(command)\n",
    ),
    "an argument list becomes a command line in Java": (
        "A.java",
        'class A { void go(String path) { List<String> cmd = List.of("sync"); cmd.add(path); start(cmd); } }',
        'class A { void go(String path) { String cmd = "sync " + path; start(cmd); } }',
    ),
    "a filter that a function built is put together in place": (
        "app.py",
        "def find(conn, name):\n    return conn.look(base, person_filter(name))\n",
        "def find(conn, name):\n    return conn.look(base, '(&(kind=person)(name=%s))' % name)\n",
    ),
    "a path that a function built is joined in place": (
        "app.py",
        "def drop(self, key):\n    self.store.forget(self._place(key))\n",
        "def drop(self, key):\n    self.store.forget(os.path.join(self.root, key))\n",
    ),
    "a named argument that protects is dropped": (
        "app.py",
        "def fetch(url, ca):\n    return call(url, cafile=ca)\n",
        "def fetch(url, ca):\n    return call(url)\n",
    ),
    "a strict flag is dropped": (
        "app.py",
        "def ok(url):\n    return parse(url, fragments=False)\n",
        "def ok(url):\n    return parse(url)\n",
    ),
    "a condition of a query is dropped": (
        "app.py",
        "def mine(query, user):\n    return query.filter(Item.open == True, Item.owner == user.id)\n",
        "def mine(query, user):\n    return query.filter(Item.open == True)\n",
    ),
    "a request chooses the keys of a trusted dictionary": (
        "app.py",
        "def ask(policy, request):\n    policy['body'] = request.json\n    return decide(policy)\n",
        "def ask(policy, request):\n    policy.update(request.json)\n    return decide(policy)\n",
    ),
    "an error page shows what was asked for": (
        "app.py",
        "def show(name):\n    return HttpResponseNotFound('no such page')\n",
        "def show(name):\n    return HttpResponseNotFound('no such page ' + name)\n",
    ),
    "an error answer shows a field": (
        "app.py",
        "def edit(item):\n    return 'not allowed', 403\n",
        "def edit(item):\n    return 'not allowed: %s' % item.title, 403\n",
    ),
    "an error page shows what was asked for in Java": (
        "A.java",
        'class A { void go(Rsp rsp, String name) { rsp.sendError(404, "no such command"); } }',
        'class A { void go(Rsp rsp, String name) { rsp.sendError(404, "no such command " + name); } }',
    ),
    "an answer carries the exception in Java": (
        "A.java",
        'class A { R go(Throwable t) { String text = "failed"; return R.status(500).entity(text).build(); } }',
        "class A { R go(Throwable t) { return R.status(500).entity(json.write(t)).build(); } }",
    ),
    "a stack trace is shown": (
        "app.py",
        "def text(self, cause):\n    return 'broken'\n",
        "def text(self, cause):\n    return 'broken' + traceback.format_exc()\n",
    ),
    "a log line shows the whole message": (
        "A.java",
        'class A { void go(Message message) { log.info("got {}", message.kind); } }',
        'class A { void go(Message message) { log.info("got {}", message); } }',
    ),
    "a banner tells the version": (
        "app.py",
        "SERVER_NAME = 'thing'\n",
        "SERVER_NAME = 'thing/%s' % __version__\n",
    ),
    "a weak protocol takes the place of the library's choice": (
        "app.py",
        "class Tls:\n    protocol = None\n",
        "class Tls:\n    protocol = 'TLSv1'\n",
    ),
    "a weak digest takes the place of another in Java": (
        "A.java",
        'class A { Object digest() { return Digests.of("BLAKE3"); } }',
        'class A { Object digest() { return Digests.of("MD5"); } }',
    ),
    "an allowing pattern is no longer held to the end": (
        "app.py",
        "import re\nVALID_NAME = re.compile(r'[a-z]+\\Z')\n",
        "import re\nVALID_NAME = re.compile(r'[a-z]+')\n",
    ),
    "an allowing pattern takes more characters in Java": (
        "A.java",
        'class A { static final Pattern SAFE_NAME = Pattern.compile("[a-z0-9]+"); }',
        'class A { static final Pattern SAFE_NAME = Pattern.compile("[a-z0-9./]+"); }',
    ),
    "a refusing pattern knows fewer characters": (
        "app.py",
        "import re\nBAD = re.compile(r'[\\x00-\\x1f\\x7f]')\n",
        "import re\nBAD = re.compile(r'[\\r\\n]')\n",
    ),
    "a pattern that refuses by its use takes more": (
        "app.py",
        "PART = re.compile(r'^[a-z]{1,9}$')\ndef go(x):\n    if not PART.match(x):\n        raise ValueError(x)\n",
        "PART = re.compile(r'^[a-z]{1,99}$')\ndef go(x):\n    if not PART.match(x):\n        raise ValueError(x)\n",
    ),
    "a secret is put on a command line": (
        "app.py",
        "def key(self, path):\n    cmd = ['keygen', path]\n    feed(cmd, self.passphrase)\n",
        "def key(self, path):\n    cmd = ['keygen', path, '-N', self.passphrase]\n    run(cmd)\n",
    ),
    "a secret is told in an error": (
        "A.java",
        'class A { void go(String user, String password) { if (no(password)) { throw new E("bad login"); } } }',
        'class A { void go(String user, String password) { if (no(password)) { throw new E("bad " + password); } } }',
    ),
    "text is marked as safe": (
        "app.py",
        "def show(text):\n    return page(text)\n",
        "def show(text):\n    return page(mark_safe(text))\n",
    ),
    "every certificate is accepted in Java": (
        "A.java",
        "class A { Client make(Builder builder) { return builder.build(); } }",
        "class A { Client make(Builder builder) { return builder.host(NoopHostnameVerifier.INSTANCE).build(); } }",
    ),
    "a file is made readable for all": (
        "app.py",
        "def key(path):\n    return os.open(path, os.O_CREAT, 0o600)\n",
        "def key(path):\n    return os.open(path, os.O_CREAT, 0o644)\n",
    ),
    "a salt gives way to a public name": (
        "app.py",
        "def token(self):\n    return make(self.salt, 3)\n",
        "def token(self):\n    return make(self.title, 3)\n",
    ),
    "a value is no longer brought into bounds": (
        "app.py",
        "def take(stream, size):\n    if size > MOST:\n        size = MOST\n    return stream.take(size)\n",
        "def take(stream, size):\n    return stream.take(size)\n",
    ),
    "a doubled slash is no longer taken out": (
        "A.java",
        "class A { void go(StringBuilder to) { while (to.charAt(1) == '/') { to.deleteCharAt(0); } send(to); } }",
        "class A { void go(StringBuilder to) { send(to); } }",
    ),
    "a switch of a library is no longer set": (
        "app.py",
        "def render(doc):\n    doc.settings.allow_inclusion = False\n    return doc.render()\n",
        "def render(doc):\n    return doc.render()\n",
    ),
    "a class is no longer handed to the framework": (
        "app.py",
        "class Folder:\n    pass\n\nprotect_class(Folder)\n",
        "class Folder:\n    pass\n",
    ),
    "nothing takes the time of a comparison any more": (
        "A.java",
        "class A { U go(String n, String password) { try { return load(n); } catch (NotFound e) { "
        "ENCODER.compare(password, DUMMY); throw e; } } }",
        "class A { U go(String n, String password) { return load(n); } }",
    ),
    "what the program set is now set only where it was left out": (
        "app.py",
        "def bind(sent, cred):\n    sent['user'] = cred.user\n    return sent\n",
        "def bind(sent, cred):\n    if not sent.get('user'):\n        sent['user'] = cred.user\n    return sent\n",
    ),
    "another name of the same value is used": (
        "app.py",
        "def go(name):\n    plain = tidied(name)\n    log.info(name)\n    return open_it(plain)\n",
        "def go(name):\n    plain = tidied(name)\n    log.info(name)\n    return open_it(name)\n",
    ),
    "a value is no longer made better in place": (
        "A.java",
        "class A { void go(String url) { url = withoutMarks(url); follow(url); } }",
        "class A { void go(String url) { follow(url); } }",
    ),
    "a class is no longer derived from one that protects": (
        "app.py",
        "class Page(LoginRequiredMixin, View):\n    name = 'x'\n",
        "class Page(View):\n    name = 'x'\n",
    ),
    "a hardened reader gives way to the plain one in Java": (
        "A.java",
        "class A { Object go(In in) { return new HardenedReader(in).read(); } }",
        "class A { Object go(In in) { return new Reader(in).read(); } }",
    ),
    "the current directory is searched": (
        "app.py",
        "def places(home):\n    return [home]\n",
        "def places(home):\n    return [os.getcwd(), home]\n",
    ),
    "a value comes loose from its option": (
        "app.py",
        "def options(rev):\n    return [f'--rev={rev}', 'x']\n",
        "def options(rev):\n    return ['--rev', rev, 'x']\n",
    ),
    "the end of options is no longer marked": (
        "app.py",
        "def options(rev):\n    return ['show', '--', rev]\n",
        "def options(rev):\n    return ['show', rev]\n",
    ),
    "what was taken out stays in": (
        "app.py",
        "def name(s):\n    return s.replace('\\0', '_')\n",
        "def name(s):\n    return s.replace('\\0', '_\\0')\n",
    ),
    "TLS is left out in Java": (
        "A.java",
        'class A { static final String FROM = "https://files.example"; }',
        'class A { static final String FROM = "http://files.example"; }',
    ),
    "a name that a check finds bad is no longer replaced": (
        "app.py",
        "def out(name):\n    if has_traversal(name):\n        name = 'x'\n    write(name)\n",
        "def out(name):\n    write(name)\n",
    ),
    "a mark of safe text is put on a value": (
        "app.py",
        "def show(x):\n    return Markup('<b>{}</b>').format(x)\n",
        "def show(x):\n    return Markup('<b>{}</b>'.format(x))\n",
    ),
    "a careful function is no longer put in place": (
        "app.py",
        "RULES['format'] = safe_format\nRULES['title'] = title\n",
        "RULES['title'] = title\n",
    ),
    "the branch for the safe mode is gone": (
        "A.java",
        "class A { void go(boolean unsafe, P p) { if (!unsafe) { p.fetcher = new Empty(); } run(p, unsafe); } }",
        "class A { void go(boolean unsafe, P p) { run(p, unsafe); } }",
    ),
    "a name is no longer held against a pattern": (
        "app.py",
        "def order(item):\n    if '.' in item and NAME_PATTERN.match(item):\n        add(item)\n",
        "def order(item):\n    if '.' in item:\n        add(item)\n",
    ),
    "a check of a helper class is dropped in Java": (
        "A.java",
        "class A { void go(List o) { Git.checkOptions(o); run(o); } }",
        "class A { void go(List o) { run(o); } }",
    ),
    "a defused parser gives way to the plain one": (
        "app.py",
        "from xml.sax import handler\nfrom defusedxml.sax import make_parser\n",
        "from xml.sax import handler\nfrom xml.sax import make_parser\n",
    ),
    "a lock is no longer held": (
        "app.py",
        "def go(self):\n    with self.guarding:\n        self.count += 1\n",
        "def go(self):\n    self.count += 1\n",
    ),
    "a credential is sent to everybody": (
        "app.py",
        "def go(self, r):\n    if r.host == self.host:\n        r.headers['Authorization'] = self.auth\n",
        "def go(self, r):\n    r.headers['Authorization'] = self.auth\n",
    ),
    "a loop no longer ends with its input": (
        "app.py",
        "def skip(s):\n    c = s.read(1)\n    while c not in ('x', ''):\n        c = s.read(1)\n",
        "def skip(s):\n    c = s.read(1)\n    while c not in ('x',):\n        c = s.read(1)\n",
    ),
    "certificates are newly not verified": (
        "app.py",
        "def get(url):\n    return fetch(url)\n",
        "def get(url):\n    return fetch(url, verify=False)\n",
    ),
    "only safe members were passed": (
        "app.py",
        "def unpack(tar, path):\n    tar.put(path, members=safe_members(tar))\n",
        "def unpack(tar, path):\n    tar.put(path)\n",
    ),
    "how deep a call may go is no longer passed in Java": (
        "A.java",
        "class A { void walk(N n, int depth) { if (depth > 9) { throw new E(n); } walk(n.next(), depth + 1); } }",
        "class A { void walk(N n) { walk(n.next()); } }",
    ),
    "a cookie's attribute is no longer written": (
        "app.py",
        "def put(cookie, mode):\n    return '%s; SameSite=%s' % (cookie, mode)\n",
        "def put(cookie, mode):\n    return '%s' % cookie\n",
    ),
    "a protective call runs only in some cases": (
        "A.java",
        "class A { void go(Context c, Dir d) { c.set(d); c.setReadOnly(d); } }",
        "class A { void go(Context c, Dir d) { c.set(d); if (c instanceof Own) { ((Own) c).setReadOnly(d, 1); } } }",
    ),
    "a denial no longer comes first in Java": (
        "A.java",
        "class A { void add(Rule rule) { permissions.add(0, rule); } }",
        "class A { void add(Rule rule) { permissions.add(rule); } }",
    ),
    "control characters are no longer told apart in Java": (
        "A.java",
        "class A { void put(char c) { if (ok(c) && !Character.isISOControl(c)) { w.write(c); } } }",
        "class A { void put(char c) { if (ok(c)) { w.write(c); } } }",
    ),
}

KEPT: dict[str, Case] = {
    "a wrapper is renamed with all its uses": (
        "app.py",
        HELPER.format("tidied") + "def page(out, name):\n    out.put(tidied(name))\n",
        HELPER.format("cleaned") + "def page(out, name):\n    out.put(cleaned(name))\n",
    ),
    "a careful function is renamed with all its uses": (
        "app.py",
        HELPER.format("safe_mix") + "def page(out, name):\n    out.put(safe_mix(name))\n",
        HELPER.format("mix") + "def page(out, name):\n    out.put(mix(name))\n",
    ),
    "a wrapper moves into the function called": (
        "app.py",
        "def put(out, text):\n    out.write(text)\n\ndef page(out, name):\n    put(out, tidied(name))\n",
        "def put(out, text):\n    out.write(tidied(text))\n\ndef page(out, name):\n    put(out, name)\n",
    ),
    "a wrapper moves to where the value is made": (
        "A.java",
        "class A { void page(Out out, String name) { out.put(tidied(name), 200); } }",
        "class A { void page(Out out, String name) { String text = tidied(name); out.put(text, 200); } }",
    ),
    "a formatted string is written in another way": (
        "app.py",
        "def find(db, table, n):\n    return db.ask('select a from %s where n = ?' % table, n)\n",
        "def find(db, table, n):\n    return db.ask(f'select a from {table} where n = ?', n)\n",
    ),
    "a query text becomes a variable": (
        "A.java",
        'class A { R find(Db db, String n) { return db.ask("select a from t where n = ?", n); } }',
        'class A { R find(Db db, String n) { String q = "select a from t where n = ?"; return db.ask(q, n); } }',
    ),
    "an argument list is built in steps": (
        "app.py",
        "def go(self, path):\n    command = ['sync', '--to', path]\n    return self.start(command)\n",
        "def go(self, path):\n    command = ['sync', '--to']\n    command.append(path)\n    self.start(command)\n",
    ),
    "arguments are given as a dictionary": (
        "app.py",
        "def fetch(url, ca):\n    return call(url, cafile=ca, retries=3)\n",
        "def fetch(url, ca):\n    options = {'cafile': ca, 'retries': 3}\n    return call(url, **options)\n",
    ),
    "an error text is reworded": (
        "A.java",
        'class A { void go(Rsp rsp) { rsp.sendError(404, "no such command"); } }',
        'class A { void go(Rsp rsp) { rsp.sendError(404, "This command does not exist."); } }',
    ),
    "an error text becomes translatable": (
        "app.py",
        "def edit(item):\n    return 'not allowed', 403\n",
        "def edit(item):\n    return _('not allowed'), 403\n",
    ),
    "an exception's own text is improved": (
        "app.py",
        "def load(name):\n    raise LookupError('no such thing')\n",
        "def load(name):\n    raise LookupError(f'no such thing: {name}')\n",
    ),
    "a log line names another field": (
        "app.py",
        "def go(message):\n    log.info('got %s', message.kind)\n",
        "def go(message):\n    log.info('got %s by %s', message.kind, message.sender)\n",
    ),
    "a stronger choice": (
        "app.py",
        "class Tls:\n    protocol = 'TLSv1'\n",
        "class Tls:\n    protocol = 'TLSv1.3'\n",
    ),
    "a local name is changed throughout": (
        "app.py",
        "def go(name):\n    plain = tidied(name)\n    return open_it(plain)\n",
        "def go(name):\n    clean = tidied(name)\n    return open_it(clean)\n",
    ),
    "a value is made better in one expression": (
        "app.py",
        "def go(url):\n    url = without_marks(url)\n    return follow(url)\n",
        "def go(url):\n    return follow(without_marks(url))\n",
    ),
    "a base class is renamed": (
        "app.py",
        "class SafeView(View):\n    name = 'x'\n    kind = 'y'\n\nclass Page(SafeView):\n    pass\n",
        "class GuardedView(View):\n    name = 'x'\n    kind = 'y'\n\nclass Page(GuardedView):\n    pass\n",
    ),
    "a mark stays on fixed text": (
        "app.py",
        "def show(x):\n    return Markup('<b>{}</b>').format(x)\n",
        "def show(x):\n    text = Markup('<i>{}</i>')\n    return text.format(x)\n",
    ),
    "a list of careful functions is written at once": (
        "app.py",
        "RULES = {}\nRULES['format'] = safe_format\n",
        "RULES = {'format': safe_format}\n",
    ),
    "a pattern is asked beforehand": (
        "app.py",
        "def order(item):\n    if '.' in item and NAME_PATTERN.match(item):\n        add(item)\n",
        "def order(item):\n    fits = NAME_PATTERN.match(item)\n    if '.' in item and fits:\n        add(item)\n",
    ),
    "a file is read without a context": (
        "app.py",
        "def go(path):\n    with open(path) as f:\n        text = f.read()\n    return text\n",
        "def go(path):\n    f = open(path)\n    text = f.read()\n    f.close()\n    return text\n",
    ),
    "a credential is sent under the same condition in other words": (
        "app.py",
        "def go(self, r):\n    if r.host == self.host:\n        r.headers['Authorization'] = self.auth\n",
        "def go(self, r):\n    if r.host != self.host:\n        return\n    r.headers['Authorization'] = self.auth\n",
    ),
    "a tag is put in by a pattern": (
        "app.py",
        "def page(body, url):\n    return re.sub('(<head>)', base(url), body)\n",
        "def page(body, url):\n    return with_base(body, url)\n",
    ),
    "a pattern is spelled in another way": (
        "app.py",
        "import re\nVALID_NAME = re.compile(r'^[a-z\\-]{3,80}$')\n",
        "import re\nVALID_NAME = re.compile(r'^(?:-|[a-z]){3,80}$')\n",
    ),
    "a bound is kept by another function": (
        "app.py",
        "def take(stream, size):\n    if size > MOST:\n        size = MOST\n    return stream.take(size)\n",
        "def take(stream, size):\n    return stream.take(min(size, MOST))\n",
    ),
    "a salt is read in another way": (
        "app.py",
        "def token(self):\n    return make(self.salt, 3)\n",
        "def token(self):\n    return make(self.get_salt(), 3)\n",
    ),
    "a class is handed to the framework by a decorator": (
        "app.py",
        "class Folder:\n    pass\n\nprotect_class(Folder)\n",
        "@protect_class\nclass Folder:\n    pass\n",
    ),
    "a switch is set where the object is made": (
        "A.java",
        "class A { P make() { P p = new P(); p.setValidating(true); return p; } }",
        "class A { P make() { return configured(new P()); } P configured(P p) { p.setValidating(true); return p; } }",
    ),
    "a dictionary takes what the program made": (
        "app.py",
        "def ask(policy, made):\n    policy['target'] = made.target\n    return decide(policy)\n",
        "def ask(policy, made):\n    policy.update(made.attributes)\n    return decide(policy)\n",
    ),
}


@pytest.mark.parametrize("case", LOST.values(), ids=LOST.keys())
def test_loss_is_rejected(case: Case) -> None:
    path, before, after = case
    result = judge(before, after, path=path)
    assert result.status is LayerStatus.FAIL, result.violations
    assert judge(after, before, path=path).status is LayerStatus.PASS


@pytest.mark.parametrize("case", KEPT.values(), ids=KEPT.keys())
def test_refactoring_passes(case: Case) -> None:
    path, before, after = case
    result = judge(before, after, path=path)
    assert result.status is LayerStatus.PASS, result.violations

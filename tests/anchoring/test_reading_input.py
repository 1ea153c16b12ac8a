"""How input is read and given: loops, positions, trims, parsers, errors, parameters, copies."""

from __future__ import annotations

import pytest

from tests.anchoring.judged import assert_accepted, assert_rejected

Case = tuple[str, str, str]

SCAN = """
    class Scan {
        int bad(byte[] all, int from, int count) {
            int end = from + count;
            for (int i = from + 1; i < END; i++) {
                if (all[i] < 32) { return i; }
            }
            return -1;
        }
    }
    """
CUT = """
    class Cut {
        Part part(String text) {
            int at = text.indexOf('@');
            if (at > 0) {
                try { this.port = Integer.parseInt(text.substring(at)); } catch (NumberFormatException e) { BODY }
            }
            return made(text);
        }
    }
    """
WRITE = """
    class Writer {
        void text(String value) {
            for (char c : value.toCharArray()) {
                if (TEST) { out.write("\\\\u"); out.write(hex(c)); } else { out.write(c); }
            }
        }
    }
    """
NAMED = """
    class Subject {
        String user(String subject) {
            %s
            return null;
        }
    }
    """
PARSED = "for (Rdn part : new LdapName(subject).getRdns()) { if (part.getType().equals(USER)) { return part.text(); } }"
BY_HAND = 'for (String part : subject.split(",")) { if (part.startsWith(USER)) { return part.substring(4); } }'
VERIFY = """
    class Engine {
        void start(Socket socket) {
            SSLParameters given = socket.getSSLParameters();
            given.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(given);
        }
    }
    """

LOST: dict[str, Case] = {
    "a bound forgets its offset": ("Scan.java", SCAN.replace("END", "end"), SCAN.replace("END", "count")),
    "a range forgets its offset": (
        "app.py",
        "def bad(data, start, size):\n    return [i for i in data]\n\n\n"
        "def scan(data, start, size):\n    for i in range(start, start + size):\n        look(data[i])\n",
        "def bad(data, start, size):\n    return [i for i in data]\n\n\n"
        "def scan(data, start, size):\n    for i in range(start, size):\n        look(data[i])\n",
    ),
    "a loop became recursion": (
        "app.py",
        "def find(name):\n    while name:\n        if name in known:\n            return known[name]\n"
        "        name = name.rpartition('.')[0]\n    return None\n",
        "def find(name):\n    if not name or name in known:\n        return known.get(name)\n"
        "    return find(name.rpartition('.')[0])\n",
    ),
    "a host that had to end in a name may hold it": (
        "app.py",
        "def is_own(host):\n    return host.endswith('.shop.example')\n",
        "def is_own(host):\n    return '.shop.example' in host\n",
    ),
    "a mark is found in the middle of a line": (
        "Read.java",
        "class Read { void go() { while (true) { if (line.indexOf(END) == 0) { break; } keep(line); } } }",
        "class Read { void go() { while (true) { if (line.indexOf(END) != -1) { break; } keep(line); } } }",
    ),
    "more is cut off before the check": (
        "app.py",
        "def size(line):\n    digits = line.rstrip('\\t')\n    if not digits.isdigit():\n        raise BadSize()\n"
        "    return int(digits)\n",
        "def size(line):\n    digits = line.strip()\n    if not digits.isdigit():\n        raise BadSize(digits)\n"
        "    return int(digits)\n",
    ),
    "the message chooses the key that was given": (
        "app.py",
        "def check(message, key):\n    if key is None and 'own' in message:\n        key = message['own']\n"
        "    return verified(message, key)\n",
        "def check(message, key):\n    if 'own' in message:\n        key = message['own']\n"
        "    return verified(message, key)\n",
    ),
    "a changed copy is dropped": (
        "Engine.java",
        VERIFY,
        "class Engine { void start(Socket socket) { "
        'socket.getSSLParameters().setEndpointIdentificationAlgorithm("HTTPS"); } }',
    ),
    "control characters are no longer escaped": (
        "Writer.java",
        WRITE.replace("TEST", "c < 32 || c == '\"'"),
        WRITE.replace("TEST", "c == 0 || c == '\"'"),
    ),
    "a distinguished name is cut at commas": ("Subject.java", NAMED % PARSED, NAMED % BY_HAND),
    "a part that cannot be read is passed over": (
        "Cut.java",
        CUT.replace("BODY", "return null;"),
        CUT.replace("BODY", ""),
    ),
    "any name is looked up": (
        "Names.java",
        "class Names { Object find(Context context, String name) { return Names.lookupLocal(context, name); } }",
        "class Names { Object find(Context context, String name) { return context.lookup(name); } }",
    ),
    "a name in a scheme that loads code is looked up": (
        "Names.java",
        'class Names { Object find(String name) { if (name.startsWith("rmi:")) { return null; } return at(name); } }',
        "class Names { Object find(String name) { return at(name); } }",
    ),
    "an error is sent where the request says": (
        "app.py",
        "def client(request):\n    if request.client is None:\n        raise NoClient(state=request.state)\n"
        "    return checked(request)\n",
        "def client(request):\n    if request.client is None:\n"
        "        raise NoClient(state=request.state, redirect_uri=request.redirect_uri)\n    return checked(request)\n",
    ),
}

KEPT: dict[str, Case] = {
    "a bound is named": ("Scan.java", SCAN.replace("END", "end"), SCAN.replace("END", "from + count")),
    "a walk over a tree that was recursive before": (
        "app.py",
        "def walk(tree):\n    for part in tree:\n        for leaf in part:\n            walk(leaf)\n",
        "def walk(tree):\n    for leaf in leaves(tree):\n        walk(leaf)\n",
    ),
    "what is refused is looked for everywhere": (
        "app.py",
        "def read(name):\n    if name.startswith(MARK):\n        raise ValueError(name)\n    return take(name)\n",
        "def read(name):\n    if MARK in name:\n        raise ValueError(name)\n    return take(name)\n",
    ),
    "less is cut off before the check": (
        "app.py",
        "def size(line):\n    digits = line.strip()\n    if not digits.isdigit():\n        raise BadSize(digits)\n",
        "def size(line):\n    digits = line.rstrip()\n    if not digits.isdigit():\n        raise BadSize(digits)\n",
    ),
    "a parameter that was not given is filled under a nested test": (
        "app.py",
        "def check(message, key):\n    if key is None and 'own' in message:\n        key = message['own']\n"
        "    use(key)\n",
        "def check(message, key):\n    if not key:\n        if 'own' in message:\n            key = message['own']\n"
        "    use(key)\n",
    ),
    "a copy is put back elsewhere": (
        "Engine.java",
        VERIFY,
        "class Engine { void start(Socket socket) { socket.setSSLParameters(named(socket.getSSLParameters())); } "
        'SSLParameters named(SSLParameters p) { p.setEndpointIdentificationAlgorithm("HTTPS"); return p; } }',
    ),
    "the escape of a range moves to a function": (
        "app.py",
        "def text(value):\n    for c in value:\n        if c == '\"':\n            put('\\\\\"')\n"
        "        elif ord(c) < 32:\n            put('\\\\u' + hexed(c))\n"
        "        else:\n            put(c)\n",
        "def text(value):\n    for c in value:\n        if c == '\"':\n            put('\\\\\"')\n"
        "        else:\n            plain(c)\n\n\n"
        "def plain(c):\n    if ord(c) < 32:\n        put('\\\\u' + hexed(c))\n    else:\n        put(c)\n",
    ),
    "another parser": (
        "Subject.java",
        NAMED % PARSED,
        NAMED % PARSED.replace("new LdapName(subject)", "new X500Name(subject)"),
    ),
    "an error that ended a function by its handler falls to its end": (
        "app.py",
        "def number(text):\n    try:\n        return int(text)\n    except ValueError:\n        return None\n",
        "def number(text):\n    try:\n        return int(text)\n    except ValueError:\n        pass\n",
    ),
    "a helper that only looks up is inlined": (
        "Names.java",
        "class Names { Object find(Context context, String name) { return asked(context, name); } "
        "Object asked(Context context, String name) { return context.lookup(name); } }",
        "class Names { Object find(Context context, String name) { return context.lookup(name); } }",
    ),
}


@pytest.mark.parametrize("case", LOST.values(), ids=LOST.keys())
def test_loss_is_rejected_and_its_repair_passes(case: Case) -> None:
    path, before, after = case
    assert_rejected(before, after, path)
    assert_accepted(after, before, path)


@pytest.mark.parametrize("case", KEPT.values(), ids=KEPT.keys())
def test_the_same_in_other_words_passes(case: Case) -> None:
    path, before, after = case
    assert_accepted(before, after, path)

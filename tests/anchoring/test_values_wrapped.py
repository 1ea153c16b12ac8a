"""What made a value safe is dropped, or gives way to what does less."""

from __future__ import annotations

import pytest

from tests.anchoring.judged import assert_accepted, assert_rejected

LOST = {
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
    "a named argument that protects is dropped": (
        "app.py",
        "def fetch(url, ca):\n    return call(url, cafile=ca)\n",
        "def fetch(url, ca):\n    return call(url)\n",
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
    "what was taken out stays in": (
        "app.py",
        "def name(s):\n    return s.replace('\\0', '_')\n",
        "def name(s):\n    return s.replace('\\0', '_\\0')\n",
    ),
    "a name that a check finds bad is no longer replaced": (
        "app.py",
        "def out(name):\n    if has_traversal(name):\n        name = 'x'\n    write(name)\n",
        "def out(name):\n    write(name)\n",
    ),
}


@pytest.mark.parametrize(("path", "before", "after"), LOST.values(), ids=LOST.keys())
def test_loss_is_rejected(path: str, before: str, after: str) -> None:
    assert_rejected(before, after, path)
    assert_accepted(after, before, path)

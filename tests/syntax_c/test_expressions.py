"""C and C++ expressions in neutral form."""

from __future__ import annotations

import pytest

from scaffold_cli.syntax.outline import MAX_DEPTH
from tests.syntax_c.reading import expression


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("NULL", "constant:null"),
        ("a == NULL && !b || c", "or(and(compare:==(name:a, constant:null), not(name:b)), name:c)"),
        ("p->a.b", "attribute:b(attribute:a(name:p))"),
        ("*p + &q", "binary:+(unary:*(name:p), unary:&(name:q))"),
        ("a[i + 1]", "subscript(name:a, binary:+(name:i, number:1))"),
        ("a + b + c - d", "binary:-(binary:+(name:a, name:b, name:c), name:d)"),
        ("sizeof(struct s)", "call(name:sizeof, type:struct s)"),
        ("sizeof buf", "call(name:sizeof, name:buf)"),
        ("offsetof(struct s, a)", "call(name:offsetof, type:struct s, name:a)"),
        ("(char *)p", "cast:char *(name:p)"),
        ("f(a, b->c)", "call(name:f, name:a, attribute:c(name:b))"),
        ("o->cb(1)", "call(attribute:cb(name:o), number:1)"),
        ("a ? b : c", "conditional(name:a, name:b, name:c)"),
        ("a ?: c", "conditional(name:a, name:a, name:c)"),
        ("(fd = open(p)) < 0", "compare:<(assign:=(name:fd, call(name:open, name:p)), number:0)"),
        ("i++ + --j", "binary:+(unary:++(name:i), unary:--(name:j))"),
        ("(a, b, c)", "collection:tuple(name:a, name:b, name:c)"),
        ("(struct s){.a = 1, [2] = 3}", "call:new(name:struct s, keyword:a(number:1), pair(number:2, number:3))"),
        ("0x1FuL", "number:31"),
        ("017", "number:15"),
        ("0b101", "number:5"),
        ("-1", "number:-1"),
        ("1.50f", "number:1.5"),
        ("'a'", "string:a"),
        (r"'\n'", "string:\n"),
        (r'"\x41\101" "c"', "string:AAc"),
        ('"%" PRIu64 "x"', "format(string:%, name:PRIu64, string:x)"),
        ("FALSE", "constant:false"),
    ],
)
def test_c(source: str, expected: str) -> None:
    assert expression(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("nullptr", "constant:null"),
        ("a::b::c(1)", "call(attribute:c(attribute:b(name:a)), number:1)"),
        ("std::vector<a::b>::size", "attribute:size(attribute:vector(name:std))"),
        ("static_cast<int>(x)", "cast:int(name:x)"),
        ("new Foo(1, a)", "call:new(name:Foo, number:1, name:a)"),
        ("this->x", "attribute:x(name:this)"),
        ("a and not b", "and(name:a, not(name:b))"),
        ("max<int>(a, b)", "call(name:max, name:a, name:b)"),
        ("x.get<int>()", "call(attribute:get(name:x))"),
        ('R"x(a"b)x"', 'string:a"b'),
        ("1'000", "number:1000"),
        ("[&](int q) { return q; }", "lambda:f.<lambda1>"),
    ],
)
def test_cpp(source: str, expected: str) -> None:
    assert expression(source, "a.cpp") == expected


def test_what_lies_too_deep_is_kept_as_text() -> None:
    deep = expression("!f(" * (2 * MAX_DEPTH) + "a" + ")" * (2 * MAX_DEPTH))
    assert "other:(nested too deeply)" in deep


def test_a_long_chain_of_one_operator_is_not_deep() -> None:
    assert expression(" + ".join(["a"] * 2000)).count("name:a") == 2000

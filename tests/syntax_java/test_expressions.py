"""Java expressions in neutral form."""

from __future__ import annotations

import pytest

from scaffold_cli.syntax.outline import MAX_DEPTH
from tests.syntax_java.spelling import expression, read, spell_block, statements


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a", "name:a"),
        ("this.a.b", "attribute:b(attribute:a(name:this))"),
        ("((a))", "name:a"),
        ("null", "constant:null"),
        ("true", "constant:true"),
        ("a && b && (c && d)", "and(name:a, name:b, name:c, name:d)"),
        ("a || b && !c", "or(name:a, and(name:b, not(name:c)))"),
        ("a + b + (c + d) - e", "binary:-(binary:+(name:a, name:b, binary:+(name:c, name:d)), name:e)"),
        ("(a + b) + c", "binary:+(name:a, name:b, name:c)"),
        ("a < b == c", "compare:==(compare:<(name:a, name:b), name:c)"),
        ("a >>> 2 & ~b", "binary:&(binary:>>>(name:a, number:2), unary:~(name:b))"),
        ("a ? b : c", "conditional(name:a, name:b, name:c)"),
        ("y = z", "assign:=(name:y, name:z)"),
        ("y += z", "assign:+=(name:y, name:z)"),
        ("i++", "unary:++(name:i)"),
        ("--i", "unary:--(name:i)"),
        ("-1", "number:-1"),
        ("-a", "unary:-(name:a)"),
        ("a[1]", "subscript(name:a, number:1)"),
        ("f(a, 1)", "call(name:f, name:a, number:1)"),
        ("a.b(c).d()", "call(attribute:d(call(attribute:b(name:a), name:c)))"),
        ("a.<T>b()", "call(attribute:b(name:a))"),
        ("super.f()", "call(attribute:f(name:super))"),
        ("A.super.f()", "call(attribute:f(attribute:super(name:A)))"),
        ("A.this.b", "attribute:b(attribute:this(name:A))"),
        ("a.equals(b)", "call(attribute:equals(name:a), name:b)"),
        ("new a.B<>(c)", "call:new(attribute:B(name:a), name:c)"),
        ("a.new B()", "call:new(attribute:B(name:a))"),
        ("new int[2][]", "call:new(type:int[][], number:2)"),
        ("new int[] {1, 2}", "collection:array(number:1, number:2)"),
        ("(A & B) x", "cast:A&B(name:x)"),
        ("(List<? extends T>) x", "cast:List<? extends T>(name:x)"),
        ("!(boolean) x", "not(cast:boolean(name:x))"),
        ("x instanceof A", "compare:instanceof(name:x, type:A)"),
        ("x instanceof A a && a.b()", "and(compare:instanceof(name:x, type:A(name:a)), call(attribute:b(name:a)))"),
        (
            "x instanceof Point(int p, var q)",
            "compare:instanceof(name:x, type:Point(type:int(name:p), type:var(name:q)))",
        ),
        ("A::b", "attribute:b(name:A)"),
        ("int[]::new", "attribute:new(type:int[])"),
        ("A.class", "type:A"),
        ("int[].class", "type:int[]"),
        ("y -> y + 1", "lambda(binary:+(name:y, number:1), name:y)"),
        ("(y, z) -> y", "lambda(name:y, name:y, name:z)"),
        ("() -> { }", "lambda:A.f.<lambda1>"),
        (
            "switch (a) { case 1, 2 -> b; default -> throw c; }",
            "switch(name:a, pair(collection:tuple(number:1, number:2), name:b),"
            " pair(other:default, unary:throw(name:c)))",
        ),
        (
            "switch (a) { case P(int p) when p > 1 -> { g(); yield p; } case null, default -> 0; }",
            "switch(name:a, pair(and(type:P(type:int(name:p)), compare:>(name:p, number:1)), lambda:A.f.<case1>),"
            " pair(other:default, number:0))",
        ),
        (
            "switch (a) { case 1: case 2: yield b; default: yield c; }",
            "switch(name:a, pair(collection:tuple(number:1, number:2), name:b), pair(other:default, name:c))",
        ),
    ],
)
def test_expressions(source: str, expected: str) -> None:
    assert expression(source) == expected


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ("0x1FL", "31"),
        ("1_000", "1000"),
        ("017", "15"),
        ("0b11", "3"),
        ("0", "0"),
        ("1.50f", "1.5"),
        ("1e3", "1000.0"),
        (".5d", "0.5"),
        ("1f", "1.0"),
        ("0x1.8p1", "3.0"),
        ("0xFFFFFFFFFFFFFFFFL", "18446744073709551615"),
    ],
)
def test_numbers_have_one_spelling(literal: str, value: str) -> None:
    assert expression(literal) == f"number:{value}"


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ('"a"', "a"),
        ("'a'", "a"),
        (r'"\t\"\\\101\u0041\s"', '\t"\\AA '),
        (r'"\ud83d\ude00"', "\U0001f600"),
        ('"""\n      a\n        "b" \\\n      c\\n\n      """', 'a\n  "b" c\n\n'),
        ('"""\n    x"""', "x"),
    ],
)
def test_strings_hold_their_value(literal: str, value: str) -> None:
    assert expression(literal) == f"string:{value}"


def test_a_lambda_with_statements_becomes_a_function_of_its_own() -> None:
    found = read("class A { void f() { g(x -> { if (x) return; }, () -> { h(() -> { }); }); } }")
    assert [function.name for function in found.functions] == [
        "A.f",
        "A.f.<lambda1>",
        "A.f.<lambda2>",
        "A.f.<lambda2>.<lambda1>",
    ]
    first = found.functions[1]
    assert [param.name for param in first.params] == ["x"]
    assert spell_block(first.body) == ["if name:x", "  return", "--"]
    assert not first.is_public


def test_an_anonymous_class_is_listed_and_its_methods_stand_where_it_was_made() -> None:
    found = read("class A { void f() { g(new B(1) { int n = 2; public void h() { i(); } }); } }")
    assert [item.name for item in found.classes] == ["A", "A.f.<anonymous1>"]
    assert [function.name for function in found.functions] == ["A.f", "A.f.<anonymous1>.h"]
    assert statements("g(new B(1) { public void h() { } });") == [
        "expr call(name:g, call:new(name:B, number:1, lambda:A.f.<anonymous1>.h))"
    ]
    assert spell_block(found.classes[1].body) == ["assign = number:2; name:n", "function A.f.<anonymous1>.h"]


def test_long_chains_keep_their_shape_and_deep_nests_are_cut() -> None:
    assert expression(" + ".join(["a"] * 500)) == f"binary:+({', '.join(['name:a'] * 500)})"
    deep = expression("f(" * 400 + "a" + ")" * 400)
    assert deep.count("call(") == MAX_DEPTH
    assert "(nested too deeply)" in deep


def test_comments_between_the_parts_do_not_matter() -> None:
    assert expression("f(/* one */ a, // two\n b /* three */)") == "call(name:f, name:a, name:b)"
    assert expression("a /* x */ . /* y */ b /* z */ ()") == "call(attribute:b(name:a))"

"""Java statements in neutral form."""

from __future__ import annotations

import pytest

from tests.syntax_java.spelling import read, spell_block, statements


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("int a = 1, b[];", ["assign = number:1; name:a", "assign = constant:null; name:b"]),
        ("a.b = c;", ["assign = name:c; attribute:b(name:a)"]),
        ("a <<= 1;", ["assign <<= number:1; name:a"]),
        ("a = b = c;", ["assign = assign:=(name:b, name:c); name:a"]),
        ("i++;", ["expr unary:++(name:i)"]),
        (";;", []),
        ("{ a(); { b(); } }", ["expr call(name:a)", "expr call(name:b)"]),
        ("return a;", ["return name:a"]),
        ("throw new E(a);", ["raise call:new(name:E, name:a)"]),
        ("assert a : b;", ["assert name:a; name:b"]),
        ("x: while (a) { break x; }", ["loop while name:a", "  break x", "--"]),
        ("do a(); while (b);", ["loop do name:b", "  expr call(name:a)", "--"]),
        ("for (var a : b) c(a);", ["loop for name:a; name:b", "  expr call(name:c, name:a)", "--"]),
        (
            "for (int i = 0, j = 1; i < j; i++, j--) { continue; }",
            [
                "assign = number:0; name:i",
                "assign = number:1; name:j",
                "loop while compare:<(name:i, name:j)",
                "  continue",
                "  expr unary:++(name:i)",
                "  expr unary:--(name:j)",
                "--",
            ],
        ),
        ("for (;;) { }", ["loop while constant:true", "--"]),
        (
            "if (a) b(); else if (c) { } else if (d) e(); else f();",
            [
                "if name:a; name:c; name:d",
                "  expr call(name:b)",
                "--",
                "--",
                "  expr call(name:e)",
                "--",
                "  expr call(name:f)",
            ],
        ),
        ("if (a) ; else return;", ["if name:a", "--", "  return"]),
        (
            "try { a(); } catch (A | b.B e) { c(); } finally { d(); }",
            [
                "try",
                "  expr call(name:a)",
                "--",
                "  handler e name:A; attribute:B(name:b)",
                "    expr call(name:c)",
                "--",
                "--",
                "  expr call(name:d)",
            ],
        ),
        (
            "try (A a = open(); b; this.c) { d(); }",
            ["with assign:=(name:a, call(name:open)); name:b; attribute:c(name:this)", "  expr call(name:d)"],
        ),
        (
            "try (A a = open()) { } catch (E e) { }",
            ["try", "  with assign:=(name:a, call(name:open))", "--", "  handler e name:E", "--", "--"],
        ),
        ("synchronized (a) { b(); }", ["with synchronized name:a", "  expr call(name:b)"]),
        ("class B { }", ["class A.f.B"]),
        ("record B(int c) { } enum D { E } interface F { }", ["class A.f.B", "class A.f.D", "class A.f.F"]),
    ],
)
def test_statements(source: str, expected: list[str]) -> None:
    assert statements(source) == expected


OLD_SWITCH = "switch (a) { case 1: case 2: f(); break; case 3: { g(); return; } default: h(); }"
NEW_SWITCH = "switch (a) { case 1, 2 -> f(); case 3 -> { g(); return; } default -> h(); }"


def test_old_and_new_switches_have_one_shape() -> None:
    expected = [
        "switch name:a",
        "  case number:1; number:2",
        "    expr call(name:f)",
        "  case number:3",
        "    expr call(name:g)",
        "    return",
        "  case",
        "    expr call(name:h)",
    ]
    assert statements(OLD_SWITCH) == expected
    assert statements(NEW_SWITCH) == expected


def test_a_case_that_runs_on_into_the_next_says_so() -> None:
    assert statements("switch (a) { case 1: f(); case 2: g(); }") == [
        "switch name:a",
        "  case number:1",
        "    expr call(name:f)",
        "    other fallthrough",
        "  case number:2",
        "    expr call(name:g)",
    ]


def test_a_break_that_leaves_more_than_the_switch_is_kept() -> None:
    assert statements("x: while (a) { switch (b) { case 1: break x; } }") == [
        "loop while name:a",
        "  switch name:b",
        "    case number:1",
        "      break x",
        "--",
    ]


def test_patterns_and_guards_in_a_switch() -> None:
    assert statements("switch (a) { case A(var b) when b -> f(b); case B c -> g(c); case null, default -> { } }") == [
        "switch name:a",
        "  case guard type:A(type:var(name:b)); name:b",
        "    expr call(name:f, name:b)",
        "  case type:B(name:c)",
        "    expr call(name:g, name:c)",
        "  case",
    ]


def test_a_case_of_a_switch_expression_with_statements_is_a_function_that_returns() -> None:
    cases = "switch (a) { case 1 -> { if (b) yield 2; yield 3; } default -> 4; }"
    found = read(f"class A {{ int f() {{ int x = {cases}; return x; }} }}")
    assert found.functions[1].name == "A.f.<case1>"
    assert spell_block(found.functions[1].body) == ["if name:b", "  return number:2", "--", "return number:3"]


def test_a_switch_that_is_returned_has_cases_that_return() -> None:
    short = read(
        "class A { int f() { return switch (a) { case 1 -> 2; case 3 -> throw e; default -> { yield 4; } }; } }"
    )
    long = read("class A { int f() { switch (a) { case 1: return 2; case 3: throw e; default: return 4; } } }")
    assert spell_block(short.functions[0].body) == spell_block(long.functions[0].body)


def test_constructors_may_work_before_they_call_another() -> None:
    found = read('class A { A(int a) { if (a < 0) throw e; this(a, 1); } A() { f(); super("; this("); } }')
    assert found.problem is None
    assert [spell_block(function.body)[-1] for function in found.functions] == [
        "expr call(name:this, name:a, number:1)",
        "expr call(name:super, string:; this()",
    ]


def test_every_statement_has_its_lines() -> None:
    found = read("class A {\r\n  void f() {\r\n    if (a)\r\n      b();\r\n    return;\r\n  }\r\n}\r\n")
    spans = [(statement.line, statement.end_line) for statement in found.functions[0].body]
    assert spans == [(3, 4), (5, 5)]
    assert (found.functions[0].line, found.functions[0].end_line) == (2, 6)
    assert found.functions[0].body[0].blocks[0][0].exprs[0].line == 4
    assert found.text[2] == "    if (a)"

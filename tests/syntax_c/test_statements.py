"""C and C++ statements in neutral form."""

from __future__ import annotations

import pytest

from scaffold_cli.syntax.outline import StmtKind, walk
from tests.syntax_c.reading import function, statements


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("int a = 1, *b = g();", ["assign = number:1; name:a", "assign = call(name:g); name:b"]),
        ("char buf[10];", ["assign = constant:null; name:buf"]),
        ("char *p; p = g();", ["assign = call(name:g); name:p"]),
        ("a = b = c;", ["assign = name:c; name:a; name:b"]),
        ("p->n += 2;", ["assign += number:2; attribute:n(name:p)"]),
        ("a = 1, b = 2;", ["assign = number:1; name:a", "assign = number:2; name:b"]),
        ("i++;", ["expr unary:++(name:i)"]),
        ("if (a) b(); else if (c) { d(); } else e();",
         ["if name:a; name:c", "  expr call(name:b)", "--", "  expr call(name:d)", "--", "  expr call(name:e)"]),
        ("if (a) return NULL;", ["if name:a", "  return constant:null", "--"]),
        ("while (a) { if (b) break; continue; }",
         ["loop while name:a", "  if name:b", "    break", "  --", "  continue", "--"]),
        ("do { a(); } while (b);", ["loop do name:b", "  expr call(name:a)", "--"]),
        ("for (i = 0; i < n; i++) a();",
         ["assign = number:0; name:i", "loop while compare:<(name:i, name:n)", "  expr call(name:a)",
          "  expr unary:++(name:i)", "--"]),
        ("for (;;) { }", ["loop while constant:true", "--"]),
        ("switch (a) { case 1: case 2: b(); break; default: c(); }",
         ["switch name:a", "  case number:1; number:2", "    expr call(name:b)", "  case", "    expr call(name:c)"]),
        ("switch (a) { case 1: b(); case 2: c(); }",
         ["switch name:a", "  case number:1", "    expr call(name:b)", "    other fallthrough", "  case number:2",
          "    expr call(name:c)"]),
        ("assert(a < b);", ["assert compare:<(name:a, name:b)"]),
        ("BUG_ON(a);", ["assert not(name:a)"]),
        ("g_return_val_if_fail(a, NULL);", ["assert name:a; constant:null"]),
        ("RETURN_FALSE;", ["return constant:false"]),
        ("RETURN_STR(a);", ["return name:a"]),
        ("#if 0\na();\n#else\nb();\n#endif", ["expr call(name:b)"]),
        ("#ifdef A\na();\n#elif defined(B)\nb();\n#else\nc();\n#endif",
         ["expr call(name:a)", "expr call(name:b)", "expr call(name:c)"]),
    ],
)  # fmt: skip
def test_c(source: str, expected: list[str]) -> None:
    assert statements(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Foo x(a, 1); Foo y{b};",
         ["assign = call:new(name:Foo, name:a, number:1); name:x", "assign = collection:array(name:b); name:y"]),
        ("for (auto &x : xs) a(x);", ["loop for name:x; name:xs", "  expr call(name:a, name:x)", "--"]),
        ("if (auto z = g(); z) a();",
         ["assign = call(name:g); name:z", "if name:z", "  expr call(name:a)", "--"]),
        ("throw Bad(\"x\");", ["raise call(name:Bad, string:x)"]),
        ("try { a(); } catch (const E &e) { b(); } catch (...) { throw; }",
         ["try", "  expr call(name:a)", "--", "  handler e name:E", "    expr call(name:b)", "  handler", "    raise",
          "--", "--"]),
        ("auto [a, b] = g();", ["assign = call(name:g); collection:tuple(name:a, name:b)"]),
        ("delete p;", ["expr unary:delete(name:p)"]),
    ],
)  # fmt: skip
def test_cpp(source: str, expected: list[str]) -> None:
    assert statements(source, "a.cpp") == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("if (bad) return -1; return 0;", "raise number:-1"),
        ("if (bad) return -EINVAL; return 0;", "raise name:EINVAL"),
        ("if (bad) return ERR_PTR(-ENOMEM); return p;", "raise call(name:ERR_PTR, unary:-(name:ENOMEM))"),
        ("if (bad) { ret = -EPERM; return ret; } return 0;", "raise name:EPERM"),
        ("int ret = -EIO; if (bad) goto out; ret = 0; out: return ret;", "raise name:EIO"),
        ("int ret = -EIO; if (bad) goto out; a(); out: free(p); return ret;", "raise name:EIO"),
        ("if (bad) goto fail; return 0; fail: free(p); return r;", "raise name:fail"),
        ("if (bad) goto done; a(); done: return r;", "return name:r"),
        ("if (bad) goto err; return p; err: return NULL;", "return constant:null"),
        ("again: a(); if (bad) goto again; return 0;", "continue"),
        ("if (bad) return 5; return 0;", "return number:5"),
        ("if (bad) return -1; if (b) return 1; return 0;", "return number:-1"),
    ],
)
def test_ways_to_leave_a_function(source: str, expected: str) -> None:
    spelled = [line.strip() for line in statements(source)]
    assert expected in spelled[spelled.index("if name:bad") + 1 : spelled.index("--")]


def test_an_error_given_only_in_a_branch_is_not_what_the_function_returns() -> None:
    assert statements("int r = 0; if (a) r = -EIO; return r;")[-1] == "return name:r"
    assert statements("int r = -EIO; if (a) r = 0; return r;")[-1] == "return name:r"
    assert statements("int r = -EIO; if (a) b = 0; return r;")[-1] == "raise name:EIO"


def test_statements_know_their_lines() -> None:
    found = function("int f(void)\n{\n  if (a)\n    goto err;\n  return 0;\nerr:\n  return -1;\n}\n")
    assert [(one.kind, one.line, one.end_line) for one in walk(found.body)] == [
        (StmtKind.IF, 3, 4),
        (StmtKind.RAISE, 4, 4),
        (StmtKind.RETURN, 5, 5),
        (StmtKind.RAISE, 7, 7),
    ]

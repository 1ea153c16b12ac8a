"""Go in neutral form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold_cli.model.change import FileVersion
from scaffold_cli.syntax import go
from scaffold_cli.syntax.frontends import has_front_end, outline
from scaffold_cli.syntax.outline import Language, Outline
from tests.support.spelling import spell, spell_block, spell_class, spell_function


def read(source: str) -> Outline:
    return go.lower("a.go", source.encode())


def statements(source: str) -> list[str]:
    found = read(f"package p\nfunc f() {{\n{source}\n}}\n")
    assert found.problem is None, found.problem
    return spell_block(next(function for function in found.functions if function.name == "f").body)


def expression(source: str) -> str:
    found = read(f"package p\nvar v = {source}\n")
    assert found.problem is None, found.problem
    return spell(found.body[0].exprs[0])


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("nil", "constant:null"),
        ("a.b.c(d...)", "call(attribute:c(attribute:b(name:a)), unary:*(name:d))"),
        ("a == nil && !b || c", "or(and(compare:==(name:a, constant:null), not(name:b)), name:c)"),
        ("a + (b + c) + d", "binary:+(name:a, binary:+(name:b, name:c), name:d)"),
        ("^a", "unary:~(name:a)"),
        ("-1", "number:-1"),
        ("0x1F", "number:31"),
        ("017", "number:15"),
        ("0o17", "number:15"),
        ("1_000", "number:1000"),
        ("1.50", "number:1.5"),
        ("0x1p4", "number:16.0"),
        (r'"\t\x41\u0041\101\""', 'string:\tAAA"'),
        ("`raw\\n`", "string:raw\\n"),
        (r"'\n'", "string:\n"),
        ("a[1]", "subscript(name:a, number:1)"),
        ("a[1:]", "subscript(name:a, slice(number:1, constant:null, constant:null))"),
        ("a.(T)", "cast:T(name:a)"),
        ("[]byte(a)", "cast:[]byte(name:a)"),
        ("<-a", "unary:<-(name:a)"),
        ("&S{A: 1, b: c}", "unary:&(call:new(name:S, keyword:A(number:1), keyword:b(name:c)))"),
        ("p.S{1, 2}", "call:new(attribute:S(name:p), number:1, number:2)"),
        ('map[string]int{"a": 1, b: 2}', "collection:dict(pair(string:a, number:1), pair(name:b, number:2))"),
        ("[]S{{1}, {A: 2}}", "collection:array(collection:array(number:1), collection:dict(pair(name:A, number:2)))"),
        ("f(func(a int) { g() })", "call(name:f, lambda:<lambda1>)"),
        ("make([]int, 3)", "call(name:make, type:[]int, number:3)"),
    ],
)
def test_expressions(source: str, expected: str) -> None:
    assert expression(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a, err := g()", ["assign = call(name:g); collection:tuple(name:a, name:err)"]),
        ("a += 1", ["assign += number:1; name:a"]),
        ("a++", ["expr unary:++(name:a)"]),
        ("var a, b int", ["assign = constant:null; name:a", "assign = constant:null; name:b"]),
        ("var a, b = 1, 2", ["assign = number:1; name:a", "assign = number:2; name:b"]),
        ("var a, b = g()", ["assign = call(name:g); collection:tuple(name:a, name:b)"]),
        ("return nil, err", ["return collection:tuple(constant:null, name:err)"]),
        ("return", ["return"]),
        ("panic(a)", ["raise name:a"]),
        ("defer a.Close()", ["expr unary:defer(call(attribute:Close(name:a)))"]),
        ("a <- 1", ["expr binary:<-(name:a, number:1)"]),
        ("for { break }", ["loop while constant:true", "  break", "--"]),
        ("for a < b { continue }", ["loop while compare:<(name:a, name:b)", "  continue", "--"]),
        ("for k, v := range m { g(k) }",
         ["loop for collection:tuple(name:k, name:v); name:m", "  expr call(name:g, name:k)", "--"]),
        ("for i := 0; i < 1; i++ { }",
         ["assign = number:0; name:i", "loop while compare:<(name:i, number:1)", "  expr unary:++(name:i)", "--"]),
        ("if err := g(); err != nil { return err }",
         ["assign = call(name:g); name:err", "if compare:!=(name:err, constant:null)", "  return name:err", "--"]),
        ("if a { b() } else if c { d() } else { e() }",
         ["if name:a; name:c", "  expr call(name:b)", "--", "  expr call(name:d)", "--", "  expr call(name:e)"]),
        ("if a { } else if b, ok := c[d]; ok { e() }",
         ["if name:a", "--", "  assign = subscript(name:c, name:d); collection:tuple(name:b, name:ok)",
          "  if name:ok", "    expr call(name:e)", "  --"]),
        ("switch a { case 1, 2: g(); fallthrough; case 3: h(); default: }",
         ["switch name:a", "  case number:1; number:2", "    expr call(name:g)", "    other fallthrough",
          "  case number:3", "    expr call(name:h)", "  case"]),
        ("switch x := a.(type) { case int, *S: g(x); default: }",
         ["switch assign:=(name:x, name:a)", "  case type:int; type:*S", "    expr call(name:g, name:x)", "  case"]),
        ("select { case a := <-c: g(a); case c <- 1: }",
         ["switch select constant:null", "  case assign:=(name:a, unary:<-(name:c))",
          "    expr call(name:g, name:a)", "  case binary:<-(name:c, number:1)"]),
    ],
)  # fmt: skip
def test_statements(source: str, expected: list[str]) -> None:
    assert statements(source) == expected


def test_a_switch_without_a_subject_is_a_chain_of_conditions() -> None:
    chain = statements("if a { g() } else if b || c { return } else { h() }")
    assert statements("switch { case a: g(); case b, c: return; default: h() }") == chain
    assert statements("switch { case a: for { break }; default: h() }")[0] == "switch constant:true"


def test_methods_belong_to_their_receiver() -> None:
    found = read("package p\nfunc (s *Shop[T]) Buy(a, b int, c ...string) (int, error) { return 1, nil }\n")
    assert spell_function(found.functions[0])[0] == (
        "Shop.Buy ['s: *Shop[T] []', 'a: int []', 'b: int []', '...c: ...string []'] (int, error) [] 'Shop' [] True"
    )


def test_structs_and_interfaces() -> None:
    found = read(
        'package p\ntype S struct {\n T\n *q.U\n a, B int `json:"a"`\n}\ntype i interface {\n M(int) error\n}\n'
    )
    assert spell_class(found.classes[0]) == [
        "class S [[], ['name:T', 'attribute:U(name:q)']] [] True",
        '  annotation string:json:"a"; name:a',
        "  assign = constant:null; name:a",
        '  annotation string:json:"a"; name:B',
        "  assign = constant:null; name:B",
    ]
    assert spell_class(found.classes[1]) == ["interface i [[], []] [] False", "  function i.M"]
    assert spell_function(found.functions[0])[0] == "i.M ['_: int []'] error ['abstract'] 'i' [] False"


def test_capital_letters_make_names_public() -> None:
    found = read(
        "package p\nfunc A() {}\nfunc b() {}\nfunc (c C) D() {}\nfunc (e e) F() {}\nfunc G() { h := func() {}; h() }"
    )
    assert {function.name for function in found.functions if function.is_public} == {"A", "C.D", "G"}
    assert "G.h" in {function.name for function in found.functions}


def test_imports() -> None:
    found = read('package p\nimport (\n "fmt"\n m "a/b"\n . "c"\n "d/e/v2"\n "gopkg.in/yaml.v3"\n)\nimport "f/g"\n')
    assert [item[:3] for item in found.imports] == [
        ("fmt", "fmt", ""),
        ("m", "a/b", ""),
        ("*", "c", "*"),
        ("e", "d/e/v2", ""),
        ("yaml", "gopkg.in/yaml.v3", ""),
        ("g", "f/g", ""),
    ]


def test_a_function_alone_can_be_read_and_bad_source_is_a_problem_with_its_line() -> None:
    assert read("func f(a int) int { return a }").functions[0].name == "f"
    found = read("package p\n\nfunc f() { a := }\n")
    assert found.problem is not None
    assert found.problem.startswith("line 3: ")


TOKENS = """
package p func f ( ) { } [ ] ; , . := = == + - * & ! <- : ... 1 'c' "s" `r` if else for range switch case default select
defer go return break continue fallthrough goto var const type struct interface map chan import nil int
"""


@given(st.lists(st.sampled_from([*TOKENS.split(), "\n"]), max_size=50))
def test_no_run_of_tokens_makes_it_fail(pieces: list[str]) -> None:
    go.lower("a.go", " ".join(pieces).encode())
    go.lower("a.go", f"package p\nfunc f() {{ {' '.join(pieces)} }}\n".encode())


@given(st.binary(max_size=200))
def test_no_bytes_make_it_fail(data: bytes) -> None:
    go.lower("a.go", data)


def test_go_files_find_their_front_end() -> None:
    assert has_front_end(Language.GO)
    assert outline(FileVersion("a/b.go", b"package p\nfunc F() {}\n")).functions[0].name == "F"

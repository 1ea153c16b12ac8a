"""JavaScript and TypeScript in neutral form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold_cli.model.change import FileVersion
from scaffold_cli.syntax import javascript
from scaffold_cli.syntax.frontends import has_front_end, outline
from scaffold_cli.syntax.outline import Language, Outline
from tests.support.spelling import spell, spell_block, spell_class, spell_function


def read(source: str, path: str = "a.js") -> Outline:
    return javascript.lower(path, source.encode())


def expression(source: str, path: str = "a.js") -> str:
    found = read(f"v = {source};", path)
    assert found.problem is None, found.problem
    return spell(found.body[0].exprs[0])


def statements(source: str) -> list[str]:
    found = read(source)
    assert found.problem is None, found.problem
    return spell_block(found.body)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("undefined", "constant:null"),
        ("null", "constant:null"),
        ("a === b", "compare:==(name:a, name:b)"),
        ("a !== b", "compare:!=(name:a, name:b)"),
        ("a in b", "compare:in(name:a, name:b)"),
        ("a instanceof B", "compare:instanceof(name:a, name:B)"),
        ("a && b && !c || d", "or(and(name:a, name:b, not(name:c)), name:d)"),
        ("a ?? b", "binary:??(name:a, name:b)"),
        ("a + (b + c) + d", "binary:+(name:a, binary:+(name:b, name:c), name:d)"),
        ("a?.b?.[c]?.(d)", "call(subscript(attribute:b(name:a), name:c), name:d)"),
        ("`a ${b} c`", "format(string:a , name:b, string: c)"),
        ("`plain`", "string:plain"),
        (r"'\u0041\x41\u{41}\'\n'", "string:AAA'\n"),
        ("0x1F", "number:31"),
        ("1_000n", "number:1000"),
        ("-1.50", "number:-1.5"),
        ("/a\\/b+/gi", "call:new(name:RegExp, string:a\\/b+, string:gi)"),
        ("new RegExp('x', 'g')", "call:new(name:RegExp, string:x, string:g)"),
        ("new Foo", "call:new(name:Foo)"),
        ("typeof a", "unary:typeof(name:a)"),
        ("{a, b: 1, 'c': 2, [d]: 3, ...e}", "collection:dict(pair(string:a, name:a), pair(string:b, number:1),"
         " pair(string:c, number:2), pair(name:d, number:3), unary:**(name:e))"),
        ("[1, ...b]", "collection:array(number:1, unary:*(name:b))"),
        ("f(x => x + 1)", "call(name:f, lambda(binary:+(name:x, number:1), name:x))"),
        ("f(function () { g(); })", "call(name:f, lambda:<lambda1>)"),
        ("await a.b()", "unary:await(call(attribute:b(name:a)))"),
        ("a ? b : c", "conditional(name:a, name:b, name:c)"),
        ("<a href={b} c>d<e/></a>", "call(name:a, keyword:href(name:b), keyword:c(constant:true), string:d,"
         " call(name:e))"),
    ],
)  # fmt: skip
def test_expressions(source: str, expected: str) -> None:
    assert expression(source) == expected


def test_the_types_of_typescript() -> None:
    assert expression("a as string", "a.ts") == "cast:string(name:a)"
    assert expression("<any>a", "a.ts") == "cast:any(name:a)"
    assert expression("a!", "a.ts") == "name:a"
    assert expression("a satisfies B", "a.ts") == "name:a"
    assert expression("{} as const", "a.ts") == "collection:dict"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("'use strict'; ;", ["empty"]),
        ("let a = 1, b;", ["assign = number:1; name:a", "assign = constant:null; name:b"]),
        ("a, b = 1;", ["expr name:a", "assign = number:1; name:b"]),
        ("a ??= b;", ["assign ??= name:b; name:a"]),
        ("delete a.b;", ["delete attribute:b(name:a)"]),
        ("if (a) b(); else if (c) {} else d();",
         ["if name:a; name:c", "  expr call(name:b)", "--", "--", "  expr call(name:d)"]),
        ("for (let i = 0; i < 1; i++) {}",
         ["assign = number:0; name:i", "loop while compare:<(name:i, number:1)", "  expr unary:++(name:i)", "--"]),
        ("for (;;) ;", ["loop while constant:true", "--"]),
        ("for (const a of b) c(a);", ["loop for name:a; name:b", "  expr call(name:c, name:a)", "--"]),
        ("for (const a in b) ;", ["loop for name:a; call(attribute:keys(name:Object), name:b)", "--"]),
        ("try { a(); } catch (e) { throw e; } finally { b(); }",
         ["try", "  expr call(name:a)", "--", "  handler e", "    raise name:e", "--", "--", "  expr call(name:b)"]),
        ("switch (a) { case 1: case 2: f(); break; case 3: g(); default: h(); }",
         ["switch name:a", "  case number:1; number:2", "    expr call(name:f)", "  case number:3",
          "    expr call(name:g)", "    other fallthrough", "  case", "    expr call(name:h)"]),
    ],
)  # fmt: skip
def test_statements(source: str, expected: list[str]) -> None:
    assert statements(source) == expected


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("function f(a) { return a; }", "f"),
        ("const f = function (a) { return a; };", "f"),
        ("const f = a => a;", "f"),
        ("exports.f = (a) => { return a; };", "f"),
        ("module.exports.f = function (a) { return a; };", "f"),
        ("const o = { f(a) { return a; } };", "o.f"),
        ("module.exports = { f: a => a };", "f"),
        ("O.prototype.f = function (a) { return a; };", "O.f"),
        ("class C { f(a) { return a; } }", "C.f"),
        ("class C { static f = (a) => a; }", "C.f"),
    ],
)
def test_a_function_has_one_shape_however_it_gets_its_name(source: str, name: str) -> None:
    (function,) = read(source).functions
    assert function.name == name
    assert [param.name for param in function.params] == ["a"]
    assert spell_block(function.body) == ["return name:a"]
    assert function.is_public


def test_a_class_of_typescript() -> None:
    source = """
    @Component({a: 1})
    export class S<T> extends B<T> implements I {
      private readonly x: string = 'a';
      @Input() y!: number;
      constructor(private a: A, @Inject(B) b?: string) { super(); }
      @Guard(C) async m(this: S, x = 1, ...y: T[]): Promise<void> { }
      protected abstract n(): void;
      #p() { }
    }"""
    found = read(source, "a.ts")
    assert spell_class(found.classes[0]) == [
        "class S [['call(name:Component, collection:dict(pair(string:a, number:1)))'], ['name:B', 'name:I']] [] True",
        "  assign = string:a; name:x",
        "  annotation call(name:Input); name:y",
        "  assign = constant:null; name:y",
        "  function S.constructor",
        "  function S.m",
        "  function S.n",
        "  function S.#p",
    ]
    heads = {function.name: spell_function(function)[0] for function in found.functions}
    assert heads["S.constructor"] == (
        "S.constructor ['a: A []', \"b: string ['call(name:Inject, name:B)']\"]  [] 'S' [] True"
    )
    assert heads["S.m"] == (
        "S.m ['x:  []', '...y: T[] []'] Promise<void> ['async'] 'S' ['call(name:Guard, name:C)'] True"
    )
    assert [function.is_public for function in found.functions if function.name in ("S.n", "S.#p")] == [False, False]


def test_in_a_module_only_what_is_exported_is_public() -> None:
    found = read(
        "export function a() {}\nfunction b() {}\nfunction c() {}\nexport { c as d };\nexport class E { f() {} }"
    )
    assert {function.name for function in found.functions if function.is_public} == {"a", "c", "E.f"}


def test_imports_of_every_kind() -> None:
    found = read(
        "import a, {b as c} from './m'; import * as d from 'n'; import 'side';\n"
        "const e = require('o'), {f, g: h} = require('p');"
    )
    assert [item[:3] for item in found.imports] == [
        ("a", "./m", "default"),
        ("c", "./m", "b"),
        ("d", "n", ""),
        ("e", "o", ""),
        ("f", "p", "f"),
        ("h", "p", "g"),
    ]


@pytest.mark.parametrize(
    ("source", "path"),
    [
        ("async load(a) { return this.get(a); }", "a.js"),
        ("// @flow\ntype A = { a: string };\nfunction f(a: A): number { return 1; }", "a.js"),
        ("const a = <T,>(x: T) => <b>{x}</b>;", "a.tsx"),
        ("interface A { f(): void }\nenum B { C = 'c' }\nnamespace N { export const d = 1; }", "a.ts"),
        ("#!/usr/bin/env node\nf();", "a.js"),
    ],
)
def test_more_than_plain_programs_can_be_read(source: str, path: str) -> None:
    assert read(source, path).problem is None


def test_bad_source_is_a_problem_with_its_line() -> None:
    found = read("f();\nlet = = 1;\n")
    assert found.problem is not None
    assert found.problem.startswith("line 2: ")


@given(st.text(max_size=120), st.sampled_from(["a.js", "a.ts", "a.tsx"]))
def test_no_text_makes_it_fail(source: str, path: str) -> None:
    javascript.lower(path, source.encode("utf-8", "surrogatepass"))


TOKENS = """
a b function class => ( ) { } [ ] ; , . = === + - ! ? : ... ` ${ 1 'c' /x/ new this super if else for while do switch
case default try catch finally return throw yield await async import from export const let static get delete < > @
"""


@given(st.lists(st.sampled_from(TOKENS.split()), max_size=40), st.sampled_from(["a.js", "a.ts", "a.tsx"]))
def test_no_run_of_tokens_makes_it_fail(pieces: list[str], path: str) -> None:
    javascript.lower(path, " ".join(pieces).encode())


@pytest.mark.parametrize("path", ["a.js", "b/a.mjs", "a.tsx", "a.ts"])
def test_files_find_their_front_end(path: str) -> None:
    found = outline(FileVersion(path, b"function f() { }"))
    assert has_front_end(found.language)
    assert found.language is (Language.TYPESCRIPT if ".ts" in path else Language.JAVASCRIPT)
    assert found.functions[0].name == "f"

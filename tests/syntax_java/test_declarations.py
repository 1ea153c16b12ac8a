"""Java classes and members in neutral form."""

from __future__ import annotations

import pytest

from tests.syntax_java.spelling import read, spell, spell_block, spell_class, spell_function, spell_outline


def test_a_class_with_everything_on_its_head() -> None:
    found = read("@A @b.B(1) public sealed abstract class C<T> extends D<T> implements e.E, F permits G, H { }")
    assert spell_class(found.classes[0]) == [
        "class C [['name:A', 'call(attribute:B(name:b), number:1)'],"
        " ['name:D', 'attribute:E(name:e)', 'name:F', 'keyword:permits(name:G, name:H)']]"
        " ['abstract', 'public', 'sealed'] True"
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("@A class C { }", "name:A"),
        ("@A() class C { }", "name:A"),
        ('@A("x") class C { }', "call(name:A, string:x)"),
        (
            "@A(a = 1, b = {B.C, D.class}) class C { }",
            "call(name:A, keyword:a(number:1), keyword:b(collection:array(attribute:C(name:B), type:D)))",
        ),
        ("@A({}) class C { }", "call(name:A, collection:array)"),
        ("@A(@B(1)) class C { }", "call(name:A, call(name:B, number:1))"),
        ('@A("x" + C.D) class C { }', "call(name:A, binary:+(string:x, attribute:D(name:C)))"),
    ],
)
def test_annotations(source: str, expected: str) -> None:
    assert spell(read(source).classes[0].decorators[0]) == expected


def test_methods_with_their_parameters() -> None:
    method = "@B protected static <T> T[] f(@C final Map<K, ? extends V>[] a, int b[], T... c) { }"
    found = read(f"public class A {{ {method} }}")
    assert spell_function(found.functions[0]) == [
        "A.f [\"a: Map<K,? extends V>[] ['name:C']\", 'b: int[] []', '...c: T... []'] T[]"
        " ['protected', 'static'] 'A' ['name:B'] True"
    ]


def test_receivers_are_no_parameters_and_missing_bodies_are_abstract() -> None:
    found = read("abstract class A { void f(A this, int b); native void g(); }")
    assert [spell_function(function)[0] for function in found.functions] == [
        "A.f ['b: int []'] void ['abstract'] 'A' [] False",
        "A.g [] void ['native'] 'A' [] False",
    ]


def test_fields_initializers_and_their_annotations() -> None:
    found = read("class A { @B @C(1) int a = 1, b; static { f(); } { g(); } }")
    assert spell_block(found.classes[0].body) == [
        "annotation name:B; name:a",
        "annotation call(name:C, number:1); name:a",
        "assign = number:1; name:a",
        "annotation name:B; name:b",
        "annotation call(name:C, number:1); name:b",
        "assign = constant:null; name:b",
        "expr call(name:f)",
        "expr call(name:g)",
    ]


def test_a_record_has_its_components_and_its_compact_constructor() -> None:
    found = read("public record R(@A int a, String... b) implements I { public R { if (a < 0) throw e; } }")
    assert spell_class(found.classes[0]) == [
        "record R [[], ['name:I']] ['public'] True",
        "  annotation name:A; name:a",
        "  assign = constant:null; name:a",
        "  assign = constant:null; name:b",
        "  function R.<init>",
    ]
    assert spell_function(found.functions[0])[0] == (
        "R.<init> [\"a: int ['name:A']\", '...b: String... []']  ['public'] 'R' [] True"
    )


def test_an_enum_has_constants_that_are_made() -> None:
    found = read("enum E { A, @X B(1) { void f() { } }; int c; E() { } }")
    assert spell_block(next(item for item in found.classes if item.name == "E").body) == [
        "assign = call:new(name:E); name:A",
        "annotation name:X; name:B",
        "assign = call:new(name:E, number:1, lambda:E.<anonymous1>.f); name:B",
        "assign = constant:null; name:c",
        "function E.<init>",
    ]


def test_an_annotation_type_has_elements_with_defaults() -> None:
    found = read('@interface A { String a() default "x"; int[] b(); }')
    assert found.classes[0].kind == "annotation"
    assert [spell_function(function) for function in found.functions] == [
        ["A.a [] String [] 'A' [] False", "  return string:x"],
        ["A.b [] int[] ['abstract'] 'A' [] False"],
    ]


def test_what_is_public() -> None:
    found = read(
        "public class A { public void a() { class L { public void l() { } } } protected void b() { } void c() { } "
        "private class P { public void p() { } } public interface I { void i(); private void j() { } "
        "class N { public void n() { } void m() { } } } } class Q { public void q() { } }"
    )
    public = {function.name for function in found.functions if function.is_public}
    assert public == {"A.a", "A.b", "A.I.i", "A.I.N.n"}
    assert {item.name for item in found.classes if item.is_public} == {"A", "A.I", "A.I.N"}


def test_imports() -> None:
    found = read("package p; import a.b.C; import a.d.*; import static a.b.C.e; import static a.b.C.*; class A { }")
    assert [item[:3] for item in found.imports] == [
        ("C", "a.b", "C"),
        ("*", "a.d", "*"),
        ("e", "a.b.C", "e"),
        ("*", "a.b.C", "*"),
    ]


def test_a_module_declaration_keeps_its_directives() -> None:
    found = read("open module a.b { requires transitive c.d; exports e to f; }")
    assert spell_outline(found) == [
        "module a.b [[], []] [] True",
        "  other requires transitive c.d",
        "  other exports e to f",
        "class a.b",
    ]


def test_a_compact_source_file_has_methods_at_the_top() -> None:
    found = read("void main() { IO.println(1); }")
    assert spell_outline(found)[-1] == "function main"
    assert found.functions[0].owner == ""


@pytest.mark.parametrize(
    "source",
    ["public A(int a) { this.a = a; }\n@B int f() { return 1; }", "private int a = 1;\nprotected A() { super(); }"],
)
def test_members_without_a_class_are_read_as_they_stand(source: str) -> None:
    found = read(source)
    assert found.problem is None
    assert "<init>" in {function.name for function in found.functions}
    assert found.body
    assert min(function.line for function in found.functions) in (1, 2)

"""C and C++ declarations in neutral form."""

from __future__ import annotations

from tests.support.spelling import spell_block, spell_class, spell_function
from tests.syntax_c.reading import function, read


def test_a_static_function() -> None:
    found = function("static inline const char *f(const struct s *a, int b[], unsigned, ...) { return a; }")
    assert spell_function(found)[0] == (
        "f ['a: const struct s * []', 'b: int [] []', '_: unsigned []', '...: ... []'] "
        "char ['const', 'inline', 'static'] '' [] False"
    )


def test_the_old_style_of_parameters() -> None:
    found = function("int f(a, b) int a; char *b; { return a; }")
    assert [(param.name, param.type) for param in found.params] == [("a", "int"), ("b", "char")]


def test_a_function_without_a_result_type() -> None:
    found = read("f(const char *a,\n  int b)\n{\n  return 0;\n}\n")
    assert [(one.name, one.line, one.end_line) for one in found.functions] == [("f", 1, 5)]


def test_names_that_declarators_wrap() -> None:
    found = read("char **f(void) { } int (*g(int a))(int) { } int (h)(int a) { } PHP_FUNCTION(k) { }\nCB(a, b) { }")
    assert [one.name for one in found.functions] == ["f", "g", "h", "PHP_FUNCTION(k)", "CB(a, b)"]


def test_structs_unions_and_enums() -> None:
    found = read("struct s { int a; char *b; }; typedef struct { int c; } t; enum e { A = 1, B }; union u { int d; };")
    assert [one.name for one in found.classes] == ["s", "t", "e", "u"]
    assert spell_block(found.classes[0].body) == ["assign = constant:null; name:a", "assign = constant:null; name:b"]
    assert spell_block(found.classes[2].body) == ["assign = number:1; name:A", "assign = constant:null; name:B"]


def test_prototypes_and_mentions_of_types_define_nothing() -> None:
    found = read("int f(int a); extern int g(void); struct s *p; typedef int t;")
    assert (found.functions, found.classes) == ((), ())


def test_includes_and_macros() -> None:
    found = read('#include <a/b.h>\n#include "c.h"\n#define MAX (4096u)\n#define NAME "x"\n#define F(x) ((x) + 1)\n')
    assert [one.module for one in found.imports] == ["a/b.h", "c.h"]
    assert [line for line in spell_block(found.body) if line != "empty"] == [
        "assign = number:4096; name:MAX",
        "assign = string:x; name:NAME",
        "assign = other:((x) + 1); name:F",
    ]


def test_a_class() -> None:
    found = read(
        "class A : public B {\n  int x = 3;\npublic:\n  A(int y) : x(y) { a(); }\n"
        "  virtual int f() const { return 1; }\nprivate:\n  int g() { return 2; }\n};\nint A::h(int a) { return a; }\n",
        "a.cpp",
    )
    assert spell_class(found.classes[0])[0] == "class A [[], ['name:B']] [] True"
    assert [(one.name, one.owner, one.is_public) for one in found.functions] == [
        ("A.A", "A", True),
        ("A.f", "A", True),
        ("A.g", "A", False),
        ("A.h", "A", True),
    ]
    assert spell_block(found.functions[0].body) == ["assign = name:y; name:x", "expr call(name:a)"]


def test_namespaces_templates_and_linkage() -> None:
    found = read(
        'namespace a::b { int f() {} namespace { int g() {} } }\nextern "C" { int h() {} }\n'
        "template <class T> T k(T a, T b = 2) { return a; }\nint n::C<int>::m() {}\n",
        "a.cc",
    )
    assert [(one.name, one.is_public) for one in found.functions] == [
        ("f", True), ("g", False), ("h", True), ("k", True), ("n.C.m", True),
    ]  # fmt: skip


def test_a_lambda_is_listed_under_the_variable_that_holds_it() -> None:
    found = read("void f() { auto check = [&](int q) { if (q) return 1; return 2; }; }", "a.cpp")
    assert [one.name for one in found.functions] == ["f", "f.check"]


def test_a_header_may_be_cpp() -> None:
    assert [one.name for one in read("namespace a { class B { public: int f() { return 1; } }; }", "a.h").classes] == [
        "B"
    ]

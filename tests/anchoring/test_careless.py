"""Careless C beside the same with what it lacks."""

from __future__ import annotations

import pytest

from scaffold_cli.anchoring.careless import careless
from scaffold_cli.model.change import FileVersion

PAIRS: dict[str, tuple[str, str, str]] = {
    "memory nobody asked for": (
        "EXP34-C",
        "char *f(void) { char *name = (char *)malloc(9); name[0] = 'a'; return name; }",
        "char *f(void) { char *name = (char *)malloc(9); if (!name) return NULL; name[0] = 'a'; return name; }",
    ),
    "memory handed to the library unasked": (
        "EXP34-C",
        "struct box *f(const char *t) { struct box *b = calloc(1, sizeof *b); b->size = 3; return b; }",
        "struct box *f(const char *t) { struct box *b = calloc(1, sizeof *b); return b ? g(b) : NULL; }",
    ),
    "a branch that frees and goes on": (
        "MEM30-C",
        "int f(char *p, int bad) { if (bad) { free(p); } return p[0]; }",
        "int f(char *p, int bad) { if (bad) { free(p); return -1; } return p[0]; }",
    ),
    "freed twice": (
        "MEM30-C",
        "void f(char *p) { free(p); log_it(1); free(p); }",
        "void f(char *p) { free(p); p = NULL; free(p); }",
    ),
    "an address handed out, then freed": (
        "MEM01-C",
        "int f(char **out) { char *p = take(); *out = p; if (g(p)) { free(p); return -1; } return 0; }",
        "int f(char **out) { char *p = take(); *out = p; if (g(p)) { free(p); *out = NULL; return -1; } return 0; }",
    ),
    "a copy to the end of the text": (
        "STR31-C",
        "void f(char *to, const char *from) { strcpy(to, from); }",
        'void f(char *to, const char *from) { if (strlen(from) < 9) strcpy(to, from); strcat(to, "!"); }',
    ),
    "a word of any length": (
        "STR31-C",
        'void f(char *to) { scanf("%s", to); }',
        'void f(char *to) { scanf("%9s %d", to, &n); sprintf(to, "fixed"); }',
    ),
    "a length out of the data": (
        "ARR38-C",
        "void f(char *to, const char *p) { size_t n = p[0]; memcpy(to, p + 1, n); }",
        "void f(char *to, const char *p, size_t room) { size_t n = p[0]; if (n > room) return; memcpy(to, p + 1, n); }",
    ),
    "an index with an end and no beginning": (
        "ARR30-C",
        "int f(const int *all, int at, int n) { if (at >= n) return -1; return all[at]; }",
        "int f(const int *all, int at, int n) { if (at < 0 || at >= n) return -1; return all[at]; }",
    ),
    "an index cast to what has no sign": (
        "ARR30-C",
        "int f(const int *all, int at, int n) { return all[at - 1]; }",
        "int f(const int *all, int at, size_t n) { return (size_t)at < n ? all[at] : -1; }",
    ),
    "a sum of what comes from outside": (
        "INT32-C",
        "int f(const char *t) { return atoi(t) * 60; }",
        "int f(const char *t) { int n = atoi(t); return n > 0 && n < 1000 ? n * 60 : 0; }",
    ),
    "a large number added unasked": (
        "INT32-C",
        "int f(int n) { return n + 1000000; }",
        "int f(int n) { if (n > INT_MAX - 1000000) return -1; return n + 1000000; }",
    ),
    "the last character of an empty text": (
        "ARR30-C",
        "void f(char *t) { t[strlen(t) - 1] = 0; }",
        "void f(char *t) { if (*t) t[strlen(t) - 1] = 0; }",
    ),
}


def found(code: str, path: str = "a.c") -> list[str]:
    return [place.rule for place in careless(FileVersion(path, code.encode()))]


@pytest.mark.parametrize(("rule", "careless_code", "careful"), PAIRS.values(), ids=PAIRS.keys())
def test_what_is_missing_is_seen_and_what_is_there_too(rule: str, careless_code: str, careful: str) -> None:
    assert found(careless_code) == [rule]
    assert found(careful) == []


def test_what_is_not_evaluated_is_not_used() -> None:
    assert found("void *f(void) { struct b *p = malloc(8); size_t n = sizeof(p->name); return p; }") == []


def test_other_languages_are_passed_over() -> None:
    assert found("def f(p):\n    free(p)\n    return p\n", "a.py") == []

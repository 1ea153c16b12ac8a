"""The two Java front-ends give one outline wherever javalang can read the text."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from scaffold_cli.syntax import java
from tests.syntax_java.spelling import read, spell_outline

CASES = Path(__file__).parents[3] / "shared" / "cases"
"""Real changes, kept beside the repository because of their licences."""
STRIDE = 61
"""Every so many files of the cases are compared: javalang takes about 60 ms for each."""

WHOLE_FILE = """\
package a.b;

import java.util.*;
import static java.util.Map.Entry;

/** Doc. */
@Path("/shop") @Roles({"a", "b"})
public abstract class Shop<T extends Item> extends Base<T> implements Open, Closable<T> {
    private static final int LIMIT = 0x10, OTHER[] = {1, 2};
    @Inject Store store;
    static { register(Shop.class); }
    { ready = true; }

    public Shop(final int size, String... names) throws IOException { super(size); this.size = size; }

    @Override @Retry(times = 3)
    protected <K> Map<K, List<? super T>> find(@NotNull K key, int[] sizes) {
        if (key == null || !(sizes.length > 0) && (size - 1) < LIMIT) throw new IllegalArgumentException("no " + key);
        else if (key instanceof String) return null;
        for (int i = 0; i < sizes.length; i++) { if (sizes[i]-- > 2) continue; break; }
        for (Map.Entry<K, T> entry : this.all.entrySet()) sum += entry.getValue().price();
        try (Reader in = open(key); Reader out = other) { return in.read(); }
        catch (IOException | a.b.Failure e) { log.warn("x", e); } finally { done(); }
        synchronized (lock) { count++; }
        switch (kind) { case A: case B: f(); break; case C: g(); default: h(); }
        do { x = y = x >>> 2; } while (x != 0);
        outer: while (true) { break outer; }
        assert x > 0 : "positive";
        return (Map<K, List<? super T>>) Shop.<K>empty();
    }

    abstract void later();

    Runnable task() {
        return new Runnable() { int n; @Override public void run() { list.forEach(x -> { use(x); }); } };
    }

    Object more() {
        Function<String, Integer> f = String::length, g = (a) -> a.length(), h = (String a) -> 1;
        Supplier<int[]> s = () -> new int[3][];
        char c = '\\n'; long l = 1_000L; double d = 1e3; boolean b = !(boolean) c;
        class Local { int z; }
        return cond ? outerThing.new Inner(1) : super.more();
    }

    enum Kind { A, B(1) { void f() { } }; Kind() { } Kind(int n) { } }
    interface Open { int MAX = 1; default boolean open() { return true; } static void now() { } }
    @interface Path { String value() default "/"; int[] codes() default {}; }
}
"""


def both(source: str) -> tuple[list[str], list[str]]:
    outlines = [read(source, reader) for reader in java.Reader]
    assert [found.problem for found in outlines] == [None, None]
    return spell_outline(outlines[0]), spell_outline(outlines[1])


def test_a_whole_file() -> None:
    first, second = both(WHOLE_FILE)
    assert first == second
    assert len(first) > 100


@pytest.mark.parametrize(
    "statement",
    [
        "x = (!a);",
        "x = !(boolean) a;",
        "x = -(int) a;",
        "x = (a) - b * c;",
        "x = (a.b) + c;",
        "x = (a.b()).c();",
        "x = A[].class;",
        "x = a.b.C.class;",
        "x = A.<T>of(1).<S>to();",
        "x = A.super.f();",
        "x = A.this.b[1].c;",
        "x = (y)++;",
        "x = a + (b + c) + d;",
        "x = (a + b) + c;",
        "x = a && (b && c) || d;",
        "x = super::f;",
        "switch (a) { case 1: default: f(); break; case 2: g(); }",
        "switch (a) { default: }",
        "for (;;) ;",
        "if (a) ; else { }",
        "try { } finally { f(); }",
        "Map<String /* key */, Object> m = null;",
        "int[] a[] = new int[1][2];",
        "a.b(c -> d -> e, () -> { return; });",
    ],
)
def test_statements_that_javalang_alone_misreads_or_reads_oddly(statement: str) -> None:
    first, second = both(f"class Z {{ void f() {{ {statement} }} }}")
    assert first == second


@pytest.mark.parametrize(
    "source",
    [
        "class A { record R() { } }",
        'class A { String s = """\n  a"""; }',
        "class A { int f() { return switch (a) { case 1 -> 2; default -> 3; }; } }",
        "class A { boolean f() { return a instanceof B b; } }",
        "sealed interface A permits B { }",
    ],
)
def test_what_javalang_is_too_old_for_is_a_problem_and_never_another_meaning(source: str) -> None:
    assert read(source).problem is None
    assert read(source, java.Reader.JAVALANG).problem is not None


def real_files() -> Iterator[str]:
    """Texts of Java files in the cases, each once."""
    seen: set[str] = set()
    for archive in sorted(CASES.glob("*.jsonl.gz")):
        with gzip.open(archive, "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                for pair in row["files"] if row["language"] == "java" else ():
                    seen.update(text for text in (pair["before"], pair["after"]) if text)
    yield from sorted(seen)[::STRIDE]


@pytest.mark.skipif(not CASES.is_dir(), reason="the real cases are third-party code and not part of the repository")
def test_real_files_have_one_outline() -> None:
    compared = 0
    for source in real_files():
        assert read(source).problem is None
        if read(source, java.Reader.JAVALANG).problem is None:
            first, second = both(source)
            assert first == second
            compared += 1
    assert compared > 5

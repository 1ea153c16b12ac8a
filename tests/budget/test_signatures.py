"""Public signatures, and which of them a change takes away."""

from __future__ import annotations

import pytest

from scaffold_cli.model.change import FileVersion
from scaffold_cli.syntax.frontends import outline
from scaffold_cli.syntax.outline import Outline
from scaffold_cli.syntax.roles import is_test_file
from scaffold_cli.syntax.signatures import lost_signatures, public_signatures

PYTHON = """\
def load(path, mode="r", *, strict=False, **options): ...

def _hidden(): ...

class Store:
    def get(self, key: str) -> str:
        def inner(): ...
        return inner()

    def _set(self, key): ...

class _Private:
    def get(self): ...
"""
JAVA = """\
package a;
import java.util.List;
public class Shop<T> {
    public Shop(int size) { }
    protected <K> List<K> find(java.lang.String key, int... sizes) { return null; }
    public void find() { }
    void inner() { }
    private void hidden() { }
    public interface Listener { void heard(String what); private void own() { } }
    static class Hidden { public void get() { } }
}
"""


def read(path: str, text: str | None) -> Outline | None:
    return None if text is None else outline(FileVersion(path, text.encode()))


def known(path: str, text: str) -> set[str]:
    found = read(path, text)
    assert found is not None
    return {str(signature) for signature in public_signatures(found)}


def lost(*files: tuple[str, str | None, str | None]) -> list[str]:
    return [str(one) for one in lost_signatures((read(path, old), read(path, new)) for path, old, new in files)]


def test_public_signatures_of_python() -> None:
    assert known("a.py", PYTHON) == {
        "load(path, mode=, strict=, **options)",
        "class Store",
        "Store.get(self, key)",
    }


def test_public_signatures_of_java() -> None:
    assert known("Shop.java", JAVA) == {
        "class Shop",
        "Shop.<init>(int)",
        "Shop.find(String, int...)",
        "Shop.find()",
        "interface Shop.Listener",
        "Shop.Listener.heard(String)",
    }


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("key: str) -> str", "key) -> bytes"),
        ('mode="r"', 'mode="rb"'),
        ("def _hidden(): ...", ""),
        ("def _set(self, key)", "def _set(self)"),
        ("class Store:", "@final\nclass Store(Base):"),
        ("return inner()", "return 1"),
    ],
)
def test_what_callers_do_not_see_is_no_change(old: str, new: str) -> None:
    assert old in PYTHON
    assert lost(("a.py", PYTHON, PYTHON.replace(old, new))) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("def get(self, key: str)", "def get(self)", "Store.get(self, key) became Store.get(self)"),
        ("def load(", "def _load(", "load(path, mode=, strict=, **options) removed"),
        (", *, strict=False", "", "load(path, mode=, strict=, **options) became load(path, mode=, **options)"),
    ],
)
def test_a_changed_or_hidden_signature_is_lost(old: str, new: str, expected: str) -> None:
    assert lost(("a.py", PYTHON, PYTHON.replace(old, new))) == [expected]


def test_java_overloads_are_told_apart_and_parameter_names_do_not_matter() -> None:
    assert lost(("Shop.java", JAVA, JAVA.replace("String key", "String name"))) == []
    assert lost(("Shop.java", JAVA, JAVA.replace("    public void find() { }\n", ""))) == ["Shop.find() removed"]
    assert lost(("Shop.java", JAVA, JAVA.replace("Shop(int size)", "Shop(long size)"))) == [
        "Shop.<init>(int) became Shop.<init>(long)"
    ]


def test_a_definition_that_moves_to_another_file_is_kept_once() -> None:
    text = "def f(a): ...\n"
    assert lost(("a.py", text, ""), ("b.py", None, text)) == []
    assert lost(("a.py", text, ""), ("c.py", text, ""), ("b.py", None, text)) == ["f(a) removed"]
    assert lost(("a.py", text, ""), ("b.py", None, "def f(b): ...\n")) == ["f(a) became f(b)"]


def test_a_deleted_file_loses_everything_public() -> None:
    assert len(lost(("a.py", PYTHON, None))) == 3


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tests/helpers.py", True),
        ("src/test/java/a/Shop.java", True),
        ("test_a.py", True),
        ("pkg/a_test.go", True),
        ("src/ShopTest.java", True),
        ("web/a.spec.ts", True),
        ("pkg/testing_tools.py", False),
        ("src/main/java/Contest.java", False),
        ("latest.py", False),
        ("attest.py", False),
    ],
)
def test_test_files_are_known_by_place_and_name(path: str, expected: bool) -> None:
    assert is_test_file(path) is expected

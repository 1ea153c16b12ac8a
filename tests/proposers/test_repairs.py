"""Every repair does what its examples say, once, and leaves the rest of a file alone."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scaffold_cli.proposers.repairs.interface import Repair
from scaffold_cli.proposers.repairs.table import REPAIRS, parse, repaired

EXAMPLES = [(repair, *pair) for repair in REPAIRS for pair in repair.about.examples]
LEAVES = [(repair, source) for repair in REPAIRS for source in repair.about.leaves]


def mend(repair: type[Repair], source: bytes) -> tuple[bytes, int]:
    module = parse(source)
    assert module is not None
    result, count = repaired(repair, module)
    return result.bytes, count


@pytest.mark.parametrize(("repair", "before", "after"), EXAMPLES)
def test_examples_are_repaired(repair: type[Repair], before: str, after: str) -> None:
    result, count = mend(repair, before.encode())
    assert result.decode() == after
    assert count > 0
    ast.parse(result)


@pytest.mark.parametrize(("repair", "before", "after"), EXAMPLES)
def test_a_repair_is_made_once(repair: type[Repair], before: str, after: str) -> None:
    assert mend(repair, after.encode()) == (after.encode(), 0)


@pytest.mark.parametrize(("repair", "source"), LEAVES)
def test_what_is_fine_is_left_alone(repair: type[Repair], source: str) -> None:
    assert mend(repair, source.encode()) == (source.encode(), 0)


def test_every_repair_has_enough_examples_and_says_why() -> None:
    for repair in REPAIRS:
        about = repair.about
        assert len(about.examples) >= 2, about.id
        assert len(about.leaves) >= 3, about.id
        assert about.why.endswith(".")
        assert about.cwe.startswith("CWE-")
    assert len({repair.about.id for repair in REPAIRS}) == len(REPAIRS)


@pytest.mark.parametrize(("repair", "before", "after"), EXAMPLES)
def test_line_ends_marks_and_encodings_are_kept(repair: type[Repair], before: str, after: str) -> None:
    def dressed(text: str) -> bytes:
        return f"# -*- coding: latin-1 -*-\n# caf\xe9\n{text}".replace("\n", "\r\n").encode("latin-1")

    assert mend(repair, dressed(before))[0] == dressed(after)
    mark = b"\xef\xbb\xbf"
    assert mend(repair, mark + before.encode())[0] == mark + after.encode()


@pytest.mark.parametrize("source", [b"def (:\n", b"\xff\xfe\n", b"# coding: nonsense\n", b"print 'two'\n"])
def test_what_does_not_parse_is_no_candidate(source: bytes) -> None:
    assert parse(source) is None


@settings(deadline=None, max_examples=10)
@given(st.lists(st.sampled_from([before for _, before, _ in EXAMPLES]), min_size=1, max_size=3))
def test_all_repairs_together_come_to_an_end(sources: list[str]) -> None:
    data = "\n\n".join(sources).encode()
    for repair in REPAIRS:
        data, _ = mend(repair, data)
        ast.parse(data)
    assert [mend(repair, data)[1] for repair in REPAIRS] == [0] * len(REPAIRS)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"""Doc."""\n\nx = 1\n', '"""Doc."""\n\nimport hmac\n\nx = 1\n'),
        ("x = 1\n", "import hmac\n\nx = 1\n"),
        ("import abc\nimport zlib\n\nx = 1\n", "import abc\nimport hmac\nimport zlib\n\nx = 1\n"),
        ("from a import b\n\nx = 1\n", "import hmac\nfrom a import b\n\nx = 1\n"),
        (
            '"""Doc."""\n\nfrom __future__ import annotations\n\nimport zlib\n',
            '"""Doc."""\n\nfrom __future__ import annotations\n\nimport hmac\nimport zlib\n',
        ),
        ("import hmac\n", "import hmac\n"),
    ],
)
def test_an_import_goes_where_a_reader_looks_for_it(before: str, after: str) -> None:
    from scaffold_cli.proposers.repairs.imports import ensure_import

    module = parse(before.encode())
    assert module is not None
    assert ensure_import(module, "hmac").code == after

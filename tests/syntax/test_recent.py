"""What is remembered of the content of files stays within its bounds and is never another file's."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scaffold_cli.model.change import FileVersion
from scaffold_cli.syntax.recent import Bounds, Recent

ASKED = st.lists(st.tuples(st.sampled_from("abc"), st.binary(max_size=6), st.integers(0, 2)), max_size=40)


@given(ASKED, st.builds(Bounds, st.integers(1, 6), st.integers(1, 12), st.integers(1, 3)))
def test_every_answer_is_right_and_the_bounds_hold(asked: list[tuple[str, bytes, int]], bounds: Bounds) -> None:
    recent: Recent[tuple[str, bytes, int]] = Recent(bounds)
    kept: list[tuple[str, bytes, int]] = []
    for path, data, other in asked:
        key = (path, data, other)
        made: list[None] = []

        def make(key: tuple[str, bytes, int] = key, made: list[None] = made) -> tuple[str, bytes, int]:
            made.append(None)
            return key

        assert recent.get(FileVersion(path, data), make, other) == key
        assert bool(made) == (key not in kept), "made once while it is remembered"
        kept = [item for item in kept if item != key] + [key]
        same = [item for item in kept if item[0] == path]
        if len(same) > bounds.versions:
            kept.remove(same[0])
        while len(kept) > 1 and (len(kept) > bounds.values or sum(len(item[1]) for item in kept) > bounds.bytes):
            kept.pop(0)
        assert len(recent) == len(kept)
        assert all(recent.knows(FileVersion(path, data), other) for path, data, other in kept)

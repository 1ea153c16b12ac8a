"""Refactorings that keep every protection must pass."""

from __future__ import annotations

import pytest

from scaffold_cli.model.verdict import LayerStatus
from tests.anchoring.judged import judge

GUARD = """
def read(user, root, name):
    path = root / name
    if not path.is_relative_to(root) or user.locked:
        raise PermissionError(f"outside {root}")
    return open(path).read()
"""

BENIGN = {
    "check moved to a helper": """
        def ensure_inside(root, path, user):
            if not path.is_relative_to(root) or user.locked:
                raise PermissionError(f"outside {root}")

        def read(user, root, name):
            path = root / name
            ensure_inside(root, path, user)
            return open(path).read()
        """,
    "early return against nested if": """
        def read(user, root, name):
            path = root / name
            if path.is_relative_to(root) and not user.locked:
                return open(path).read()
            raise PermissionError(f"outside {root}")
        """,
    "else branch": """
        def read(user, root, name):
            path = root / name
            if path.is_relative_to(root) and not user.locked:
                data = open(path).read()
            else:
                raise PermissionError(f"outside {root}")
            return data
        """,
    "condition split": """
        def read(user, root, name):
            path = root / name
            if not path.is_relative_to(root):
                raise PermissionError(f"outside {root}")
            if user.locked:
                raise PermissionError(f"outside {root}")
            return open(path).read()
        """,
    "locals renamed and introduced": """
        def read(user, root, name):
            target = root / name
            inside = target.is_relative_to(root)
            if not inside or user.locked:
                raise PermissionError("outside %s" % root)
            return open(target).read()
        """,
    "function renamed": """
        def load(user, root, name):
            path = root / name
            if not path.is_relative_to(root) or user.locked:
                raise PermissionError(f"outside {root}")
            return open(path).read()
        """,
    "check strengthened": """
        def read(user, root, name):
            path = root / name
            if not path.is_relative_to(root) or user.locked or user.expired:
                raise PermissionError(f"outside {root}")
            return open(path).read()
        """,
    "types and docs": '''
        def read(user: User, root: Path, name: str) -> str:
            """Read a file below root."""
            path: Path = root / name
            if not path.is_relative_to(root) or user.locked:
                raise PermissionError(f"outside {root}")
            return open(path).read()
        ''',
    "dead function removed": "",
}


@pytest.mark.parametrize("name", BENIGN)
def test_refactoring_passes(name: str) -> None:
    result = judge(GUARD, BENIGN[name])
    assert result.status is LayerStatus.PASS, result.violations


def test_check_moved_to_another_file_of_the_change_passes() -> None:
    helper = "def ensure(token):\n    if token.expired:\n        raise PermissionError('expired')\n"
    before = {
        "app.py": "def go(token):\n    if token.expired:\n        raise PermissionError('expired')\n    run(token)\n"
    }
    after = {
        "app.py": "from checks import ensure\ndef go(token):\n    ensure(token)\n    run(token)\n",
        "checks.py": helper,
    }
    assert judge(before, after).status is LayerStatus.PASS


def test_loop_against_any_passes() -> None:
    loop = """
        def send(names):
            for name in names:
                if ".." in name:
                    raise ValueError("bad path")
            write(names)
        """
    quantifier = """
        def send(names):
            if any(".." in name for name in names):
                raise ValueError("bad path")
            write(names)
        """
    assert judge(loop, quantifier).status is LayerStatus.PASS
    assert judge(quantifier, loop).status is LayerStatus.PASS


def test_membership_against_a_chain_of_comparisons_passes() -> None:
    one = "def f(s):\n    if s in ('http', 'file'):\n        raise ValueError('scheme')\n    fetch(s)\n"
    other = "def f(s):\n    if s == 'http' or s == 'file':\n        raise ValueError('scheme')\n    fetch(s)\n"
    assert judge(one, other).status is LayerStatus.PASS
    assert judge(other, one).status is LayerStatus.PASS


def test_test_files_hold_no_production_protections() -> None:
    before = "def test_x():\n    if not verify(x):\n        raise ValueError('bad')\n    open(x)\n"
    assert judge(before, "def test_x():\n    pass\n", path="tests/test_app.py").violations == ()

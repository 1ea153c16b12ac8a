"""What a file is for, told by where it lies and how it is named."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

_TEST_FOLDERS = frozenset({"test", "tests", "testing", "__tests__", "testdata"})
_SPEC_FOLDERS = frozenset({"spec", "specs"})
"""Test folders where RSpec and Jasmine rule; elsewhere the word means a specification."""
_SPEC_SUFFIXES = frozenset({".rb", ".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs"})
_TEST_NAME = re.compile(
    r"""
    test_.*\.pyi? | .*_tests?\.(py|go|cc|cpp|c|rb) | conftest\.py     # pytest, go test, googletest
  | .*(Test|Tests|TestCase|IT)\.(java|kt|groovy|scala) | Test[A-Z].*\.(java|kt)  # JUnit, Surefire and Failsafe patterns
  | .*[.-](test|spec)\.[cm]?[jt]sx?                                   # Jest, Vitest, Mocha
    """,
    re.VERBOSE,
)


def is_test_file(path: str) -> bool:
    """True for test code, by the naming conventions of the usual test runners."""
    pure = PurePosixPath(path)
    folders = _TEST_FOLDERS | _SPEC_FOLDERS if pure.suffix in _SPEC_SUFFIXES else _TEST_FOLDERS
    return bool(folders.intersection(pure.parts[:-1])) or bool(_TEST_NAME.fullmatch(pure.name))

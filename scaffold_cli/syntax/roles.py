"""What a file is for, told by where it lies and how it is named."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

_TEST_FOLDERS = frozenset({"test", "tests", "testing", "__tests__", "spec", "specs", "testdata"})
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
    return bool(_TEST_FOLDERS.intersection(pure.parts[:-1])) or bool(_TEST_NAME.fullmatch(pure.name))

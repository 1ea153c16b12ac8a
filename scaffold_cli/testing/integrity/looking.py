"""All looks at a change of tests, in a hand-written table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scaffold_cli.model.change import Change
from scaffold_cli.testing.integrity.assertions import assertions
from scaffold_cli.testing.integrity.collected import collected
from scaffold_cli.testing.integrity.environments import environments
from scaffold_cli.testing.integrity.interface import Breach, Look, Material
from scaffold_cli.testing.integrity.makefiles import makefiles
from scaffold_cli.testing.integrity.matching import material
from scaffold_cli.testing.integrity.mocks import mocks
from scaffold_cli.testing.integrity.other_languages import other_languages
from scaffold_cli.testing.integrity.outcomes import detection, outcomes
from scaffold_cli.testing.integrity.replaced import replaced
from scaffold_cli.testing.integrity.running import running
from scaffold_cli.testing.integrity.settings import settings
from scaffold_cli.testing.integrity.snapshots import snapshots
from scaffold_cli.testing.integrity.steps import steps
from scaffold_cli.testing.integrity.tests_kept import gone, marks, parameters

LOOKS: Sequence[Look] = (
    *(gone, collected, marks, parameters, assertions, mocks, replaced, outcomes, detection),
    *(settings, environments, steps, running, makefiles, snapshots, other_languages),
)


def look(
    change: Change, read: Callable[[str], bytes | None] = lambda _: None, paths: Sequence[str] = ()
) -> tuple[Material, tuple[Breach, ...]]:
    """Everything `change` does to its tests. `read` and `paths` are of the whole tree after it, where there is one."""
    found = material(change, read, paths)
    return found, tuple(breach for each in LOOKS for breach in each(found))

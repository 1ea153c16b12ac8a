"""Every setting with its default, as frozen dataclasses. Keys in files are the field names with dashes.

The metadata of a field may hold `minimum` (the least number allowed; without it 0 for whole numbers, and above 0 for
floats, which are seconds) and `path` (its values are relative to the configuration file; a loaded policy holds them
relative to the root).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from scaffold_cli.model.verdict import LayerName, Severity


class BudgetEffect(StrEnum):
    """What going over the diff budget does. `auto` blocks in `run` and warns in `check`."""

    AUTO = "auto"
    BLOCK = "block"
    WARN = "warn"


class TestReader(StrEnum):
    """How outcomes are read: our pytest plugin, JUnit XML files, or the exit code alone."""

    __test__ = False

    AUTO = "auto"
    PYTEST = "pytest"
    JUNIT = "junit"
    EXIT_CODE = "exit-code"


@dataclass(frozen=True, slots=True)
class TestsSettings:
    """The tests layer."""

    __test__ = False

    command: str = ""
    """Shell-like words, run in the folder of the configuration file that gives it. Empty: the layer is skipped."""
    required: bool = False
    """Without a command, or with nothing collected: undecided instead of skipped."""
    reader: TestReader = TestReader.AUTO
    junit: tuple[str, ...] = ("**/target/surefire-reports/*.xml", "**/build/test-results/**/*.xml", "junit.xml")
    """Globs of JUnit XML files the command writes."""
    timeout: float = 600.0
    """Seconds for one run of the command."""
    baseline_runs: int = field(default=2, metadata={"minimum": 1})
    """How often the baseline is run to find flaky ids (Fact sheet: twice)."""


@dataclass(frozen=True, slots=True)
class SastSettings:
    """The SAST layer."""

    engine: str = "semgrep"
    """Program name or path: semgrep, or opengrep for a program whose name begins so."""
    rules: tuple[str, ...] = field(default=(), metadata={"path": True})
    """Further rule files or folders, relative to the configuration file."""
    packs: tuple[str, ...] = ()
    """Rule packs of a registry by name ("p/python"): the engine fetches them itself, over your network, each time."""
    gate: tuple[Severity, ...] = (Severity.CRITICAL, Severity.HIGH)
    """Severities whose new findings block (SCAFFOLD-CEGIS layer 2, delta_max = 0 for each)."""
    timeout: float = 60.0
    """Seconds for one scan."""
    command: str = ""
    """A further scanner that writes SARIF 2.1.0: shell-like words, run on both sides in the folder of the file that
    gives it."""
    output: str = ""
    """The file the command writes, relative to that folder. Empty: its standard output is the report."""


@dataclass(frozen=True, slots=True)
class BudgetSettings:
    """The diff budget of one step (defaults: our choice SC-1 in the fact sheet)."""

    changed_lines: int = 120
    """Added plus deleted code lines."""
    deleted_lines: int = 40
    """Net: deleted minus added code lines."""
    files: int = 3
    public_signatures: int = 3
    """Public functions, methods and classes removed or changed in signature."""
    effect: BudgetEffect = BudgetEffect.AUTO


@dataclass(frozen=True, slots=True)
class AnchorsSettings:
    """The anchor layer."""

    catalogue: tuple[str, ...] = field(default=(), metadata={"path": True})
    """Further catalogue folders, relative to the configuration file."""
    witness_seconds: float = field(default=2.0, metadata={"minimum": 0})
    """Seconds to search one change for inputs that were refused before and are accepted now; 0 runs nothing."""


@dataclass(frozen=True, slots=True)
class SandboxSettings:
    """What tests, scanners and proposers may reach while they run (see SECURITY.md)."""

    network: bool = False
    """Lets test and scanner commands use the network; localhost works without."""
    environment: tuple[str, ...] = ()
    """Environment variables that are handed on although their names look like secrets."""
    memory_mb: int = field(default=8000, metadata={"minimum": 64})
    """Private memory of one process, in megabytes."""
    file_mb: int = field(default=4000, metadata={"minimum": 1})
    """Size of one written file, in megabytes."""
    processes: int = field(default=8192, metadata={"minimum": 16})
    """Processes of the user at one time."""
    required: bool = False
    """Where nothing can hold a command in: undecided instead of running it as it is."""


@dataclass(frozen=True, slots=True)
class RunSettings:
    """Chains."""

    proposer: str = "rules"
    steps: int = field(default=10, metadata={"minimum": 1})
    """Accepted steps at most (SCAFFOLD-CEGIS: 10 rounds)."""
    retries: int = 3
    """Further candidates after a rejected first one (our choice SC-2)."""
    wall_time: float = 3600.0
    """Seconds for the whole chain."""
    proposer_timeout: float = 600.0
    """Seconds for one proposal."""
    network: bool = False
    """Lets the proposer's command use the network."""


class MemoryBackend(StrEnum):
    """Where cases are stored: one SQLite file, or a ChromaDB folder (extra `chroma`)."""

    SQLITE = "sqlite"
    CHROMA = "chroma"


class EmbeddingName(StrEnum):
    """How texts become vectors: hashed words, or MiniLM (extra `embed`)."""

    HASHING = "hashing"
    MINILM = "minilm"


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """Cases of verified repairs, and how they are retrieved (Reflection-Driven Control)."""

    backend: MemoryBackend = MemoryBackend.SQLITE
    embedding: EmbeddingName = EmbeddingName.HASHING
    capacity: int = field(default=10_000, metadata={"minimum": 1})
    """Cases kept at most; safe cases go before repairs, then the least used, then the longest unused."""
    k: int = field(default=3, metadata={"minimum": 1})
    """Cases retrieved at most (the paper's Top-3)."""
    k_min: int = field(default=1, metadata={"minimum": 1})
    """With fewer cases static memory helps out (our choice RX-1)."""
    threshold: float = 0.70
    """Cosine similarity the best case must reach, or static memory helps out (the paper's θ)."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Effective settings of one folder."""

    layers: tuple[LayerName, ...] = tuple(LayerName)
    max_file_bytes: int = 1_000_000
    """Larger changed files are named and left undecided."""
    waivers: tuple[str, ...] = ()
    """Violations that may pass, as "ID: REASON" or "ID until YYYY-MM-DD: REASON"; an expired one is as good as none."""
    tests: TestsSettings = field(default_factory=TestsSettings)
    sast: SastSettings = field(default_factory=SastSettings)
    budget: BudgetSettings = field(default_factory=BudgetSettings)
    anchors: AnchorsSettings = field(default_factory=AnchorsSettings)
    run: RunSettings = field(default_factory=RunSettings)
    sandbox: SandboxSettings = field(default_factory=SandboxSettings)
    memory: MemorySettings = field(default_factory=MemorySettings)

"""The proposers that ask a model, by name."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from scaffold_cli.memory.retrieval import Retriever
from scaffold_cli.models.interface import Model
from scaffold_cli.models.spending import Caps, Meter, Price
from scaffold_cli.proposers.interface import Proposer
from scaffold_cli.proposers.model import ModelProposer
from scaffold_cli.proposers.session import ModelOptions, ModelSession
from scaffold_cli.proposers.trajectory import TrajectoryProposer


@dataclass(frozen=True, slots=True)
class ModelAids:
    """What a model is used with. `send` False asks nobody: see `models.dry`.

    What is started for it is ended with `started`, which whoever made it closes.
    """

    options: ModelOptions = field(default_factory=ModelOptions)
    caps: Caps = field(default_factory=Caps)
    price: Price | None = None
    retriever: Retriever | None = None
    send: bool = True
    started: ExitStack = field(default_factory=ExitStack)


def model_proposer(kind: str, argument: str | Path, cache: Path | None, aids: ModelAids) -> Proposer:
    """The proposer for `kind`: "model", "trajectory", "local" or "trajectory-local".

    `argument` is the model's name, or its file.
    Raises UsageError when there is no such model, no key, or a package is missing.
    """
    made = TrajectoryProposer if kind.startswith("trajectory") else ModelProposer
    price = aids.price or (Price(0.0, 0.0) if kind.endswith("local") else None)
    session = ModelSession(_model(argument, aids), Meter(aids.caps, price), aids.retriever, aids.options, cache)
    return made(session)


def _model(argument: str | Path, aids: ModelAids) -> Model:
    if not aids.send:
        from scaffold_cli.models.dry import DryModel

        return DryModel(str(argument) or "the model")
    from scaffold_cli.models.openai_model import OpenAiModel

    if isinstance(argument, Path):
        from scaffold_cli.models.local import LocalServer

        return OpenAiModel(aids.started.enter_context(LocalServer(argument)).address)
    from scaffold_cli.models.address import from_environment

    return OpenAiModel(from_environment(argument))

"""The proposers that ask a model, by name."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from scaffold_cli.memory.retrieval import Retriever
from scaffold_cli.models.interface import Model
from scaffold_cli.models.spending import Caps, Meter, Price
from scaffold_cli.proposers.model import ModelOptions, ModelProposer, TrajectoryProposer


@dataclass(frozen=True, slots=True)
class ModelAids:
    """What a model is used with. `send` False asks nobody: see `models.dry`."""

    options: ModelOptions = field(default_factory=ModelOptions)
    caps: Caps = field(default_factory=Caps)
    price: Price | None = None
    retriever: Retriever | None = None
    send: bool = True


def model_proposer(kind: str, argument: str | Path, cache: Path | None, aids: ModelAids | None) -> ModelProposer:
    """The proposer for `kind`: "model", "trajectory", "local" or "trajectory-local".

    `argument` is the model's name, or its file.
    Raises UsageError when there is no such model, no key, or a package is missing.
    """
    given = aids or ModelAids()
    made = TrajectoryProposer if kind.startswith("trajectory") else ModelProposer
    model = _model(kind, argument, given.send)
    price = given.price or (Price(0.0, 0.0) if kind.endswith("local") else None)
    return made(model, Meter(given.caps, price), given.retriever, given.options, cache)


def _model(kind: str, argument: str | Path, send: bool) -> Model:
    if not send:
        from scaffold_cli.models.dry import DryModel

        return DryModel(str(argument) or "the model")
    from scaffold_cli.models.openai_model import OpenAiModel

    if isinstance(argument, Path):
        from scaffold_cli.models.local import LocalServer

        server = LocalServer(argument)
        # The server lives as long as the model that is asked through it: until the process ends.
        return OpenAiModel(server.address, keep=server)
    from scaffold_cli.models.address import from_environment

    return OpenAiModel(from_environment(argument))

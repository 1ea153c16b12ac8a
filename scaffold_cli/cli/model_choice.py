"""The options of `run` that are about models and memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scaffold_cli.model.errors import ScaffoldError, UsageError

if TYPE_CHECKING:
    from scaffold_cli.chain.learning import Learner
    from scaffold_cli.memory.retrieval import Retriever
    from scaffold_cli.models.spending import Price
    from scaffold_cli.proposers.model_table import ModelAids


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """What was given on the command line."""

    max_tokens: int | None
    max_money: float | None
    price: str | None
    answer_tokens: int
    rounds: int
    record_prompts: bool
    send: bool

    def aids(self, retriever: Retriever | None, note: Callable[[str], None]) -> ModelAids:
        """The same for the proposer. Raises UsageError for a price that cannot be read."""
        from scaffold_cli.cli.streams import write_out
        from scaffold_cli.models.spending import Caps
        from scaffold_cli.proposers.model import ModelOptions
        from scaffold_cli.proposers.model_table import ModelAids

        told = 0

        def heard(tokens: int) -> None:
            nonlocal told
            if tokens - told >= 200 or tokens < told:
                told = tokens
                note(f"the model has written {tokens} tokens")

        options = ModelOptions(self.answer_tokens, self.rounds, self.record_prompts, heard=heard, show=write_out)
        return ModelAids(options, Caps(self.max_tokens, self.max_money), self._price(), retriever, self.send)

    def _price(self) -> Price | None:
        from scaffold_cli.models.spending import Price

        if self.price is None:
            return None
        try:
            prompt, completion = (float(word) for word in self.price.split(","))
        except ValueError as error:
            raise UsageError(f"{self.price!r} is no price.", "Write two numbers: --price 0.5,1.5") from error
        if not (prompt >= 0 and completion >= 0):
            raise UsageError("A price is not below zero.")
        return Price(prompt, completion)


@contextmanager
def learning(wanted: bool) -> Iterator[tuple[Learner | None, Retriever | None]]:
    """The repository's memory to learn into, and with the user's own to retrieve from; neither when it cannot be
    opened.

    A damaged memory costs a warning, not the chain.
    """
    from contextlib import ExitStack

    from scaffold_cli.chain.learning import MemoryLearner
    from scaffold_cli.cli.memories import place, tell
    from scaffold_cli.memory.embedding import embedding
    from scaffold_cli.memory.places import Scope, user_folder
    from scaffold_cli.memory.retrieval import RetrievalRule, Retriever
    from scaffold_cli.memory.store import open_store

    with ExitStack() as opened:
        try:
            folder, settings = place(Scope.REPOSITORY)
            vectors = embedding(settings.embedding)
            stores = []
            for where in (folder, user_folder()) if wanted else ():
                if where is folder or where.exists():
                    store = open_store(settings.backend, where, vectors, settings.capacity)
                    opened.callback(store.close)
                    stores.append(store)
        except ScaffoldError as error:
            tell(f"warning: the memory is left out: {error.message}")
            stores = []
        if not stores:
            yield None, None
        else:
            yield MemoryLearner(stores[0]), Retriever(stores, vectors, RetrievalRule.of(settings))

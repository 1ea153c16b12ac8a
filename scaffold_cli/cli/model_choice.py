"""The options of `run` that are about models and memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from scaffold_cli.model.errors import ScaffoldError, UsageError

if TYPE_CHECKING:
    from scaffold_cli.chain.learning import Learner
    from scaffold_cli.memory.retrieval import Retriever
    from scaffold_cli.memory.store import Store
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

    def aids(self, retriever: Retriever | None, note: Callable[[str], None], started: ExitStack) -> ModelAids:
        """The same for the proposer; what it starts ends with `started`.

        Raises UsageError for a price that cannot be read.
        """
        if self.max_money is not None and not 0 <= self.max_money < inf:
            raise UsageError("--max-money is a number, and not below zero.")
        from scaffold_cli.cli.streams import write_out
        from scaffold_cli.models.spending import Caps
        from scaffold_cli.proposers.model_table import ModelAids
        from scaffold_cli.proposers.session import ModelOptions
        from scaffold_cli.report.escape import visible

        told = 0

        def heard(tokens: int) -> None:
            nonlocal told
            if tokens - told >= 200 or tokens < told:
                told = tokens
                note(f"the model has written {tokens} tokens")

        def show(text: str) -> None:
            # A file may hold what a terminal would obey.
            write_out("\n".join(visible(line) for line in text.split("\n")))

        options = ModelOptions(self.answer_tokens, self.rounds, self.record_prompts, heard=heard, show=show)
        return ModelAids(options, Caps(self.max_tokens, self.max_money), self._price(), retriever, self.send, started)

    def _price(self) -> Price | None:
        from scaffold_cli.models.spending import Price

        if self.price is None:
            return None
        try:
            prompt, completion = (float(word) for word in self.price.split(","))
        except ValueError as error:
            raise UsageError(f"{self.price!r} is no price.", "Write two numbers: --price 0.5,1.5") from error
        if not (0 <= prompt < inf and 0 <= completion < inf):
            raise UsageError("A price is a number, and not below zero.")
        return Price(prompt, completion)


@contextmanager
def learning(wanted: bool) -> Iterator[tuple[Learner | None, Retriever | None]]:
    """The repository's memory to learn into, and with the user's own to retrieve from.

    One that cannot be opened is left out: it costs a warning, not the chain, and not the other one.
    """
    from scaffold_cli.chain.learning import MemoryLearner
    from scaffold_cli.cli.memories import place
    from scaffold_cli.cli.streams import tell
    from scaffold_cli.memory.embedding import embedding
    from scaffold_cli.memory.places import Scope, user_folder
    from scaffold_cli.memory.retrieval import RetrievalRule, Retriever
    from scaffold_cli.memory.store import open_store

    if not wanted:
        yield None, None
        return
    with ExitStack() as opened:
        stores: dict[Scope, Store] = {}
        retriever = None
        try:
            folder, settings = place(Scope.REPOSITORY)
            vectors = embedding(settings.embedding)
        except ScaffoldError as error:
            tell(f"warning: the memory is left out: {error.message}")
        else:
            for scope, where in ((Scope.REPOSITORY, folder), (Scope.USER, user_folder())):
                try:
                    if scope is Scope.REPOSITORY or where.exists():
                        stores[scope] = open_store(settings.backend, where, vectors, settings.capacity)
                        opened.callback(stores[scope].close)
                except ScaffoldError as error:
                    tell(f"warning: the memory is left out: {error.message}")
            retriever = Retriever(tuple(stores.values()), vectors, RetrievalRule.of(settings)) if stores else None
        own = stores.get(Scope.REPOSITORY)
        yield MemoryLearner(own) if own is not None else None, retriever

"""Any endpoint that speaks the OpenAI protocol, through the vendor's SDK: streaming, with its retries and back-off."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from typing import Any

from scaffold_cli import clock
from scaffold_cli.model.errors import UsageError
from scaffold_cli.models.address import NO_KEY, Address
from scaffold_cli.models.bounded import OutOfTimeError, bounded
from scaffold_cli.models.interface import (
    Ended,
    Message,
    ModelFailedError,
    Reply,
    estimated_tokens,
    prompt_estimate,
)

RETRIES = 3
"""Further tries after a refused connection, a time-out, 408, 409, 429 or 5xx; the SDK waits 0.5 to 8 s between them."""
TEMPERATURE = 0.7
"""SCAFFOLD-CEGIS."""
_CHARACTERS = 8
"""Per token of the limit: an answer longer than that does not stop."""
_ENDED = {"stop": Ended.COMPLETE, "length": Ended.LENGTH, "content_filter": Ended.FILTERED}


class OpenAiModel:
    """Raises UsageError when the `openai` package is not installed."""

    def __init__(self, address: Address, *, temperature: float = TEMPERATURE, retries: int = RETRIES) -> None:
        try:
            import openai
        except ImportError as error:
            raise UsageError(
                "Talking to a model needs the openai package.", "pip install 'scaffold-cegis[llm]'"
            ) from error
        self.name = address.model
        self._address = address
        self._temperature = temperature
        self._sdk = openai
        self._retries = retries
        self._client: Any = self._connected()

    def _connected(self) -> Any:
        # A proxy of the environment is for servers elsewhere: what is asked on this machine stays on it.
        client = self._sdk.DefaultHttpxClient(trust_env=False) if self._address.is_loopback else None
        return self._sdk.OpenAI(
            base_url=self._address.base_url, api_key=self._address.key, max_retries=self._retries, http_client=client
        )

    def _hang_up(self) -> None:
        """End what is still under way; the next call connects anew."""
        self._client.close()
        self._client = self._connected()

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        time_limit: float,
        heard: Callable[[int], None] = lambda tokens: None,
    ) -> Reply:
        """See `Model.complete`. An answer that stops in the middle, never stops, or is empty is a ModelFailedError.

        The time limit is for all of it, further tries included.
        """
        began = clock.seconds()
        client = self._client

        def chunks() -> Iterator[Any]:
            # The SDK's overloads want a type of its own for each role; the protocol is the same for all.
            create: Any = client.chat.completions.create
            stream = create(
                model=self.name,
                messages=[{"role": message.role.value, "content": message.text} for message in messages],
                max_tokens=max_tokens,
                temperature=self._temperature,
                stream=True,
                stream_options={"include_usage": True},
                timeout=time_limit,
            )
            with stream:
                yield from stream

        try:
            with closing(bounded(chunks, time_limit, self._hang_up)) as heard_chunks:
                heard_all = self._listen(heard_chunks, max_tokens, heard)
        except ModelFailedError:
            raise
        except self._sdk.OpenAIError as error:
            raise self._told(error) from error
        except (ValueError, TypeError, AttributeError, IndexError, KeyError) as error:
            raise _spent(f"{self._where} answers in no form that can be read: {self._line(error)}.", "") from error
        except Exception as error:  # the SDK lets errors of its transport through while it streams
            if type(error).__module__.partition(".")[0] not in ("httpx", "httpx2", "httpcore", "httpcore2", "h11"):
                raise
            raise _spent(f"The answer of {self._where} broke off: {self._line(error)}.", "") from error
        text, reason, usage = heard_all
        if reason is None:
            raise _spent(f"The answer of {self._where} broke off after {len(text)} characters.", text)
        if not text.strip():
            raise _spent(f"{self._where} gave an empty answer.", text)
        counts = _counts(usage)
        prompt, completion = counts or (prompt_estimate(messages), estimated_tokens(text))
        ended = _ENDED.get(reason, Ended.COMPLETE)
        return Reply(text, ended, prompt, completion, counts is None, self.name, clock.seconds() - began)

    @property
    def _where(self) -> str:
        return f"the model {self.name!r}"

    def _listen(
        self, chunks: Iterable[Any], max_tokens: int, heard: Callable[[int], None]
    ) -> tuple[str, str | None, Any]:
        parts: list[str] = []
        length = 0
        reason: str | None = None
        usage: Any = None
        try:
            for chunk in chunks:
                usage = getattr(chunk, "usage", None) or usage
                for choice in (chunk.choices or [])[:1]:
                    reason = choice.finish_reason or reason
                    if choice.delta is not None and choice.delta.content:
                        parts.append(choice.delta.content)
                        length += len(choice.delta.content)
                        heard(len(parts))
                if length > _CHARACTERS * max_tokens:
                    why = f"{self._where} does not stop: {length} characters for {max_tokens} tokens."
                    raise _spent(why, "".join(parts))
        except OutOfTimeError as error:
            hint = "Allow more with run.proposer-timeout."
            raise _spent(f"{self._where} did not finish in time.", "".join(parts), hint) from error
        return _whole("".join(parts)), reason, usage

    def _told(self, error: Exception) -> UsageError | ModelFailedError:
        sdk, where = self._sdk, self._address.shown
        told: UsageError | ModelFailedError
        match error:
            case sdk.APITimeoutError():
                told = _spent(f"{self._where} at {where} did not answer in time.", "")
            case sdk.APIConnectionError():
                told = UsageError(f"Nobody answers at {where}.", "Check SCAFFOLD_BASE_URL, and that the server runs.")
            case sdk.AuthenticationError() | sdk.PermissionDeniedError():
                told = UsageError(f"{where} refuses the key.", "Check SCAFFOLD_API_KEY.")
            case sdk.NotFoundError():
                told = UsageError(f"There is no model {self.name!r} at {where}.", "Check its name and the address.")
            case sdk.APIStatusError(status_code=405 | 501):
                told = UsageError(f"What answers at {where} serves no models.", "Check SCAFFOLD_BASE_URL.")
            case sdk.RateLimitError():
                told = ModelFailedError(f"{where} limits the rate, also after {RETRIES} more tries.")
            case sdk.BadRequestError() if "context" in str(error).lower():
                told = ModelFailedError(f"The prompt is too long for {self._where}.", "Name fewer files.")
            case _:
                told = ModelFailedError(f"{self._where} at {where} failed: {self._line(error)}.")
        return told

    def _line(self, error: Exception) -> str:
        """The error on one line. What a server says may repeat what it was sent, the key among it."""
        text = " ".join(str(error).split())
        if self._address.key != NO_KEY:
            text = text.replace(self._address.key, "…")
        return text[:300] or type(error).__name__


def _spent(message: str, text: str, hint: str = "") -> ModelFailedError:
    error = ModelFailedError(message, hint)
    error.completion_tokens = estimated_tokens(text)
    return error


def _whole(text: str) -> str:
    """Halves of a character that came in two pieces, put together; a half without its other is no text."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _counts(usage: Any) -> tuple[int, int] | None:
    """The server's counts of a prompt and an answer; None when it sends none that can be."""
    prompt, completion = getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None)
    if isinstance(prompt, int) and isinstance(completion, int) and prompt > 0 and completion > 0:
        return prompt, completion
    return None

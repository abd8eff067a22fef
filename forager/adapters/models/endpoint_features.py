"""The features that an endpoint supports, learnt from its refusals, and its rate limit."""

import asyncio
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal

ReplyStructure = Literal["schema", "tool", "text"]
STRUCTURES: tuple[ReplyStructure, ...] = ("schema", "tool", "text")
LimitOption = Literal["max_tokens", "max_completion_tokens", ""]
NEXT_LIMIT_OPTION: dict[LimitOption, LimitOption] = {
    "max_tokens": "max_completion_tokens",
    "max_completion_tokens": "",
}
"""The option that replaces a refused option for the length of a reply."""
OPTION_WORDS = (
    (re.compile(r"temperature", re.IGNORECASE), "temperature"),
    (re.compile(r"max_(completion_)?tokens", re.IGNORECASE), "limit"),
    (re.compile(r"stream_options|include_usage", re.IGNORECASE), "usage"),
    (re.compile(r"\bstream(ing|ed)?\b", re.IGNORECASE), "stream"),
)


@dataclass(frozen=True)
class EndpointFeatures:
    """The features used in requests: the structure of replies, and the options sent."""

    structure: ReplyStructure = "schema"
    temperature: bool = True
    limit: LimitOption = "max_tokens"
    usage: bool = True
    stream: bool = True

    def without_refused(self, refusal: str, *, fixed: bool = False) -> "EndpointFeatures | None":
        """Drop the feature that a refusal names, or else use the next structure.

        Returns None if nothing is left to drop. `fixed` keeps the structure.
        """
        for pattern, option in OPTION_WORDS:
            if pattern.search(refusal) and getattr(self, option):
                less: dict[str, Any] = {option: self.limit and NEXT_LIMIT_OPTION[self.limit]}
                return replace(self, **(less if option == "limit" else {option: False}))
        place = STRUCTURES.index(self.structure) + 1
        if fixed or place == len(STRUCTURES):
            return None
        return replace(self, structure=STRUCTURES[place])


class Limiter:
    """Limits the calls of all models and sessions in one event loop."""

    def __init__(self, at_once: int, per_second: float = 0.0) -> None:
        """`at_once` limits concurrent calls; `per_second` 0 means no rate limit."""
        self._slots = asyncio.Semaphore(at_once)
        self._interval = 1 / per_second if per_second else 0.0
        self._next = 0.0

    @asynccontextmanager
    async def wait_turn(self) -> AsyncIterator[None]:
        """Wait for a slot and for the rate: calls start at even intervals."""
        async with self._slots:
            now = time.monotonic()
            begin = max(now, self._next)
            self._next = begin + self._interval
            await asyncio.sleep(begin - now)
            yield

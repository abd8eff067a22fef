"""Exchanges with models, recorded where a model is called and collected by a context."""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pydantic import TypeAdapter

from forager.domain.base import Frozen


class PromptMessage(Frozen):
    """A message of a prompt: its role, its text, and the number of pictures sent with it."""

    role: str
    text: str
    pictures: int = 0


class Exchange(Frozen):
    """A prompt as it was sent to a model, and the reply verbatim."""

    model: str
    sent: tuple[PromptMessage, ...]
    said: str


EXCHANGES = TypeAdapter(tuple[Exchange, ...])
_collected: ContextVar[list[Exchange] | None] = ContextVar("noted", default=None)


@contextmanager
def collect_exchanges() -> Iterator[list[Exchange]]:
    """Collect the exchanges with models that the body of the `with` statement makes."""
    found: list[Exchange] = []
    token = _collected.set(found)
    try:
        yield found
    finally:
        _collected.reset(token)


def record_exchange(exchange: Exchange) -> None:
    """Record an exchange, if a `collect_exchanges` context is active."""
    noted = _collected.get()
    if noted is not None:
        noted.append(exchange)


def pack_exchanges(exchanges: tuple[Exchange, ...]) -> bytes:
    """Compress exchanges; prompts are long and repetitive."""
    return zlib.compress(EXCHANGES.dump_json(exchanges)) if exchanges else b""


def unpack_exchanges(kept: bytes | None) -> tuple[Exchange, ...]:
    """The exchanges in bytes of `pack_exchanges`; none for None."""
    return EXCHANGES.validate_json(zlib.decompress(kept)) if kept else ()

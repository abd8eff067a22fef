"""What a model was sent and said, noted where it is asked, for whoever keeps it."""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pydantic import TypeAdapter

from forager.domain.base import Frozen


class PromptMessage(Frozen):
    """A part of a prompt: whose words it has, and how many pictures went with it."""

    role: str
    text: str
    pictures: int = 0


class Exchange(Frozen):
    """A prompt as it was sent to a model, and what came back word for word."""

    model: str
    sent: tuple[PromptMessage, ...]
    said: str


EXCHANGES = TypeAdapter(tuple[Exchange, ...])
_collected: ContextVar[list[Exchange] | None] = ContextVar("noted", default=None)


@contextmanager
def collect_exchanges() -> Iterator[list[Exchange]]:
    """What models are sent by the body, and say."""
    found: list[Exchange] = []
    token = _collected.set(found)
    try:
        yield found
    finally:
        _collected.reset(token)


def record_exchange(exchange: Exchange) -> None:
    """Note an exchange, if somebody keeps it."""
    noted = _collected.get()
    if noted is not None:
        noted.append(exchange)


def pack_exchanges(exchanges: tuple[Exchange, ...]) -> bytes:
    """In few bytes; prompts are long and alike."""
    return zlib.compress(EXCHANGES.dump_json(exchanges)) if exchanges else b""


def unpack_exchanges(kept: bytes | None) -> tuple[Exchange, ...]:
    """The exchanges in such bytes."""
    return EXCHANGES.validate_json(zlib.decompress(kept)) if kept else ()

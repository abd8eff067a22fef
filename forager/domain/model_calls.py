"""What a model was sent and said, noted where it is asked, for whoever keeps it."""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pydantic import TypeAdapter

from forager.domain.base import Frozen


class Part(Frozen):
    """A part of a prompt: whose words it has, and how many pictures went with it."""

    role: str
    text: str
    pictures: int = 0


class Exchange(Frozen):
    """A prompt as it was sent to a model, and what came back word for word."""

    model: str
    sent: tuple[Part, ...]
    said: str


EXCHANGES = TypeAdapter(tuple[Exchange, ...])
_noted: ContextVar[list[Exchange] | None] = ContextVar("noted", default=None)


@contextmanager
def noting() -> Iterator[list[Exchange]]:
    """What models are sent by the body, and say."""
    found: list[Exchange] = []
    token = _noted.set(found)
    try:
        yield found
    finally:
        _noted.reset(token)


def note(exchange: Exchange) -> None:
    """Note an exchange, if somebody keeps it."""
    noted = _noted.get()
    if noted is not None:
        noted.append(exchange)


def packed(exchanges: tuple[Exchange, ...]) -> bytes:
    """In few bytes; prompts are long and alike."""
    return zlib.compress(EXCHANGES.dump_json(exchanges)) if exchanges else b""


def unpacked(kept: bytes | None) -> tuple[Exchange, ...]:
    """The exchanges in such bytes."""
    return EXCHANGES.validate_json(zlib.decompress(kept)) if kept else ()

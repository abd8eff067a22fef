"""Heads of HTTP/1.1 messages, as a proxy sees them."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass

HOP_BY_HOP = frozenset(
    {"connection", "keep-alive", "proxy-authorization", "proxy-connection", "te", "upgrade"}
)
CHUNKED = -1


class HeadError(Exception):
    """What came is no head of an HTTP message."""


@dataclass(frozen=True, slots=True)
class MessageHead:
    """The first line, and the headers in their order."""

    first: str
    headers: list[tuple[str, str]]

    @property
    def method(self) -> str:
        """Of a request."""
        return self.first.partition(" ")[0].upper()

    @property
    def target(self) -> str:
        """Of a request."""
        return self.first.split(" ")[1]

    @property
    def status(self) -> int:
        """Of a response. Raises HeadError."""
        said = self.first.split(" ")[1]
        if not (said.isascii() and said.isdecimal()):
            raise HeadError(self.first)
        return int(said)

    def header_value(self, name: str) -> str:
        """The values of a header, with commas between them."""
        return ", ".join(value for key, value in self.headers if key.lower() == name)

    def headers_without(self, names: Collection[str]) -> list[tuple[str, str]]:
        """The headers but for some."""
        return [(name, value) for name, value in self.headers if name.lower() not in names]

    def body_length(self) -> int:
        """Bytes of a request's body; CHUNKED where only the body tells."""
        if "chunked" in self.header_value("transfer-encoding").lower():
            return CHUNKED
        length = self.header_value("content-length")
        if length and not length.isdecimal():
            raise HeadError(f"Content-Length: {length}")
        return int(length or 0)

    def to_bytes(self) -> bytes:
        """As it goes over the wire."""
        lines = [self.first, *(f"{name}: {value}" for name, value in self.headers), "", ""]
        return "\r\n".join(lines).encode("latin-1")


async def read_head(reader: asyncio.StreamReader) -> MessageHead | None:
    """The next head; None at the end. Raises HeadError."""
    try:
        data = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as error:
        if not error.partial.strip():
            return None
        raise HeadError("a head that was broken off") from error
    except asyncio.LimitOverrunError as error:
        raise HeadError("a head that is too long") from error
    first, *lines = data.decode("latin-1").strip("\r\n").split("\r\n")
    if len(first.split(" ")) < 2:  # noqa: PLR2004  # method and target, or version and status
        raise HeadError(first)
    pairs = (line.partition(":") for line in lines)
    return MessageHead(first, [(name.strip(), value.strip()) for name, _, value in pairs])

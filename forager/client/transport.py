"""How the client calls the server: requests, answers, streams, and errors as exceptions."""

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Final, Self, TypeVar
from urllib.parse import quote

import httpx2
from pydantic import BaseModel, TypeAdapter

from forager.client.client_errors import ApiError, ConnectionFailedError, make_error

URL: Final = "http://127.0.0.1:8501"
SECONDS: Final = 120.0
"""How long an answer, or the next part of a stream, is waited for."""
FIRST_ERROR: Final = 400
Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True)
class Call:
    """A call: `places` go into the braces of its path; parameters that are None are not sent."""

    method: str
    path: str
    places: tuple[object, ...] = ()
    body: BaseModel | None = None
    content: bytes | None = None
    query: Mapping[str, object] = field(default_factory=dict)
    headers: Mapping[str, object] = field(default_factory=dict)

    def arguments(self) -> dict[str, Any]:
        """What httpx2 is asked for."""
        content, headers = self.content, _sent(self.headers)
        if self.body is not None:
            content = self.body.model_dump_json(exclude_unset=True, by_alias=True).encode()
            headers["content-type"] = "application/json"
        return {
            "method": self.method,
            "url": self.path.format(*(quote(str(each), safe="/") for each in self.places)),
            "content": content,
            "params": _sent(self.query),
            "headers": headers,
        }


def _sent(values: Mapping[str, object]) -> dict[str, Any]:
    """Values that are not None, as they are written into an address or a header."""
    given = {name: value for name, value in values.items() if value is not None}
    return {
        name: [str(each) for each in value] if isinstance(value, list) else _as_text(value)
        for name, value in given.items()
    }


def _as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@contextmanager
def _translated() -> Iterator[None]:
    """Raise ConnectionFailedError for what happens on the way."""
    try:
        yield
    except httpx2.HTTPError as error:
        what = str(error) or type(error).__name__
        raise ConnectionFailedError(
            f"The server could not be reached: {what}.", "Start it: forager ui."
        ) from error


def _refuse_error(answer: httpx2.Response) -> None:
    """Raise the exception of an answer, whose body was read, if it is an error."""
    if answer.status_code >= FIRST_ERROR:
        try:
            body = answer.json()
        except ValueError:
            body = None
        raise make_error(answer.status_code, body)


def _head(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"} if token else {}


class EventReader:
    """Puts the lines of server-sent events together, and reads their data by their names."""

    def __init__(self, kinds: Mapping[str, type[BaseModel]]) -> None:
        self._kinds = kinds
        self._event = ""
        self._data: list[str] = []

    def read(self, line: str) -> Any:
        """What a line completes, or None. Raises ApiError for a fault."""
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._event = value
        elif name == "data":
            self._data.append(value)
        if line or not self._data:
            return None
        event, text = self._event, "\n".join(self._data)
        self._event, self._data = "", []
        if event == "fault":
            fault = json.loads(text)
            raise ApiError(fault["error"], fault["mend"])
        return self._kinds.get(event, self._kinds[""]).model_validate_json(text)


class Transport:
    """A connection to a server; used with `with`, or closed by `close`."""

    def __init__(self, url: str = URL, token: str = "", *, seconds: float = SECONDS) -> None:
        """`token` is the content of `ui-token` in the server's data folder."""
        self._http = httpx2.Client(base_url=url, headers=_head(token), timeout=seconds)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def read_json(self, call: Call, kind: Any) -> Any:
        """The answer to a call as a value of this type. Raises ApiError."""
        return TypeAdapter(kind).validate_json(self.read_bytes(call))

    def read_text(self, call: Call) -> str:
        """The answer to a call as text. Raises ApiError."""
        return self.read_bytes(call).decode("utf-8")

    def read_bytes(self, call: Call) -> bytes:
        """The answer to a call as it is. Raises ApiError."""
        with _translated():
            answer = self._http.request(**call.arguments())
        _refuse_error(answer)
        return answer.content

    def read_events(self, call: Call, kinds: Mapping[str, type[BaseModel]]) -> Iterator[Any]:
        """Server-sent events as they come. Raises ApiError."""
        reader = EventReader(kinds)
        for line in self._stream(call):
            if (item := reader.read(line)) is not None:
                yield item

    def read_lines(self, call: Call) -> Iterator[dict[str, Any]]:
        """Lines of JSON as they come. Raises ApiError."""
        yield from (json.loads(line) for line in self._stream(call) if line.strip())

    def _stream(self, call: Call) -> Iterator[str]:
        with _translated(), self._http.stream(**call.arguments()) as answer:
            if answer.status_code >= FIRST_ERROR:
                answer.read()
            _refuse_error(answer)
            yield from answer.iter_lines()


class AsyncTransport:
    """A connection to a server, to be awaited; used with `async with`, or closed by `close`."""

    def __init__(self, url: str = URL, token: str = "", *, seconds: float = SECONDS) -> None:
        """`token` is the content of `ui-token` in the server's data folder."""
        self._http = httpx2.AsyncClient(base_url=url, headers=_head(token), timeout=seconds)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection."""
        await self._http.aclose()

    async def read_json(self, call: Call, kind: Any) -> Any:
        """The answer to a call as a value of this type. Raises ApiError."""
        return TypeAdapter(kind).validate_json(await self.read_bytes(call))

    async def read_text(self, call: Call) -> str:
        """The answer to a call as text. Raises ApiError."""
        return (await self.read_bytes(call)).decode("utf-8")

    async def read_bytes(self, call: Call) -> bytes:
        """The answer to a call as it is. Raises ApiError."""
        with _translated():
            answer = await self._http.request(**call.arguments())
        _refuse_error(answer)
        return answer.content

    async def read_events(
        self, call: Call, kinds: Mapping[str, type[BaseModel]]
    ) -> AsyncIterator[Any]:
        """Server-sent events as they come. Raises ApiError."""
        reader = EventReader(kinds)
        async for line in self._stream(call):
            if (item := reader.read(line)) is not None:
                yield item

    async def read_lines(self, call: Call) -> AsyncIterator[dict[str, Any]]:
        """Lines of JSON as they come. Raises ApiError."""
        async for line in self._stream(call):
            if line.strip():
                yield json.loads(line)

    async def _stream(self, call: Call) -> AsyncIterator[str]:
        with _translated():
            async with self._http.stream(**call.arguments()) as answer:
                if answer.status_code >= FIRST_ERROR:
                    await answer.aread()
                _refuse_error(answer)
                async for line in answer.aiter_lines():
                    yield line

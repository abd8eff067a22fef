"""Records the calls of any port, including errors, and replays them in place of the port.

A port is declared by a table of its methods, which says how a call is described (its key on the
tape) and in which form its result is written.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, NamedTuple, TypeVar, cast

from pydantic import JsonValue, TypeAdapter

from forager import errors
from forager.adapters.recording.tape import PlayedTape, Tape
from forager.errors import SearchError, StatusError, UsageError, WebError

Port = TypeVar("Port")


class CallDescription(NamedTuple):
    """A call: its key on the tape, its name in messages, and further data for the tape."""

    key: str
    name: str
    asked: JsonValue = None


class ResultForm:
    """How results and errors of a method are written: here as JSON, by the type of the result.

    `write_result` and `read_result` receive the arguments of the call too.
    """

    ERRORS: tuple[type[Exception], ...] = (WebError, SearchError)
    """Errors that are part of a recording."""

    def __init__(self, kind: Any) -> None:
        self._adapter = TypeAdapter[Any](kind)

    async def write_result(self, result: Any, *arguments: Any) -> Any:
        """The result as JSON."""
        return self._adapter.dump_python(result, mode="json")

    async def read_result(self, reply: Any, *arguments: Any) -> Any:
        """The result; keys that only older versions wrote are ignored."""
        return self._adapter.validate_python(reply, extra="ignore")

    def write_error(self, error: Any) -> JsonValue:
        """The error as JSON."""
        written = {"kind": type(error).__name__, "what": error.what, "mend": error.mend}
        return {"error": {**written, "status": getattr(error, "status", None)}}

    def read_error(self, reply: Any) -> Exception | None:
        """The error in a reply, or None. Search errors of version 0.1 name no kind."""
        written = reply.get("error") if isinstance(reply, dict) else None
        if not written:
            return None
        if written.get("kind") == StatusError.__name__:
            return StatusError(written["what"], written["mend"], status=written["status"])
        kind: type[WebError] = getattr(errors, written.get("kind", SearchError.__name__), WebError)
        return kind(written["what"], written["mend"])


class RecordedCall(NamedTuple):
    """A recorded method; `describe` takes its arguments."""

    describe: Callable[..., CallDescription]
    form: ResultForm


RecordedCalls = Mapping[str, RecordedCall | None]
"""The methods of a port by name; None if it is not recorded and does nothing in a replay."""


class Recorder:
    """Passes calls on to a port and writes their results to a tape."""

    def __init__(self, port: object, calls: RecordedCalls, tape: Tape) -> None:
        self._port = port
        self._calls = calls
        self._tape = tape

    def __getattr__(self, name: str) -> Any:
        method, call = getattr(self._port, name), self._calls.get(name)
        return partial(self._record_call, call, method) if call else method

    async def _record_call(
        self,
        call: RecordedCall,
        method: Callable[..., Awaitable[Any]],
        *arguments: Any,
        **named: Any,
    ) -> Any:
        described = call.describe(*arguments, **named)
        try:
            result = await method(*arguments, **named)
        except call.form.ERRORS as error:
            await self._add_entry(described, call.form.write_error(error))
            raise
        await self._add_entry(described, await call.form.write_result(result, *arguments))
        return result

    async def _add_entry(self, described: CallDescription, reply: JsonValue) -> None:
        await asyncio.to_thread(self._tape.add_entry, described.key, described.asked, reply)


class Replay:
    """Answers the calls of a port from a recording.

    A call that is not recorded raises UsageError, which ends the run: it is not the recorded run.
    """

    def __init__(self, calls: RecordedCalls, played: PlayedTape) -> None:
        self._calls = calls
        self._played = played

    def __getattr__(self, name: str) -> Any:
        if name not in self._calls:
            raise AttributeError(name)
        call = self._calls[name]
        return partial(self._replay_call, call) if call else _do_nothing

    async def _replay_call(self, call: RecordedCall, *arguments: Any, **named: Any) -> Any:
        described = call.describe(*arguments, **named)
        reply = self._played.next_reply(described.key)
        if reply is None:
            raise self._missing_call(described, *arguments)
        if error := call.form.read_error(reply):
            raise error
        return await call.form.read_result(reply, *arguments)

    def _missing_call(self, described: CallDescription, *arguments: Any) -> Exception:
        return UsageError(
            f"{described.name} is not in the recording {self._played.path}.",
            "Question, graph or prompts have changed. Record the run again.",
        )


def record_port(port: Port, calls: RecordedCalls, tape: Tape) -> Port:
    """The port, with its calls written to a tape. They raise StoreError if that fails."""
    return cast(Port, Recorder(port, calls, tape))


async def _do_nothing(*arguments: Any, **named: Any) -> None:
    pass

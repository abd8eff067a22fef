"""The events of a session as they come, and the stream of them as server-sent events."""

import asyncio
import json
import time
from collections.abc import AsyncIterator

from fastapi.sse import format_sse_event

from forager.errors import ForagerError
from forager.text.unicode import escape_json
from graphs.sessions.service import Event, Sessions
from ui.server.live.view_stream import HEARTBEAT_SECONDS, POLL_SECONDS
from ui.server.space_backend import Backend

Batch = tuple[bool, tuple[Event, ...]]
"""Whether the session runs, and its new events."""


async def follow_events(backend: Backend, id: str, after: int, token: str) -> AsyncIterator[Batch]:
    """The session's events after a number, until it no longer runs; also when there are none.

    The last batch says that the session does not run, unless the token is no longer accepted or the
    server stops. Raises NoSessionError once the session is deleted.
    """

    async def read(sessions: Sessions) -> Batch:
        running = sessions.context.is_running(id) or id in backend.running()
        return running, await sessions.events(id, after)

    while not backend.closing.is_set():
        running, events = await backend.sessions.call_async(read)
        after = events[-1].seq if events else after
        if not await backend.accepts_token(token):
            return
        yield running, events
        if not running:
            return
        await asyncio.sleep(POLL_SECONDS)


async def stream_events(backend: Backend, id: str, after: int, token: str) -> AsyncIterator[bytes]:
    """Server-sent events: each event of the session by its kind, with its number as id, then `end`.

    A comment now and then says that the server is there. It ends early without `end` when the token
    is no longer accepted or the server stops; a reader then goes on after the last id.
    """
    sent = time.monotonic()
    try:
        async for running, events in follow_events(backend, id, after, token):
            for event in events:
                yield format_sse_event(
                    data_str=escape_json(event.model_dump_json()),
                    event=event.kind,
                    id=str(event.seq),
                )
            if events or time.monotonic() - sent > HEARTBEAT_SECONDS:
                sent = time.monotonic()
                yield b"" if events else format_sse_event(comment="")
            if not running:
                report = await backend.sessions.call_async(lambda to: to.show(id))
                end = json.dumps({"session": id, "status": report.status})
                yield format_sse_event(data_str=end, event="end")
    except ForagerError as error:
        fault = json.dumps({"error": error.what, "mend": error.mend})
        yield format_sse_event(data_str=fault, event="fault")

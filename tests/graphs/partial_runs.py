"""Runs on their way: until a node has finished, and changed there."""

import asyncio

from graphs.reports.report import Report
from graphs.sessions.service import Event, Sessions, Steer


async def running_until(
    sessions: Sessions, id: str, node: str, seen: list[Event] | None = None
) -> "asyncio.Task[Report]":
    """Starts the session; returns when this node has first finished, or the run has ended."""
    reached = asyncio.Event()

    def watch(event: Event) -> None:
        if seen is not None:
            seen.append(event)
        if (event.node, event.kind) == (node, "finished"):
            reached.set()

    task = asyncio.create_task(sessions.run(id, watch))
    task.add_done_callback(lambda _: reached.set())
    await reached.wait()
    return task


async def steered(
    sessions: Sessions, id: str, node: str, change: Steer
) -> tuple[Report, list[Event]]:
    """The session run, and steered when this node has first finished; its events."""
    seen: list[Event] = []
    task = await running_until(sessions, id, node, seen)
    await sessions.steering.steer(id, change)
    return await task, seen

"""The memory on the command line: what it holds, how it forgets, how it is restored."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import typer
from rich.console import Console

from forager.errors import StoreError
from forager.settings import Settings
from graphs.learning.admin import Item, Known, open_memory
from ui import listing
from ui.plain import clean

T = TypeVar("T")
HEADINGS = ("id", "learned", "site", "outcome", "question", "what")
LONGEST = 60
EMPTY = "Nothing is remembered yet: every run that opens pages teaches something."
NOT_THERE = "Nothing of that is remembered; forager memory list shows what is."


def list_all(settings: Settings, site: str, *, as_json: bool) -> None:
    """Print what is remembered, the newest first."""
    items = with_memory(settings, lambda known: known.list(site))
    put(items, NOT_THERE if site else EMPTY, as_json=as_json)


def search(settings: Settings, text: str, *, as_json: bool) -> None:
    """Print what was learned from questions like this one."""
    put(with_memory(settings, lambda known: known.search(text)), EMPTY, as_json=as_json)


def forget(settings: Settings, ids: Sequence[str], site: str, session: str, *, all: bool) -> None:
    """Forget for good."""
    count = with_memory(settings, lambda known: known.forget(ids, site, session, all=all))
    typer.echo(f"{_things(count)} forgotten." if count or all else NOT_THERE)


def rebuild(settings: Settings) -> None:
    """Restore the memory from the sessions, and say how far that has come."""
    console = Console(stderr=True, highlight=False)

    def progress(done: int, all: int) -> None:
        console.print(f"{done} of {all} sessions", end="\r" if console.is_terminal else "\n")

    kept = with_memory(settings, lambda known: known.rebuild(progress))
    for note in kept.notes:
        typer.echo(clean(note), err=True)
    learned = _things(kept.episodes + kept.snippets)
    typer.echo(f"{learned} restored from {kept.sessions} session{_s(kept.sessions)}.")


def forget_session(settings: Settings, id: str, *, wanted: bool | None) -> None:
    """Forget what a deleted session taught, if that is wanted; on a terminal a person is asked."""
    if wanted is None:
        asked = sys.stdin.isatty() and sys.stdout.isatty()
        wanted = asked and typer.confirm("Forget what it taught, too?", default=True)
    if wanted:
        try:
            count = with_memory(settings, lambda known: known.forget(session=id))
        except StoreError as error:
            raise StoreError(
                f"What it taught is not forgotten. {error.what}",
                f"{error.mend} Then: forager memory forget --session {id}",
            ) from error
        typer.echo(f"{_things(count)} forgotten.")


def put(items: Sequence[Item], none: str, *, as_json: bool) -> None:
    """Print items, one line each; on a terminal `none` where there are none."""
    if as_json:
        for item in items:
            typer.echo(json.dumps(item.model_dump(), ensure_ascii=False))
        return
    listing.put(HEADINGS, [_row(item) for item in items], none)


def _row(item: Item) -> tuple[str, ...]:
    learned = listing.hour(item.time)
    return (item.id, learned, *map(_short, (item.site, item.outcome, item.asked, item.told)))


def _short(text: str) -> str:
    line = listing.line(text)
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def with_memory(settings: Settings, work: Callable[[Known], Awaitable[T]]) -> T:
    async def run() -> T:
        async with open_memory(settings) as known:
            return await work(known)

    return asyncio.run(run())


def _things(count: int) -> str:
    return f"{count:,} thing{_s(count)}"


def _s(count: int) -> str:
    return "" if count == 1 else "s"

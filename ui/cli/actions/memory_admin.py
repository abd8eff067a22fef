"""What the memory and recipes commands do: list, search, forget and rebuild."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import typer
from rich.console import Console

from forager.errors import StoreError
from forager.settings import Settings
from forager.text.unicode import escape_json
from graphs.learning.admin import MemoryAdmin, MemoryItem, open_memory
from graphs.reports.events import format_count
from graphs.sessions.listing import forget_recipe, read_recipes
from graphs.system.deletion import Traces
from graphs.system.deletion import forget_session as forget
from ui.cli.exit_codes import NOTHING_FOUND
from ui.cli.logs import is_quiet, log_to_file
from ui.cli.printing.session_lists import print_rows
from ui.cli.printing.terminal_text import local_time, one_line, strip_controls

T = TypeVar("T")
HEADINGS = ("id", "learned", "site", "outcome", "question", "what")
RECIPE_HEADINGS = ("recipe", "kept", "site", "question")
CELL_LENGTH = 60
EMPTY = "The memory is empty: every run that opens pages adds to it."
NO_RECIPES = "No recipes yet: a run that finds its answer in a browser keeps one."


def list_memory(settings: Settings, site: str, *, as_json: bool) -> None:
    """Print what is remembered, newest first."""
    items = with_memory(settings, lambda memory: memory.list(site))
    none = f"Nothing is remembered about {strip_controls(site)}." if site else EMPTY
    print_items(items, none, as_json=as_json)


def search_memory(settings: Settings, text: str, *, as_json: bool) -> None:
    """Print what was learned from questions like this one."""
    items = with_memory(settings, lambda memory: memory.search(text))
    print_items(items, EMPTY, as_json=as_json)


def forget_items(
    settings: Settings, ids: Sequence[str], site: str, session: str, *, everything: bool
) -> None:
    """Forget for good; exits with 4 if nothing matches."""
    count = with_memory(settings, lambda memory: memory.forget(ids, site, session, all=everything))
    if count or everything:
        typer.echo(f"Forgot {format_count(count, 'item')}.")
        return
    named = [f"entry {id!r}" for id in ids]
    named += [f"entry about {site!r}"] if site else []
    named += [f"entry of session {session!r}"] if session else []
    typer.echo(strip_controls(f"No memory {' and no '.join(named)}."), err=True)
    raise typer.Exit(NOTHING_FOUND)


def rebuild_memory(settings: Settings) -> None:
    """Rebuild the memory from the sessions, with progress on standard error."""
    console = Console(stderr=True, highlight=False)

    def show_progress(done: int, count: int) -> None:
        if not is_quiet():
            console.print(f"{done} of {count} sessions", end="\r" if console.is_terminal else "\n")

    rebuilt = with_memory(settings, lambda memory: memory.rebuild(show_progress))
    for note in rebuilt.notes:
        typer.echo(strip_controls(note), err=True)
    items = format_count(rebuilt.episodes + rebuilt.snippets, "item")
    typer.echo(f"Restored {items} from {format_count(rebuilt.sessions, 'session')}.")


def forget_session(settings: Settings, id: str, traces: Traces, *, wanted: bool | None) -> None:
    """Forget what a deleted session taught and read, if `wanted`; on a terminal, None asks."""
    if wanted is None:
        on_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        wanted = on_terminal and typer.confirm(
            "Also delete what was learned from it?", default=True
        )
    if not wanted:
        return
    try:
        count = asyncio.run(forget(settings, id, traces))
    except StoreError as error:
        raise StoreError(
            f"What was learned from it is not deleted. {error.what}",
            f"{error.mend} Then: forager memory forget --session {id}",
        ) from error
    typer.echo(f"Forgot {format_count(count, 'item')}.")


def list_recipes(settings: Settings) -> None:
    """Print all recipes, newest first."""
    rows = [
        (
            str(each.id),
            local_time(each.kept),
            one_line(each.recipe.site),
            one_line(each.recipe.question),
        )
        for each in read_recipes(settings)
    ]
    print_rows(Console(highlight=False), RECIPE_HEADINGS, rows, NO_RECIPES)


def delete_recipe(settings: Settings, number: int) -> None:
    """Delete a recipe."""
    forget_recipe(settings, number)
    typer.echo(f"Deleted recipe {number}.")


def print_items(items: Sequence[MemoryItem], none: str, *, as_json: bool) -> None:
    """Print items, one line each, or `none` if there are none."""
    if as_json:
        for item in items:
            typer.echo(escape_json(json.dumps(item.model_dump(), ensure_ascii=False)))
        return
    rows = [_make_row(item) for item in items]
    print_rows(Console(highlight=False), HEADINGS, rows, none)


def with_memory(settings: Settings, work: Callable[[MemoryAdmin], Awaitable[T]]) -> T:
    """Run `work` on the memory, in an event loop of its own."""
    log_to_file(settings)

    async def run() -> T:
        async with open_memory(settings) as memory:
            return await work(memory)

    return asyncio.run(run())


def _make_row(item: MemoryItem) -> tuple[str, ...]:
    cells = (item.site, item.outcome, item.asked, item.told)
    return item.id, local_time(item.time), *(one_line(cell, CELL_LENGTH) for cell in cells)

"""A report on the screen: the answer, its numbered citations, what stayed open, what was spent."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from forager.answer import Quote
from forager.table import Table
from graphs.events import plural
from graphs.exports.citing import cited
from graphs.report import Report, Spent, caveat
from ui import tabling
from ui.plain import clean

INDENT = 4
WORD = re.compile(r"\w+")


class Line(NamedTuple):
    """A paragraph: how far it is indented, how it is styled; or the place of the table."""

    text: str
    indent: int = 0
    style: str = ""
    table: bool = False


def show(report: Report, console: Console) -> None:
    """Print a report. Where the console is no terminal, each paragraph is one plain line."""
    for line in lines(report):
        if line.table and report.table:
            _show_table(report.table, report, console)
            continue
        text = Text(clean(line.text), line.style)
        if not text:
            console.print()
        elif console.is_terminal:
            console.print(Padding(text, (0, 0, 0, line.indent), expand=False))
        else:
            indented = ("\n" + " " * line.indent).join(text.plain.splitlines())
            console.print(Text(" " * line.indent + indented), soft_wrap=True)


def _show_table(table: Table, report: Report, console: Console) -> None:
    numbers = tabling.numbers(report)
    if console.is_terminal:
        console.print(tabling.drawn(table, numbers))
        return
    for line in tabling.lines(table, numbers):
        console.file.write(f"{clean(line)}\n")  # rich would make spaces of the tabs


def lines(report: Report) -> Iterator[Line]:
    """What is printed of a report, in its order."""
    yield from _earlier(report)
    said = numbered(report) or no_answer(report)
    for number, paragraph in enumerate(filter(str.strip, said.splitlines())):
        if number:
            yield Line("")
        yield Line(paragraph)
    if report.table:
        yield Line("")
        yield Line("", table=True)
    yield from _sources(report)
    yield from _listed("Still open:", report.open)
    if report.status != "answered":
        yield from _listed("What went wrong:", report.notes)
    yield from _listed("Asked of a person:", [each.line for each in report.pleas])
    changed = [each.line for each in report.actions if each.changed]
    yield from _listed("Changed on a site:", changed)
    doubts = [f"“{doubt.sentence}” {doubt.why}" for doubt in report.doubts]
    yield from _listed("Not carried by the quotes:", doubts)
    yield Line("")
    if note := caveat(report):
        yield Line(note, style="dim")
    yield Line(f"{report.status} · {spent(report.spent)} · session {report.session}", style="dim")


def _earlier(report: Report) -> Iterator[Line]:
    """The turns before, then the question of this one."""
    for turn in report.turns:
        yield from _question(turn.number, turn.question, turn.meant)
        text = "".join(
            piece if isinstance(piece, str) else f"[{piece}]"
            for piece in cited(turn.answer, turn.citations)
        )
        for paragraph in filter(str.strip, (text or "No answer was found.").splitlines()):
            yield Line(paragraph, indent=INDENT)
        for number, item in enumerate(turn.citations, 1):
            yield Line(f"[{number}] {item.url}", indent=INDENT, style="cyan")
        yield Line("")
    if report.turns:
        yield from _question(len(report.turns) + 1, report.question, report.meant)


def _question(number: int, text: str, meant: str) -> Iterator[Line]:
    """A turn's question as it was written, and how it was read."""
    yield Line(f"{number}. {text}", style="bold")
    if meant:
        yield Line(f"read as: {meant}", indent=INDENT, style="dim")


def _listed(title: str, items: Sequence[str]) -> Iterator[Line]:
    """A list under its title, if there is anything in it."""
    if items:
        yield Line("")
        yield Line(title, style="yellow")
        yield from (Line(f"- {item}", indent=2) for item in items)


def _sources(report: Report) -> Iterator[Line]:
    """Each page once, with those of its quotes that the answer does not give in full itself."""
    cells = (cell.text for row in report.table.rows for cell in row) if report.table else ()
    said = words(" ".join([report.answer, *cells]))
    pages: dict[str, list[tuple[int, Quote]]] = {}
    for number, item in enumerate(report.citations, 1):
        pages.setdefault(item.url, []).append((number, item))
    for url, here in pages.items():
        yield Line("")
        title = " ".join(here[0][1].title.split())
        yield Line(f"{''.join(f'[{number}]' for number, _ in here)} {title or url}")
        if title:
            yield Line(url, indent=INDENT, style="cyan")
        for number, item in here:
            if words(item.quote) not in said:
                mark = f"[{number}] " if len(here) > 1 else ""
                yield Line(f"{mark}“{' '.join(item.quote.split())}”", indent=INDENT)


def words(text: str) -> str:
    """The words alone, without what a page or an answer marks them with."""
    return f" {' '.join(WORD.findall(text))} "


def numbered(report: Report) -> str:
    """The answer with citations numbered from 1 in place of the ledger's ids."""
    pieces = cited(report.answer, report.citations)
    said = "".join(piece if isinstance(piece, str) else f"[{piece}]" for piece in pieces)
    return tabling.runs(said)


def no_answer(report: Report) -> str:
    """What stands in the place of an answer that is not there."""
    return {
        "running": "The session is running.",
        "waiting": "The session waits for a person.",
        "interrupted": f"The session was interrupted; forager resume {report.session} goes on.",
        "failed": "There is no answer: the session failed. "
        f"Once the cause is gone, forager resume {report.session} goes on.",
    }.get(report.status, "No answer was found.")


def spent(used: Spent) -> str:
    """What was spent, in one line; money and model calls only where there were any."""
    counts = [
        plural(used.rounds, "round"),
        plural(used.actions, "action"),
        f"{plural(used.pages_fetched, 'page')} fetched",
        f"{used.pages_cached} cached",
    ]
    if used.tokens_in or used.tokens_out:
        counts.append(plural(used.model_calls, "model call"))
        counts.append(f"{used.tokens_in + used.tokens_out:,} tokens")
    if used.usd:
        counts.append(f"${used.usd:.4f}")
    return ", ".join([*counts, f"{used.seconds:.1f} s"])

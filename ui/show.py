"""A report on the screen: the answer, its numbered citations, what stayed open, what was spent."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from forager.domain.answers import Quote, Table
from graphs.reports.events import plural
from graphs.reports.exports.citations import cited
from graphs.reports.report import Report, Spent, caveat
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


def show(report: Report, console: Console, *, whole: bool = True) -> None:
    """Print a report, with all turns or only the last one.

    Where the console is no terminal, each paragraph is one plain line.
    """
    for line in lines(report, whole=whole):
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


def lines(report: Report, *, whole: bool = True) -> Iterator[Line]:
    """What is printed of a report, in its order."""
    yield from _earlier(report, whole=whole)
    yield from _said(numbered(report.answer, report.citations) or no_answer(report))
    if report.table:
        yield Line("")
        yield Line("", table=True)
    cells = [cell.text for row in report.table.rows for cell in row] if report.table else []
    yield from _sources(report.citations, [report.answer, *cells])
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


def _earlier(report: Report, *, whole: bool) -> Iterator[Line]:
    """The turns before or how many there are, then the question of this one."""
    if not report.turns:
        return
    if whole:
        for turn in report.turns:
            yield from _question(turn.number, turn.question, turn.meant)
            yield from _said(numbered(turn.answer, turn.citations) or "No answer was found.")
            yield from _sources(turn.citations, [turn.answer])
            yield Line("")
    else:
        came = f"{plural(len(report.turns), 'question')} came before"
        yield Line(f"{came}: forager show {report.session} prints all.", style="dim")
    yield from _question(len(report.turns) + 1, report.question, report.meant)


def _said(answer: str) -> Iterator[Line]:
    """The paragraphs of an answer."""
    for number, paragraph in enumerate(filter(str.strip, answer.splitlines())):
        if number:
            yield Line("")
        yield Line(paragraph)


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


def _sources(citations: Sequence[Quote], given: Sequence[str]) -> Iterator[Line]:
    """Each page once, with those of its quotes that are not `given` in full already."""
    said = words(" ".join(given))
    pages: dict[str, list[tuple[int, Quote]]] = {}
    for number, item in enumerate(citations, 1):
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


def numbered(answer: str, citations: Sequence[Quote]) -> str:
    """The answer with citations numbered from 1 in place of the ledger's ids."""
    pieces = cited(answer, citations)
    said = "".join(piece if isinstance(piece, str) else f"[{piece}]" for piece in pieces)
    return tabling.runs(said)


def no_answer(report: Report) -> str:
    """What stands in the place of an answer that is not there."""
    return {
        "running": "The session is running.",
        "waiting": "The session waits for a person.",
        "paused": f"The session is paused; forager resume {report.session} goes on.",
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

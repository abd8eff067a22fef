"""A report on the screen: the answer, its numbered citations, what stayed open, what was spent."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from graphs.report import Quote, Report, Spent
from ui.plain import clean

WORD = re.compile(r"\w+")
IDS = re.compile(r"\[(\w+(?:\s*,\s*\w+)*)\]")


class Line(NamedTuple):
    """A paragraph: how far it is indented, how it is styled."""

    text: str
    indent: int = 0
    style: str = ""


def show(report: Report, console: Console) -> None:
    """Print a report. Where the console is no terminal, each paragraph is one plain line."""
    for line in lines(report):
        text = Text(clean(line.text), line.style)
        if console.is_terminal:
            console.print(Padding(text, (0, 0, 0, line.indent)))
        else:
            indented = ("\n" + " " * line.indent).join(text.plain.splitlines())
            console.print(Text(" " * line.indent + indented if text else ""), soft_wrap=True)


def lines(report: Report) -> Iterator[Line]:
    """What is printed of a report, in its order."""
    yield Line(numbered(report) or no_answer(report), style="bold")
    said = words(report.answer)
    for number, item in enumerate(report.citations, 1):
        yield Line("")
        yield from _cited(number, item, quoted=words(item.quote) in said)
    if report.open:
        yield Line("")
        yield Line("Still open:", style="yellow")
        for part in report.open:
            yield Line(f"- {part}", indent=2)
    yield Line("")
    yield Line(f"{report.status} · {spent(report.spent)} · session {report.session}", style="dim")


def _cited(number: int, item: Quote, *, quoted: bool) -> Iterator[Line]:
    """A citation; a quote that the answer itself gives in full is not given again."""
    mark = f"[{number}] "
    title = " ".join(item.title.split())
    parts = [("" if quoted else f"“{' '.join(item.quote.split())}”", "")]
    parts += [("" if title == item.url else title, "dim"), (item.url, "cyan")]
    for place, (text, style) in enumerate(part for part in parts if part[0]):
        yield Line(text if place else mark + text, len(mark) if place else 0, style)


def words(text: str) -> str:
    """The words alone, without what a page or an answer marks them with."""
    return f" {' '.join(WORD.findall(text))} "


def numbered(report: Report) -> str:
    """The answer with citations numbered from 1 in place of the ledger's ids."""
    numbers = {item.id: str(number) for number, item in enumerate(report.citations, 1)}

    def number(found: re.Match[str]) -> str:
        ids = [id.strip() for id in found[1].split(",")]
        if not numbers.keys() >= set(ids):
            return found[0]  # brackets of the text itself
        return "".join(f"[{numbers[id]}]" for id in ids)

    return IDS.sub(number, report.answer)


def no_answer(report: Report) -> str:
    """What stands in the place of an answer that is not there."""
    return {
        "running": "The session is running.",
        "interrupted": f"The session was interrupted; forager resume {report.session} goes on.",
        "failed": "There is no answer: the session failed.",
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


def plural(count: int, noun: str) -> str:
    """`1 page`, `2 pages`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"

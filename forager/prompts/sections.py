"""What a prompt is made of: sections of items, each item with how much it matters."""

import re
from collections.abc import Iterable, Mapping

from forager.domain.base import Frozen
from forager.domain.state import Evidence, Passage
from forager.text.unicode import break_marks, strip_invisible

ENTRY_MARK = re.compile(r"\[(?=\s*-?\d+\s*\]|\s*[ep]\s?\d)", re.IGNORECASE)
"""What a line of a page must not begin an entry of ours with."""
MAX_LINE = 240
OWN_ID = re.compile(r"\w{1,8}")


class Item(Frozen):
    """A piece of a section that is shown whole or not at all; the least relevant goes first."""

    text: str
    relevance: float = 0.0


class Section(Frozen):
    """A titled part of a prompt that may take up to `tokens`.

    `material` was written by others and is fenced; what is not is the question's or our own. The
    items of `running` text follow one another, and a mark stands where some were left out.
    """

    title: str
    items: tuple[Item, ...]
    tokens: int
    material: bool = True
    running: bool = False
    empty: str = "none"


def text_section(title: str, text: str, tokens: int = 600) -> Section:
    """A section of one text that is the user's or our own."""
    return Section(title=title, items=(Item(text=text),), tokens=tokens, material=False)


def list_items(texts: Iterable[str], *, newest: bool = False) -> tuple[Item, ...]:
    """A line for each text; the first matters most, or the last one where that is the newest."""
    sign = 1 if newest else -1
    return tuple(
        Item(text=f"- {one_line(text)}", relevance=sign * place) for place, text in enumerate(texts)
    )


def one_line(text: str, limit: int = MAX_LINE) -> str:
    """A text as one line that cannot pass for an entry of a list."""
    return clip_line(break_marks(" ".join(strip_invisible(text).split()), ENTRY_MARK), limit)


def clip_line(line: str, limit: int) -> str:
    """At most so many characters; a mark in brackets that would be cut through is left out whole.

    What is left of it could not be told from the mark of a prompt.
    """
    if len(line) <= limit:
        return line
    begun = line[: limit - 1]
    opened = max(begun.rfind(bracket) for bracket in "<＜❮﹤")
    return f"{begun[:opened] if opened > begun.rfind('>') else begun}…"


def safe_id(id: str) -> str:
    """An id that a model made up, as it is told back: nothing that may be a page's words."""
    return repr(id) if OWN_ID.fullmatch(id) else "of such a name"


def evidence_items(ledger: Iterable[Evidence], worth: Mapping[str, float]) -> tuple[Item, ...]:
    """The entries of the ledger by their ids, with where they stand; `worth` by id."""
    return tuple(
        Item(text=format_passage(item.id, item.passage), relevance=worth.get(item.id, 0.0))
        for item in ledger
    )


def format_passage(id: str, passage: Passage) -> str:
    """A passage under its id: where it stands, then its words, each line marked as quoted."""
    place = " · ".join(dict.fromkeys(name for name in (passage.title, passage.section) if name))
    lines = "\n".join(f"> {line}" for line in passage.text.splitlines() if line.strip())
    date = f", dated {passage.dated}" if passage.dated else ""
    return f"[{id}] {one_line(place)} ({one_line(passage.url)}{date})\n{lines}"

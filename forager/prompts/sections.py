"""Sections of a prompt: items of text, each with its relevance.

Text of pages must not imitate citations, our fence or chat templates: such marks are escaped.
"""

import re
from collections.abc import Iterable, Mapping

from forager.domain.base import Frozen
from forager.domain.state import Evidence, Passage
from forager.text.unicode import break_marks, strip_invisible

CITATION_MARK = re.compile(r"\s*\[(e\d+(?:\s*[,;]\s*e\d+)*)\]")


def escape_citations(text: str) -> str:
    """Text of a page with everything that looks like one of our citations in round brackets."""
    return CITATION_MARK.sub(r" (\1)", text)


FENCE_MARK = re.compile(r"\[(?=\s*\[\s*/?\s*(?:material|end)\b)", re.IGNORECASE)
TEMPLATE_MARK = re.compile(
    r"<(?=[|｜][^\n<>]{0,40}[|｜]>"
    r"|/?(?:s|bos|eos|pad|unk|sop|think(?:ing)?|system|developer|user|assistant|human|model|tool|"
    r"(?:start|end)_of_[a-z]+|unused\d+|[BE]OS_TOKEN|invoke|parameter|function\b=?|"
    r"(?:tool|function)_?(?:call|calls|response|result|results|use))\b[^\n<>]{0,80}>"
    r"|<\s*/?\s*SYS\s*>>)",
    re.IGNORECASE,
)
INSTRUCTION_MARK = re.compile(
    r"\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|gMASK)\])",
    re.IGNORECASE,
)


ENTRY_MARK = re.compile(r"\[(?=\s*-?\d+\s*\]|\s*[ep]\s?\d)", re.IGNORECASE)
"""The beginning of an entry in our notation; text of a page must not contain it."""
MAX_LINE = 240
OWN_ID = re.compile(r"\w{1,8}")


class Item(Frozen):
    """A piece of a section, shown whole or not at all; the least relevant is dropped first."""

    text: str
    relevance: float = 0.0


class Section(Frozen):
    """A titled part of a prompt that may take up to `tokens`.

    `material` is text of others and is fenced; other sections are the user's or our own. In
    `running` text the items are consecutive, and a mark shows where some were left out.
    """

    title: str
    items: tuple[Item, ...]
    tokens: int
    material: bool = True
    running: bool = False
    empty: str = "none"


def text_section(title: str, text: str, tokens: int = 600) -> Section:
    """A section with a single text that is the user's or our own."""
    return Section(title=title, items=(Item(text=text),), tokens=tokens, material=False)


def list_items(texts: Iterable[str], *, newest: bool = False) -> tuple[Item, ...]:
    """A line for each text; the first is the most relevant, or with `newest` the last."""
    sign = 1 if newest else -1
    return tuple(
        Item(text=f"- {one_line(text)}", relevance=sign * place) for place, text in enumerate(texts)
    )


def one_line(text: str, limit: int = MAX_LINE) -> str:
    """A text on one line that cannot pass for an entry of the ledger."""
    return clip_line(break_marks(" ".join(strip_invisible(text).split()), ENTRY_MARK), limit)


def clip_line(line: str, limit: int) -> str:
    """Clip a line to `limit` characters; a mark in brackets at the cut is dropped completely.

    The rest of such a mark could be mistaken for a mark of the prompt.
    """
    if len(line) <= limit:
        return line
    clipped = line[: limit - 1]
    opening = max(clipped.rfind(bracket) for bracket in "<＜❮﹤")
    return f"{clipped[:opening] if opening > clipped.rfind('>') else clipped}…"


def safe_id(id: str) -> str:
    """An id that a model invented, in a form that is safe to show: no text of a page."""
    return repr(id) if OWN_ID.fullmatch(id) else "of such a name"


def evidence_items(ledger: Iterable[Evidence], worth: Mapping[str, float]) -> tuple[Item, ...]:
    """The entries of the ledger as items, with the relevance in `worth` by id."""
    return tuple(
        Item(text=format_passage(item.id, item.passage), relevance=worth.get(item.id, 0.0))
        for item in ledger
    )


def format_passage(id: str, passage: Passage) -> str:
    """Format a passage: its id and source, then its text as quoted lines."""
    place = " · ".join(dict.fromkeys(name for name in (passage.title, passage.section) if name))
    lines = "\n".join(f"> {line}" for line in passage.text.splitlines() if line.strip())
    date = f", dated {passage.dated}" if passage.dated else ""
    return f"[{id}] {one_line(place)} ({one_line(passage.url)}{date})\n{lines}"

"""Is what a question needs of a page in its observation, or found by the question's own words?"""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Final, Literal

from forager.browsing.page.aria import Node
from forager.browsing.page.controls import acts
from forager.browsing.page.find import find
from forager.browsing.page.observation import Observation
from forager.domain.browser import Snapshot
from forager.text.tokens import keywords

Kept = Literal["shown", "found", "by words", "lost"]
KEPT: Final[tuple[Kept, ...]] = ("shown", "found", "by words", "lost")
WORD = re.compile(r"\w+")
MARK = re.compile(r"\[((?:f\d+)?e\d+)(?: (?:button|code|generic|img|listitem|tab|textbox)\b)?")
"""What an element has beside its name."""
RUN, ENOUGH = 3, 0.7
"""A quote is there if this share of its runs of so many words is."""
LONGEST_NAME = 60

Holds = Callable[[str], bool]


def passage(quote: str, text: str) -> bool:
    """Is a quote in a text, but for marks of ours and a few words?"""
    size = min(RUN, len(WORD.findall(quote)))
    wanted = _runs(quote, size)
    return len(wanted & _runs(MARK.sub(" ", text), size)) >= ENOUGH * len(wanted)


def elements(root: Node, goal: str) -> list[Node]:
    """The elements that a goal names; where it names none, all that can be acted on."""
    flat = _plain(goal)
    acting = [node for node in root.walk() if acts(node)]
    known = {_plain(node.name) for node in acting}
    wanted = []
    for node in root.walk():
        name = _plain(node.name or node.text)
        text = not acts(node) and name in known
        if node.ref and not text and name != flat and _says(flat, name):
            wanted.append(node)
    return wanted or acting


def element(node: Node, text: str) -> bool:
    """Is an element in a text of ours, or one around it or in it that does the same?"""
    beside = {each.ref for each in (*node.above(), *node.walk()) if acts(each)}
    return not {node.ref, *beside}.isdisjoint(found[1] for found in MARK.finditer(text))


def kept(observed: Observation, snapshot: Snapshot, question: str, holds: Holds) -> Kept:
    """Where what is needed is: `holds` says whether a text has it."""
    if holds("\n".join(item.text for item in observed.lines)):
        return "shown"
    if holds("\n".join(find(snapshot, question))):
        return "found"
    return (
        "by words" if any(holds("\n".join(hits)) for hits in _few(snapshot, question)) else "lost"
    )


def _few(snapshot: Snapshot, question: str) -> Iterable[Sequence[str]]:
    """What is found by each word of a question, and by each with the next."""
    words = [word for word in WORD.findall(question) if keywords(word)]
    for word in words:
        yield find(snapshot, word)
    for pair in pairwise(words):
        yield find(snapshot, " ".join(pair))


def _runs(text: str, size: int) -> set[tuple[str, ...]]:
    words = [word.casefold() for word in WORD.findall(text)]
    return {tuple(words[at : at + size]) for at in range(len(words) - size + 1)}


def _says(goal: str, name: str) -> bool:
    if not 0 < len(name) <= LONGEST_NAME:
        return False
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", goal) is not None


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()

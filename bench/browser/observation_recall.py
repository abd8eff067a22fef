"""Checks whether an observation, or a search in its page, still contains what a question needs."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Final, Literal

from forager.browsing.page.aria import Node
from forager.browsing.page.controls import is_actionable
from forager.browsing.page.find import find_lines
from forager.browsing.page.observation import Observation
from forager.domain.browser import Snapshot
from forager.text.tokens import keywords

Retention = Literal["shown", "found", "by words", "lost"]
RETENTIONS: Final[tuple[Retention, ...]] = ("shown", "found", "by words", "lost")
WORD = re.compile(r"\w+")
MARK = re.compile(r"\[((?:f\d+)?e\d+)(?: (?:button|code|generic|img|listitem|tab|textbox)\b)?")
"""The mark of an element in an observation, before its name."""
RUN, ENOUGH = 3, 0.7
"""A text contains a quote if it has this share of the quote's runs of RUN words."""
LONGEST_NAME = 60

ContainsNeed = Callable[[str], bool]


def contains_passage(quote: str, text: str) -> bool:
    """Return whether a text contains a quote, ignoring element marks and a few words."""
    size = min(RUN, len(WORD.findall(quote)))
    wanted = _word_runs(quote, size)
    return len(wanted & _word_runs(MARK.sub(" ", text), size)) >= ENOUGH * len(wanted)


def goal_elements(root: Node, goal: str) -> list[Node]:
    """Return the elements that a goal names, or all interactive ones if it names none."""
    flat = _fold_text(goal)
    acting = [node for node in root.walk() if is_actionable(node)]
    known = {_fold_text(node.name) for node in acting}
    wanted = []
    for node in root.walk():
        name = _fold_text(node.name or node.text)
        text = not is_actionable(node) and name in known
        if node.ref and not text and name != flat and _names_element(flat, name):
            wanted.append(node)
    return wanted or acting


def contains_element(node: Node, text: str) -> bool:
    """Return whether an observation has an element, or an interactive one around or inside it."""
    beside = {each.ref for each in (*node.ancestors(), *node.walk()) if is_actionable(each)}
    return not {node.ref, *beside}.isdisjoint(found[1] for found in MARK.finditer(text))


def classify_retention(
    observed: Observation, snapshot: Snapshot, question: str, holds: ContainsNeed
) -> Retention:
    """Return where the needed text is; `holds` says whether a given text contains it."""
    if holds("\n".join(item.text for item in observed.lines)):
        return "shown"
    if holds("\n".join(find_lines(snapshot, question))):
        return "found"
    return (
        "by words"
        if any(holds("\n".join(hits)) for hits in _search_by_words(snapshot, question))
        else "lost"
    )


def _search_by_words(snapshot: Snapshot, question: str) -> Iterable[Sequence[str]]:
    """Yield the search results for each word of a question and each pair of adjacent words."""
    words = [word for word in WORD.findall(question) if keywords(word)]
    for word in words:
        yield find_lines(snapshot, word)
    for pair in pairwise(words):
        yield find_lines(snapshot, " ".join(pair))


def _word_runs(text: str, size: int) -> set[tuple[str, ...]]:
    words = [word.casefold() for word in WORD.findall(text)]
    return {tuple(words[at : at + size]) for at in range(len(words) - size + 1)}


def _names_element(goal: str, name: str) -> bool:
    if not 0 < len(name) <= LONGEST_NAME:
        return False
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", goal) is not None


def _fold_text(text: str) -> str:
    return " ".join(text.split()).casefold()

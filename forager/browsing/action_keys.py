"""What an action comes to: which proposals have one effect, and which repeat what was done."""

import re
import unicodedata
from hashlib import sha256

from forager.browsing.page.aria import Node
from forager.domain.actions import Action
from forager.domain.browser import Snapshot
from forager.domain.urls import identity, linked

VOLATILE = re.compile(r"\[(?:ref|cursor|active)(?:=[^\]]*)?\]|\d+")
"""What differs between two looks at one page: refs, and the numbers of clocks and counters."""
URL_KINDS = frozenset({"visit", "goto", "new_tab"})
DIGITS = 16
EDGES = " \t.,;:!?'\"“”‘’„«»()[]"


def effect_key(action: Action, node: Node | None = None, page: str = "") -> str:
    """A key that actions proposed at one view share if they come to the same.

    `node` is the action's target, `page` the address that its link is relative to: a click on a
    link goes to its address, if it has one. Answers are compared as words.
    """
    if action.kind == "click" and node is not None and (there := _link_target(node, page)):
        return f"goto {identity(there)}"
    if action.kind in URL_KINDS:
        return f"{action.kind} {identity(action.target)}"
    if action.kind == "stop":
        return f"stop {normalise_words(action.value)}"
    enter = " and Enter" if action.submit else ""
    return f"{action.kind} {action.target} {normalise_words(action.value)}{enter}".strip()


def habit_key(action: Action, look: str) -> str:
    """A key that an action shares with those that did the same to a page that looked the same."""
    if action.element is None:
        target = identity(action.target) if action.kind in URL_KINDS else action.target
    else:
        element = action.element
        target = " / ".join((*element.ancestors, f"{element.role} {element.name}"))
    return " | ".join(
        (look, action.kind, target, normalise_words(action.value), str(action.submit))
    )


def look_digest(snapshot: Snapshot) -> str:
    """A digest that snapshots share which look the same, but for refs and numbers."""
    shown = f"{identity(snapshot.url)} {VOLATILE.sub('', snapshot.tree)}"
    return sha256(shown.encode()).hexdigest()[:DIGITS]


def _link_target(node: Node, page: str) -> str:
    """Where a link goes; nowhere, if its address only stands for a script (`#`, `javascript:`)."""
    if node.role != "link" or not node.url or node.url.endswith("#"):
        return ""
    return linked(page, node.url)


def normalise_words(text: str) -> str:
    """A text as words alone: case, forms, spaces, and marks at the ends of words are dropped."""
    words = unicodedata.normalize("NFKC", text).casefold().split()
    return " ".join(word for each in words if (word := each.strip(EDGES)))

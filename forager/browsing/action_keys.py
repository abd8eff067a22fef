"""Keys of actions: which proposals have the same effect, and which repeat an earlier step."""

import re
import unicodedata
from hashlib import sha256

from forager.browsing.page.aria import Node
from forager.domain.actions import Action
from forager.domain.browser import Snapshot
from forager.domain.urls import link_target, page_identity

VOLATILE_MARKUP = re.compile(r"\[(?:ref|cursor|active)(?:=[^\]]*)?\]|\d+")
"""What changes between snapshots of one page: refs, and the numbers of clocks and counters."""
ADDRESS_KINDS = frozenset({"visit", "goto", "new_tab"})
DIGEST_LENGTH = 16
OUTER_PUNCTUATION = " \t.,;:!?'\"“”‘’„«»()[]"


def effect_key(action: Action, node: Node | None = None, page: str = "") -> str:
    """A key that actions proposed at one view share if they have the same effect.

    `node` is the action's target and `page` the base URL of its link: a click on a link counts as
    going to its URL. Answers are compared word by word.
    """
    if action.kind == "click" and node is not None and (target_url := _link_target(node, page)):
        return f"goto {page_identity(target_url)}"
    if action.kind in ADDRESS_KINDS:
        return f"{action.kind} {page_identity(action.target)}"
    if action.kind == "stop":
        return f"stop {normalise_words(action.value)}"
    enter = " and Enter" if action.submit else ""
    return f"{action.kind} {action.target} {normalise_words(action.value)}{enter}".strip()


def habit_key(action: Action, look: str) -> str:
    """A key that an action shares with earlier ones that did the same on an equal-looking page."""
    if action.element is None:
        target = page_identity(action.target) if action.kind in ADDRESS_KINDS else action.target
    else:
        element = action.element
        target = " / ".join((*element.ancestors, f"{element.role} {element.name}"))
    return " | ".join(
        (look, action.kind, target, normalise_words(action.value), str(action.submit))
    )


def look_digest(snapshot: Snapshot) -> str:
    """A digest shared by snapshots that look the same, apart from refs and numbers."""
    shown = f"{page_identity(snapshot.url)} {VOLATILE_MARKUP.sub('', snapshot.tree)}"
    return sha256(shown.encode()).hexdigest()[:DIGEST_LENGTH]


def _link_target(node: Node, page: str) -> str:
    """The URL of a link; empty if it only triggers a script (`#`, `javascript:`)."""
    if node.role != "link" or not node.url or node.url.endswith("#"):
        return ""
    return link_target(page, node.url)


def normalise_words(text: str) -> str:
    """A text reduced to words: without case, Unicode variants, spacing and outer punctuation."""
    words = unicodedata.normalize("NFKC", text).casefold().split()
    return " ".join(word for token in words if (word := token.strip(OUTER_PUNCTUATION)))

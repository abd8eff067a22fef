"""Aims an action at a page that was walked to again: elements have other refs there."""

from forager.action import Action
from forager.aria import by_ref, describe, parse
from forager.errors import ActionError
from forager.matching import match
from forager.view import Snapshot

MEND = "Choose again from what the page shows now."
TO_ELEMENTS = frozenset({"drag", "scroll"})
"""Whose value may be an element too."""


def aimed(action: Action, then: Snapshot, now: Snapshot) -> Action:
    """The action with the refs of the page as it is now. Raises ActionError if there is none."""
    before, after = parse(then.tree), parse(now.tree)

    def ref(old: str) -> str:
        seen = by_ref(before, old)
        own = action.element if old == action.target else None
        element = own or (describe(seen) if seen else None)
        if element is None:
            return old
        found = match(element, after, seen)
        if found.node is None:
            raise ActionError(f"The element is not on the page as it is now. {found.why}", MEND)
        return found.node.ref

    changed = {"target": ref(action.target)} if action.element else {}
    if action.kind in TO_ELEMENTS and by_ref(before, action.value):
        changed["value"] = ref(action.value)
    return action.model_copy(update=changed)

"""Aims an action at a page that was walked to again: elements have other refs there."""

from typing import Final

from forager.browsing.element_match import match_element
from forager.browsing.page.aria import by_ref, describe, parse
from forager.domain.actions import Action
from forager.domain.browser import Snapshot
from forager.errors import ActionError

RETARGET_MEND: Final = "Choose again from what the page shows now."
ON_ELEMENTS: Final = frozenset({"click", "type", "select", "hover", "drag", "press"})
"""Whose target is an element."""
TO_ELEMENTS: Final = frozenset({"drag", "scroll"})
"""Whose value may be an element too."""


def retarget_action(action: Action, then: Snapshot, now: Snapshot) -> Action:
    """The action with the refs of the page as it is now. Raises ActionError if there is none."""
    before, after = parse(then.tree), parse(now.tree)

    def ref(old: str) -> str:
        seen = by_ref(before, old)
        own = action.element if old == action.target else None
        element = own or (describe(seen) if seen else None)
        if element is None:
            raise ActionError(f"The element {old} was not described.", RETARGET_MEND)
        found = match_element(element, after, seen)
        if found.node is None:
            raise ActionError(
                f"The element is not on the page as it is now. {found.why}", RETARGET_MEND
            )
        return found.node.ref

    changed = {}
    if action.kind in ON_ELEMENTS and action.target:
        changed["target"] = ref(action.target)
    if action.kind in TO_ELEMENTS and by_ref(before, action.value):
        changed["value"] = ref(action.value)
    return action.model_copy(update=changed)

"""Judges whether a visit may change something, by its address and the links that lead to it."""

from collections.abc import Iterator

from forager.browsing.safety.address_verbs import link_side_effect
from forager.domain.actions import Action
from forager.domain.documents import Document
from forager.domain.state import State
from forager.domain.urls import page_identity, pages_at_hand
from forager.ports import Blobs


def visit_side_effect(state: State, blobs: Blobs, action: Action) -> str:
    """Why the visit may change something on the server; empty if it does not look so.

    An address that the user gave is visited as given, and the survey has judged the links to its
    pages. Raises StoreError.
    """
    target = page_identity(action.target)
    if action.kind != "visit" or target in map(page_identity, state.question.sites):
        return ""
    ranked = any(page_identity(arm.url) == target for arm in state.arms)
    return link_side_effect(action.target, () if ranked else _link_texts(state, blobs, target))


def _link_texts(state: State, blobs: Blobs, target: str) -> Iterator[str]:
    """The texts of the links to a page, on the pages that the run has opened or recalled."""
    for page in (*(step.page for step in state.steps if step.page), *pages_at_hand(state)):
        document = Document.model_validate_json(blobs.get(page.blob))
        yield from (link.text for link in document.links if page_identity(link.url) == target)

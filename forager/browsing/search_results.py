"""Tells which pages of a browser's trajectory need no reading, as their text is found elsewhere."""

from urllib.parse import unquote_plus, urldefrag, urlsplit

from forager.browsing.page import control_words
from forager.browsing.trajectory import viewed_steps
from forager.domain.actions import Action
from forager.domain.documents import Document, Link
from forager.domain.state import State, Step
from forager.domain.urls import page_identity
from forager.errors import MissingBlobError
from forager.ports import Blobs
from forager.text.tokens import tokenize


def shows_no_new_text(state: State, step: Step, page: Document, blobs: Blobs) -> bool:
    """Does the browser show only known text, or search results that are still to be opened?"""
    pages = [each.page for each in viewed_steps(state) if each.page and each.id != step.id]
    if not pages or step.view is None or step.page is None:
        return False
    try:
        last = Document.model_validate_json(blobs.get(pages[-1].blob))
    except MissingBlobError:
        return False
    return step.page.blob in [each.blob for each in pages] or leads_to_results(
        step.action, page, last
    )


def leads_to_results(action: Action, page: Document, before: Document) -> bool:
    """Did a search lead to a list of results (whose pages say more than their excerpts)?

    If so, the page has new links or link texts, and its URL contains words of the search; a search
    that goes straight to the best page has none in its URL.
    """
    element = action.element
    if action.kind != "type" or not action.submit or element is None:
        return False
    if element.role != "searchbox" and not control_words.contains_phrase(
        element.name, control_words.SEARCH
    ):
        return False
    words = set(tokenize(action.value))
    parts = urlsplit(page.url)
    if words.isdisjoint(tokenize(unquote_plus(f"{parts.query} {parts.fragment}"))):
        return False
    known = {_link_key(link) for link in before.links}
    here = page_identity(page.url)
    return any(_link_key(link) not in known and _link_key(link)[0] != here for link in page.links)


def _link_key(link: Link) -> tuple[str, str, str]:
    """A link's target, text and context."""
    return page_identity(urldefrag(link.url).url), link.text, link.context

"""A list of results is opened, not read; a page that a search opens directly is read."""

import pytest

from forager.browsing.trajectory import leads_to_results
from forager.domain.actions import Action, Element
from tests.nodes.states import document, url

FIELD = Element(role="textbox", name="Search")
SEARCHED = Action(kind="type", target="e1", value="reed relay", submit=True, element=FIELD)
BEFORE = document("", "", [url("about")])


def test_new_links_after_a_search_are_results() -> None:
    found = document("search?q=reed+relay", "", [url("about"), f"{url('seven')} Relays"])
    assert leads_to_results(SEARCHED, found, BEFORE)


@pytest.mark.parametrize("path", ["relay", "search?q=reed+relay"])
def test_a_page_without_new_links_or_found_at_once_is_read(path: str) -> None:
    links = [url("about")] if "?" in path else [url("about"), url("seven")]
    assert not leads_to_results(SEARCHED, document(path, "", links), BEFORE)


def test_a_filter_or_a_click_is_no_search() -> None:
    found = document("table?name=reed+relay", "", [url("row")])
    field = Element(role="textbox", name="Value")
    assert not leads_to_results(SEARCHED.model_copy(update={"element": field}), found, BEFORE)
    assert not leads_to_results(SEARCHED.model_copy(update={"kind": "click"}), found, BEFORE)
    assert not leads_to_results(SEARCHED.model_copy(update={"submit": False}), found, BEFORE)

"""JSON as a document that can be quoted."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.adapters.web.read.json_page import document_of, read_json
from forager.errors import ContentError

URL = "https://api.example/x"


def text_of(value: object) -> str:
    return read_json(json.dumps(value).encode(), URL).text


def test_fields_are_a_list() -> None:
    told = {"name": "Fastnet", "height": 54, "lit": True, "keeper": None, "tags": ["rock", "sea"]}
    assert text_of(told) == "- name: Fastnet\n- height: 54\n- lit: true\n- tags: rock, sea"


def test_records_are_a_table() -> None:
    rows = [{"name": "A|B", "height": 1}, {"name": "C", "built": "1904"}]
    assert text_of(rows) == "name | height | built\nA¦B | 1 | \nC |  | 1904"


def test_what_is_nested_stands_under_a_heading() -> None:
    page = read_json(
        json.dumps({"count": 2, "lights": [{"id": 1, "place": {"country": "IE"}}]}).encode(), URL
    )
    assert page.text == (
        "- count: 2\n\n## lights\n\n### 1\n\n- id: 1\n\n#### place\n\n- country: IE"
    )
    assert [page.text[each.start :].partition("\n")[0] for each in page.headings] == [
        "## lights",
        "### 1",
        "#### place",
    ]


def test_records_are_named_by_their_title() -> None:
    told = [{"title": "On rocks", "by": {"name": "Ann"}}, {"note": {"a": 1}}]
    assert text_of(told).splitlines()[0] == "## On rocks"
    assert "## 2" in text_of(told)


def test_addresses_are_links() -> None:
    page = read_json(b'{"more": "see https://example.org/a for all"}', URL)
    assert [link.url for link in page.links] == ["https://example.org/a"]


@pytest.mark.parametrize(
    ("body", "says"),
    [(b"<p>", "is not valid JSON"), (b"[" * 100_000, "JSON"), (b"[" * 200 + b"]" * 200, "nests")],
)
def test_what_is_no_json_or_too_deep_is_refused(body: bytes, says: str) -> None:
    with pytest.raises(ContentError, match=says):
        read_json(body, URL)


def test_an_empty_reply_is_noted() -> None:
    assert document_of([], URL, "").note == "The reply holds no text."


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(JSON)
def test_any_json_is_a_document_that_can_be_stored(value: object) -> None:
    page = read_json(json.dumps(value).encode(), URL)
    assert type(page).model_validate_json(page.model_dump_json()) == page
    assert all(page.text[each.start] == "#" for each in page.headings)

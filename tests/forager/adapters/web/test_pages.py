"""Recorded pages of five documentation generators, with the text and links to be read."""

import json
from pathlib import Path

import pytest
from pydantic import BaseModel

from forager.adapters.web.read.page_reader import read_page

PAGES = Path(__file__).parents[3] / "pages"


class Facts(BaseModel):
    """The expectations for a recorded page; `links` and `contexts` are keyed by link text."""

    url: str
    title: str
    lang: str
    headings: list[tuple[int, str]]
    begins: str
    contains: list[str]
    lacks: list[str]
    links: dict[str, str]
    contexts: dict[str, str]


@pytest.mark.parametrize("case", sorted(folder.name for folder in PAGES.iterdir()))
def test_a_recorded_page(case: str) -> None:
    facts = Facts.model_validate(json.loads((PAGES / case / "facts.json").read_text("utf-8")))
    document = read_page((PAGES / case / "page.html").read_bytes(), "text/html", facts.url)
    assert (document.url, document.title, document.lang) == (facts.url, facts.title, facts.lang)
    assert [(heading.level, heading.text) for heading in document.headings] == facts.headings
    assert document.text.startswith(facts.begins)
    assert [words for words in facts.contains if words not in document.text] == []
    assert [words for words in facts.lacks if words in document.text] == []
    by_text = {link.text: link for link in reversed(document.links)}
    assert {text: by_text[text].url for text in facts.links} == facts.links
    assert {text: by_text[text].context for text in facts.contexts} == facts.contexts

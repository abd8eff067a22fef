"""The date that a page states for itself is found; other dates are ignored."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.adapters.web.read.page_dates import find_text_date
from forager.adapters.web.read.page_reader import read_page
from forager.domain.documents import Document
from tests.forager.adapters.web.html_reader import URL, read_html

TODAY = date(2026, 6, 1)
FILLER = "".join(
    f"<p>Paragraph {number} is about the height of a light.</p>" for number in range(40)
)


def of(source: str) -> str:
    return read_html(source).dated


def linked(body: str) -> str:
    return f'<script type="application/ld+json">{body}</script><p>Words.'


DECLARED = {
    linked('{"@type": "Article", "dateModified": "2024-05-31T10:00:00+02:00"}'): "2024-05-31",
    linked('{"@type": "NewsArticle", "datePublished": "2024-05"}'): "2024-05",
    linked(
        '{"@graph": [{"@type": "WebPage", "dateModified": "2024-05-31"},'
        '{"@type": "Article", "dateModified": "2020-01-01"}]}'
    ): "2024-05-31",
    linked('[{"@type": ["Thing", "TechArticle"], "dateModified": "2024-05-31"}]'): "2024-05-31",
    linked('{"@type": "Event", "datePublished": "2024-05-31", "startDate": "2024-06-01"}'): "",
    linked(
        '[{"@type": "Article", "dateModified": "2024-05-31"},'
        '{"@type": "Article", "dateModified": "2023-05-31"}]'
    ): "",
    linked('{"@type": "Article", "dateModified": "2024-05-31"'): "",
    linked('{"@type": "Article", "dateModified": 20240531}'): "",
    "<meta property='article:modified_time' content='2024-05-31T00:00:00Z'><p>x": "2024-05-31",
    "<meta name='DCTERMS.modified' content='2024-05-31'><p>x": "2024-05-31",
    "<meta http-equiv='Last-Modified' content='Fri, 31 May 2024 10:00:00 GMT'><p>x": "2024-05-31",
    "<meta name=citation_date content='2019/03/14'><p>x": "2019-03-14",
    "<meta name=date content='2019'><p>x": "",
    "<meta name=date content='2019-02-31'><p>x": "",
    "<meta name=date content='9999-01-01'><p>x": "",
    "<meta name=date content='1970-01-01'><p>x": "",
    "<meta name=expires content='2024-05-31'><p>x": "",
    "<meta name=date content=2020-01-01><meta name=last-modified content=2024-05-31>": "2024-05-31",
    "<header><h1>T</h1><time datetime='2024-05-31T10:00'>May</time></header><p>x": "2024-05-31",
    "<p class=byline>By A. B., <time datetime=2024-05-31>31 May</time></p>": "2024-05-31",
    "<p>Updated <time class=updated datetime=2024-05-31>31 May</time>"
    "<p class=byline><time datetime=2020-01-01>1 January</time>": "2024-05-31",
    "<p>The storm of <time datetime=1999-12-26>26 December</time> broke it.": "",
    "<div class=comments><p class=byline><time datetime=2024-05-31>x</time></div>": "",
    "<ul><li class=post-meta><time datetime=2024-05-31>x</time></ul>": "",
}  # fmt: skip


@pytest.mark.parametrize(("source", "said"), DECLARED.items())
def test_dates_in_the_markup_are_found(source: str, said: str) -> None:
    assert of(source) == said


LINES = {
    "Last updated on 31 May 2024": "2024-05-31",
    "Last updated on May 31, 2024. Found a bug?": "2024-05-31",
    "Last updated 2024-05-31 00:35:55 UTC": "2024-05-31",
    "Last modified: 2024-05-31 00:35:55 UTC": "2024-05-31",
    "This page last modified on 2022-12-27 16:51:24 UTC": "2022-12-27",
    "This page was last edited on 31 May 2024, at 12:00 (UTC).": "2024-05-31",
    "Page last changed Fri May 31 10:00:00 2024": "2024-05-31",
    "Last Updated: Friday, 31st May 2024": "2024-05-31",
    "Last revised: May 2024": "2024-05",
    "Latest update 13/05/2024": "2024-05-13",
    "Last update | 2024/05/31": "2024-05-31",
    "Updated: 31.05.2024": "2024-05-31",
    "© 2001-2024 The Lights. Last updated 31 May 2024.": "2024-05-31",
    "Published on 31 May 2024": "2024-05-31",
    "Published on 3 May 2020 · Last updated on 31 May 2024": "2024-05-31",
    "Stand: 3. Mai 2024": "2024-05-03",
    "Zuletzt geändert am 3. Mai 2024": "2024-05-03",
    "Diese Seite wurde zuletzt am 3. Mai 2024 um 12:00 Uhr bearbeitet.": "2024-05-03",
    "Dernière mise à jour : 3 mai 2024": "2024-05-03",
    "La dernière modification : le 1er mai 2024": "",
    "Dernière modification le 1er mai 2024": "2024-05-01",
    "最后更新：2024年5月3日": "2024-05-03",
    "本页最后修改于2024年5月3日": "2024-05-03",
    "最終更新日: 2024年5月3日": "2024-05-03",
    "Last updated 3/4/2024": "",
    "Last updated 2024": "",
    "Last updated 31 May 2024 and again 2025": "2024-05-31",
    "Last updated by the keeper before the storm of 31 May 2024": "",
    "The lamp was last changed on 31 May 2024": "",
    "© 2001-2024 The Lights": "",
    "The light was lit on 31 May 2024.": "",
    "Last updated 31 May 9024": "",
}  # fmt: skip


@pytest.mark.parametrize(("line", "said"), LINES.items())
def test_dates_in_the_text_are_found(line: str, said: str) -> None:
    assert of(f"<h1>Lights</h1><p>{line}</p>{FILLER}") == said
    assert of(f"<h1>Lights</h1>{FILLER}<footer>{line}</footer>") == said


def test_a_date_within_the_text_is_ignored() -> None:
    assert of(f"{FILLER}<p>Last updated on 31 May 2024</p>{FILLER}") == ""
    assert of("<h1>T</h1><pre>Last updated on 31 May 2024</pre>") == ""
    assert of("<h1>T</h1><p hidden>Last updated on 31 May 2024</p><p>x") == ""


@pytest.mark.parametrize(
    "thing",
    ["<ul><li>Updated 31 May 2024: the bell rings.</ul>", "<p>Released on 31 May 2024.</p>"],
)
def test_the_date_of_a_thing_on_the_page_is_not_the_pages(thing: str) -> None:
    assert not of(f"<h1>Bell</h1>{thing}{FILLER}")


def test_two_dates_of_a_kind_are_ignored() -> None:
    assert of("<p>Updated: 3 May 2024<p>Updated: 4 May 2024") == ""
    assert of("<p>Updated: 3 May 2024<p>Published: 4 May 2023") == "2024-05-03"


def test_a_text_without_markup_may_be_dated() -> None:
    body = b"Lights\n\nLast updated: 31 May 2024\n\nThe light of Skarn is 32 m high.\n"
    assert read_page(body, "text/plain", URL).dated == "2024-05-31"
    assert find_text_date("Updated: 2 June 2026", TODAY) == "2026-06-02"
    assert find_text_date("Updated: 3 June 2026", TODAY) == ""


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    said = find_text_date(f"Last updated {text}", TODAY)
    assert said == "" or date.fromisoformat(f"{said}-01"[:10]) <= date(2026, 6, 2)
    assert isinstance(read_html(f"<p>Updated {text}"), Document)

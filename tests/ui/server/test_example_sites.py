"""The sites that ship with Forager: whole, and answering what the start page asks."""

import asyncio
import re
from html import unescape
from pathlib import Path
from urllib.parse import urljoin

import pytest

from forager.answers.likelihood import doubtful_parts
from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.settings import Settings
from graphs.reports.answer_layout import lines_before_more
from graphs.sessions.service import Report, open_sessions
from ui.server.examples.example_sites import (
    CONFERENCE,
    ENCYCLOPEDIA,
    GRAPH,
    QUESTIONS,
    SITES,
    ExampleQuestion,
    ExampleSite,
    serve_examples,
)
from ui.server.handbook.handbook_site import HOST

LINK = re.compile(r'href="([^"]+)"')
TITLE = re.compile(r"<title>(.+)</title>")


@pytest.mark.parametrize("site", SITES, ids=lambda site: site.name)
def test_a_site_is_whole(site: ExampleSite) -> None:
    files = {path: file.decode() for path, file in site.pages().items()}
    linked = {target for file in files.values() for target in LINK.findall(file)}
    assert {urljoin("/", target) for target in linked} == files.keys()
    pages = {path: file for path, file in files.items() if path != "/style.css"}
    assert 5 <= len(pages) <= 12
    titles = [unescape(found[1]) for page in pages.values() if (found := TITLE.search(page))]
    assert len(set(titles)) == len(pages)
    assert all("<table>" in page or "<p>" in page for page in pages.values())


def test_the_sites_are_where_they_were_last_time(tmp_path: Path) -> None:
    with serve_examples(tmp_path) as first:
        roots = dict(first)
    with serve_examples(tmp_path) as again:
        assert again == roots
    assert len(set(roots.values())) == len(SITES)


def test_the_examples_are_answered_right_offline(tmp_path: Path) -> None:
    reports = asyncio.run(_ask_all(tmp_path, QUESTIONS))
    for asked, report in zip(QUESTIONS, reports, strict=True):
        said = "\n".join(lines_before_more(report.answer))
        assert report.status == "answered", asked.text
        assert [word for word in asked.answer if word not in said] == [], said
        assert len(report.leads) == len(asked.answer)
        assert not doubtful_parts(report.leads)


TWO_PAGES = (
    ExampleQuestion(
        CONFERENCE,
        "two pages",
        "How long do the workshops last, and what is the nearest airport?",
        ("three hours", "Shannon"),
    ),
    ExampleQuestion(
        CONFERENCE,
        "two pages",
        "When does early booking end, and where does the conference take place?",
        ("31 March 2027", "Docklands Centre"),
    ),
    ExampleQuestion(
        ENCYCLOPEDIA,
        "one page",
        "How high is Harrow Light, and when was it first lit?",
        ("38 metres", "3 November 1865"),
    ),
)


def test_each_part_of_a_question_has_its_own_answer(tmp_path: Path) -> None:
    for asked, report in zip(TWO_PAGES, asyncio.run(_ask_all(tmp_path, TWO_PAGES)), strict=True):
        told = zip(asked.answer, report.leads, strict=True)
        assert [lead.text for word, lead in told if word not in lead.text] == []


async def _ask_all(data: Path, questions: tuple[ExampleQuestion, ...]) -> list[Report]:
    settings = Settings(data=data, memory=False, allow_private=(HOST,), embedding_url=None)
    reports = []
    with serve_examples(data) as roots:
        async with open_sessions(settings) as sessions:
            for asked in questions:
                site = roots[asked.site]
                question = Question(text=asked.text, sites=(site,), budget=Budget(seconds=120))
                id = await sessions.start(question, GRAPH, "offline")
                reports.append(await sessions.run(id))
    return reports

"""What a new graph can begin with is valid, and every pattern answers a question."""

import asyncio
from pathlib import Path

import pytest

from forager.domain.state import Question
from graphs.check.checker import find_faults
from graphs.spec.library import TEMPLATES, Template, list_templates
from graphs.spec.spec import preset_names
from tests.browsers import needs_browser
from tests.graphs.worker import opened
from tests.observatory import ANOTHER, PAGES, TICKETS
from tests.servers import Site

PATTERNS = [each for each in list_templates() if not each.is_preset]
WALKING = [each.name for each in PATTERNS if each.name != "human-approval"]


def test_there_are_six_patterns_and_the_presets() -> None:
    assert [each.name for each in PATTERNS] == [
        "deduplicate",
        "gate-before-answer",
        "human-approval",
        "parallel-arms",
        "second-opinion",
        "translate",
    ]
    assert [each.name for each in list_templates() if each.is_preset] == list(preset_names())


@pytest.mark.parametrize("template", list_templates(), ids=lambda each: each.name)
def test_the_checker_has_nothing_to_say(template: Template) -> None:
    assert template.spec.name == template.name
    assert template.spec.description
    assert find_faults(template.spec) == ()


@pytest.mark.parametrize("name", [*WALKING, pytest.param("human-approval", marks=needs_browser)])
def test_a_pattern_answers_a_question_offline(name: str, tmp_path: Path) -> None:
    asyncio.run(answer(name, tmp_path))


async def answer(name: str, folder: Path) -> None:
    with Site(PAGES) as site:
        question = Question(text=ANOTHER, sites=(site.url(),), seed=7)
        async with opened(folder, str(site.port)) as sessions:
            graph = str(TEMPLATES / f"{name}.yaml")
            report = await sessions.run(await sessions.start(question, graph, "offline"))
    assert report.status == "answered", report.error
    assert TICKETS in report.answer
    assert any(TICKETS in citation.quote for citation in report.citations)

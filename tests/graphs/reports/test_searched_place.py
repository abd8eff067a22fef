"""Where a question without sites was looked for in fact."""

from dataclasses import replace

import pytest

from forager.domain.state import Question, State, Step, Survey
from forager.domain.survey import NOT_THE_WEB, PARTLY_THE_WEB
from graphs.reports.report import Searched, searched_place
from tests.nodes.search_states import result, searched

ON_WEB = searched("lamp", result("https://a.org/"))
IN_KEPT = searched("lamp", result("https://a.org/"), reason=f"Away. {NOT_THE_WEB}")


@pytest.mark.parametrize(
    ("notes", "steps", "place"),
    [
        ((), (), ""),
        (("brave is away.",), (ON_WEB,), ""),
        (("brave is away.", NOT_THE_WEB), (), "kept"),
        ((PARTLY_THE_WEB,), (), "both"),
        ((NOT_THE_WEB,), (ON_WEB,), "both"),
        ((NOT_THE_WEB,), (IN_KEPT,), "kept"),
        ((), (IN_KEPT, ON_WEB), "both"),
    ],
)
def test_the_place_is_that_of_all_searches(
    notes: tuple[str, ...], steps: tuple[Step, ...], place: Searched
) -> None:
    state = State(question=Question(text="Who?", sites=()), survey=Survey(notes=notes))
    assert searched_place(replace(state, steps=steps)) == place


def test_a_site_mapped_beside_a_search_of_kept_pages_came_from_the_web() -> None:
    survey = Survey(pages={"https://a.org/": 3})
    state = State(question=Question(text="Who?", sites=()), survey=survey)
    assert searched_place(replace(state, steps=(IN_KEPT,))) == "both"


def test_named_sites_are_the_place() -> None:
    question = Question(text="Who?", sites=("https://a.org/",))
    assert not searched_place(State(question=question, survey=Survey(notes=(NOT_THE_WEB,))))

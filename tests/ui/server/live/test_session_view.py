"""What stands for an answer until there is one, and how an earlier answer is laid out."""

from typing import Any

import pytest

from forager.domain.survey import NOT_THE_WEB
from graphs.reports.report import Report, ReportedEvidence
from graphs.reports.trace import RunTrace
from graphs.spec.spec import load_graph
from tests.ui.server.live.test_timeline import Told, node, session
from ui.server.live.session_view import build_view
from ui.server.live.timeline import Timeline

PAGE = """# The island

The island has a harbour.
| village | people |
# The keeper

Ada keeps the light of Ona. She came in 1874.
- She has a boat.
- She has a dog.
"""


def view_of(report: Report) -> Any:
    """The document of a run."""
    own = session()
    return build_view(own, report, Timeline(own), RunTrace(load_graph("forager")))


def test_until_a_run_has_ended_its_view_names_what_a_search_asks() -> None:
    own, way = session(), RunTrace(load_graph("forager"))
    for status, named in (("running", ["brave", "duckduckgo"]), ("answered", [])):
        shown = report().model_copy(update={"status": status})
        view: Any = build_view(own, shown, Timeline(own), way, ("brave", "duckduckgo"))
        assert view["session"]["providers"] == named


def report(*evidence: ReportedEvidence) -> Report:
    return Report(
        session="one",
        graph="forager",
        graph_hash="",
        model="offline",
        status="running",
        answer="",
        evidence=evidence,
    )


def test_a_draft_shows_only_the_lines_that_fit_the_question() -> None:
    found = ReportedEvidence(
        id="e1",
        url="http://a.test/",
        title="A",
        quote=PAGE,
        part="p1",
        part_text="Who keeps the light of Ona?",
        round=1,
    )
    (drafted,) = view_of(report(found))["answer"]["draft"]
    lines = [
        "".join(text for cell in block["cells"] for text, _ in cell) for block in drafted["blocks"]
    ]
    assert lines[:2] == ["The keeper", "Ada keeps the light of Ona. She came in 1874."]
    assert len(lines) <= 3


def searched(report: Report, timeline: Timeline) -> object:
    """Where the head of the run says that it looks."""
    view: Any = build_view(session(), report, timeline, RunTrace(load_graph("forager")))
    return view["session"]["searched"]


def test_pages_of_earlier_sessions_are_named_as_soon_as_they_are_searched_for_the_web() -> None:
    tell = Told()
    tell(node("surveyor"), "started")
    assert searched(report(), tell.timeline) == ""
    tell(node("surveyor"), "warned", NOT_THE_WEB)
    assert searched(report(), tell.timeline) == "kept"
    ended = report().model_copy(update={"searched": "both"})
    assert searched(ended, Timeline(session())) == "both"


@pytest.mark.parametrize(("known", "told"), [(62, "62 pages are known"), (1, "1 page is known")])
def test_a_survey_that_was_stopped_is_told_with_the_figure_of_its_row(
    known: int, told: str
) -> None:
    tell = Told()
    tell(node("surveyor"), "started")
    tell(node("surveyor"), "progress", "a.test: 2 of at most 1,950 pages mapped")
    tell(node("surveyor"), "started")
    tell(node("surveyor"), "finished", f"{known} pages known")
    stopped = report().model_copy(update={"known": known, "status": "partial"})
    view: Any = build_view(session(), stopped, tell.timeline, RunTrace(load_graph("forager")))
    assert view["answer"]["reading"] == f"Finding pages is not complete: {told}."
    (row,) = view["timeline"].values()
    assert (row["outcome"], row["text"]) == ("interrupted", f"{known} pages known")

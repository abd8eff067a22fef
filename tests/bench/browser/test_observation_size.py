"""What an observation keeps is measured on a small site and on pages with goals."""

from pathlib import Path

import pytest

from bench.browser.observation_recall import (
    classify_retention,
    contains_element,
    contains_passage,
    goal_elements,
)
from bench.browser.observation_size import ObservationPlan, draw_pages
from forager.browsing.page.aria import parse_aria
from forager.browsing.page.observation import Observation
from forager.domain.browser import Snapshot
from graphs.experiments.question_set import Record
from tests.bench.coast import RECORDS, run_bench, table_cells
from tests.browsers import needs_browser
from tests.servers import Site

TREE = """\
- generic [ref=e1]:
  - generic [ref=e2]: Pick Red
  - row [ref=e3]:
    - text: Red
    - button "Red" [ref=e4]
  - generic [ref=e5] [cursor=pointer]:
    - generic [ref=e6]: Blue
"""


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("so it was [e3 built by] the engineer Marta Lindqvist, in 1874.", True),
        ("built by the engineer … in 1874", False),
        ("", False),
    ],
)
def test_a_passage_is_there_but_for_marks_and_a_few_words(text: str, there: bool) -> None:
    assert contains_passage("Built by the engineer Marta Lindqvist in 1874", text) == there


def test_a_goal_names_elements() -> None:
    root = parse_aria(TREE)
    assert [node.ref for node in goal_elements(root, "Pick Red")] == ["e4"]
    assert [node.ref for node in goal_elements(root, "Pick blue")] == ["e6"]
    assert [node.ref for node in goal_elements(root, "Do it")] == ["e4", "e5"]


def test_an_element_is_there_if_one_around_it_is() -> None:
    [blue] = goal_elements(parse_aria(TREE), "Pick blue")
    assert contains_element(blue, "- [e5 Blue]")
    assert not contains_element(blue, "- Blue, [e4 button Red]")


def test_what_is_not_shown_may_be_found() -> None:
    snapshot = Snapshot(url="", tree="- paragraph: The keeper was Jon.\n- paragraph: It rains.")
    nothing = Observation(lines=())
    for question, way in (
        ("Who was the keeper?", "found"),
        ("Who lit the keepers lamp, and rained on?", "found"),
        ("Who else?", "lost"),
    ):
        assert classify_retention(nothing, snapshot, question, lambda text: "Jon" in text) == way


def test_pages_are_drawn_by_a_seed() -> None:
    page = {"site": "a", "path": "/1", "quote": "x"}
    records = [
        Record.model_validate(
            {"id": str(n), "type": "t", "sites": ["a"], "question": f"{n}?", "pages": [page | path]}
        )
        for n, path in enumerate(({}, {"path": "/2"}, {"path": "/3"}, {}))
    ]
    sites = {"a": "http://a/"}
    drawn_all = draw_pages(records, sites, ObservationPlan(seed=1))
    assert sorted(len(one.needs) for one in drawn_all) == [1, 1, 2]
    assert draw_pages(records, sites, ObservationPlan(seed=1, pages=2)) == drawn_all[:2]


@needs_browser
def test_observations_stand_beside_snapshots(tmp_path: Path, site: Site, questions: str) -> None:
    given = ("observe", "--questions", questions, "--sites", f"coast={site.url()}")
    result = run_bench(tmp_path, *given, "--tasks", "2", "--pages", "2")
    coast = table_cells(result, "sites")
    assert coast[1] == str(len(RECORDS) - 1)
    assert coast[-4:] == ["100.0", "0.0", "0.0", "0.0"]
    assert table_cells(result, "miniwob")[1] == "2"
    assert float(table_cells(result, "all")[4]) < 100
    assert "/skarn.html: " in result.stderr

"""The bench of retrieval on a few tasks of its own."""

import json
from pathlib import Path

import pytest

from bench.memory.retrieval import FacetScore, load_steps, measure_retrieval, retrieval_lines
from forager.errors import UsageError
from forager.settings import Settings

TASKS = [
    {
        "id": f"{site}-{thing}",
        "domain": "Shopping",
        "subdomain": "General",
        "website": site,
        "confirmed_task": f"Find the {thing}",
        "action_reprs": [
            "[link]  Shop -> CLICK",
            f"[searchbox]  Find -> TYPE: {thing}",
            "[span]  Wool: fine -> CLICK",
        ],
    }
    for site in ("coast", "hill")
    for thing in ("lamp", "rope")
]


def write_tasks(folder: Path, tasks: object) -> Path:
    path = folder / "tasks.json"
    path.write_text(json.dumps(tasks))
    return path


def test_the_ablation_stands_beside_the_baseline(tmp_path: Path) -> None:
    said: list[str] = []
    scores = measure_retrieval(
        write_tasks(tmp_path, TASKS), Settings(data=tmp_path), 4, 0, said.append
    )
    told = {each.facets: (each.element, each.site) for each in scores}
    assert told["none"] == (0.0, 0.0)
    assert told["both"] == (1.0, 1.0)
    heading, *rows = retrieval_lines(scores)
    assert heading.split()[:3] == ["facets", "element", "website"]
    assert rows[2].split()[:4] == ["both", "1.000", "1.000", "0.197"]
    assert len(rows) == 5
    assert said[0].startswith("12 steps stored in ")


def test_steps_are_read_with_all_before_them(tmp_path: Path) -> None:
    steps = load_steps(write_tasks(tmp_path, TASKS))
    assert [len(each.moment.before) for each in steps[:3]] == [0, 1, 2]
    typed = steps[1].action
    assert (typed.kind, typed.value) == ("type", "lamp")
    assert typed.element
    assert (typed.element.role, typed.element.name) == ("searchbox", "Find")
    assert steps[2].action.value == ""
    assert steps[0].time < steps[1].time


@pytest.mark.parametrize("tasks", [{}, [{"website": "a"}], [{**TASKS[0], "action_reprs": ["x"]}]])
def test_another_file_is_refused(tmp_path: Path, tasks: object) -> None:
    with pytest.raises(UsageError, match="of Mind2Web"):
        load_steps(write_tasks(tmp_path, tasks))


def test_a_score_without_a_baseline_has_none_beside_it() -> None:
    score = FacetScore(facets="chronological", element=0.0, site=0.0, median=1.0, p95=2.0)
    assert "/" not in list(retrieval_lines([score]))[1]

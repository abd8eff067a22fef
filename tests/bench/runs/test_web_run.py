"""`bench run mind2web`: steps asked on their recorded pages, of a model that is right at some."""

import json
from pathlib import Path

import pytest
from typer.testing import Result

from bench.prompt_sections import prompt_sections
from tests.bench.coast import run_bench, table_cells
from tests.bench.samples import WEB_TASK
from tests.bench.web_tasks import BOOKING, PORT, SEARCH, TALK, TICKETS, web_file, web_step, web_turn
from tests.browsers import needs_browser
from tests.endpoint import Asked, Endpoint, Reply
from tests.endpoint.reader import ELEMENT, ROLE
from tests.endpoint.request import Json, said

MOVES: dict[tuple[str, int], Json] = {
    ("Book ferry tickets to Holm for 2 guests", 1): {"kind": "click", "ref": "Ferry tickets"},
    ("Book ferry tickets to Holm for 2 guests", 2): {
        "kind": "type",
        "ref": "textbox Port or island",
        "value": "Holm pier",
    },
    ("Book ferry tickets to Holm for 2 guests", 3): {
        "kind": "select",
        "ref": "combobox Guests = 1 guest (1 guest | 2 guests)",
        "value": "2 guests",
    },
    ("See the offers", 1): {"kind": "click", "ref": "e999"},
    ("Find ferry tickets", 1): {"kind": "click", "ref": "Ferry tickets"},
    ("Now for Holm", 1): {"kind": "type", "ref": "textbox Port or island", "value": "Holm"},
    ("Now for Holm", 2): {"kind": "click", "ref": "button Search"},
}
"""By the task and the number of steps so far, the opening of the site included."""
RATIONALE = "Tickets are sold there."


def choose(asked: Asked) -> Reply:
    if ROLE.findall(asked.system) == ["refiner"]:
        return Reply({"rationale": RATIONALE})
    prompt = prompt_sections(said(asked.messages[1]))
    page = next(body for title, body in prompt.items() if title == "The page")
    refs = {name: ref for ref, name in ELEMENT.findall(page)}
    move = MOVES[prompt["Question"].splitlines()[0], len(prompt["Your last steps"].splitlines())]
    return Reply({**move, "ref": refs.get(str(move["ref"]), move["ref"])})


def navigator_prompts(endpoint: Endpoint) -> list[dict[str, str]]:
    asked = [one for one in endpoint.requests if ROLE.findall(one.system) == ["navigator"]]
    return [prompt_sections(said(one.messages[1])) for one in asked]


def run_web(folder: Path, *words: str, graph: str = "self-map") -> Result:
    file, out = folder / "web.json", folder / "out"
    return run_bench(
        folder, "run", "mind2web", str(file), "--graph", graph, "--out", str(out), *words
    )


def read_rows(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "out/rows.jsonl").read_text().splitlines()]


def means(cells: list[str]) -> list[str]:
    """The means of a line, without the intervals."""
    return [cells[place] for place in (2, 6, 10, 14, 18)]


@needs_browser
def test_steps_are_asked_once_and_scored_as_published(tmp_path: Path) -> None:
    file = web_file(tmp_path)
    with Endpoint(choose) as endpoint:
        model = ("--model", "openai:scripted", "--base-url", endpoint.url)
        first = run_web(tmp_path, *model)
        step, element, operation, turn, shown = means(table_cells(first, "self-map", "7"))
        rows = read_rows(tmp_path)
        asked = len(endpoint.requests)
        lines = (tmp_path / "out/rows.jsonl").read_text().splitlines(keepends=True)
        (tmp_path / "out/rows.jsonl").write_text("".join(lines[:4] + lines[5:6]))
        again = run_web(tmp_path, *model)
        resumed = navigator_prompts(endpoint)[-2:]
    assert [(row["id"], row["element"], row["operation"]) for row in rows] == [
        ("t1_a", TICKETS, "CLICK"),
        ("t1_b", PORT, "TYPE Holm pier"),
        ("t1_c", "21", "SELECT 2 guests"),
        ("t2_a", TICKETS, "CLICK"),
        ("c1a_a", TICKETS, "CLICK"),
        ("c1b_a", PORT, "TYPE Holm"),
        ("c1b_b", SEARCH, "CLICK"),
    ]
    assert [row["shown"] for row in rows] == [row["id"] != "t2_a" for row in rows]
    assert all(row["calls"] and row["tokens_in"] and row["seconds"] for row in rows)
    assert (step, turn, shown) == ("55.6", "33.3", "85.7")
    assert means(table_cells(again, "self-map", "7")) == [step, element, operation, turn, shown]
    assert [row["unanswered"] for row in rows] == [int(row["id"] == "t2_a") for row in rows]
    assert asked == len(rows) + 2, "one reply was returned, and one step explained for later ones"
    assert len(endpoint.requests) == asked + 3, "two steps were missing, one of them explained"
    assert [one["Question"].splitlines()[0] for one in resumed] == [
        "Find ferry tickets",
        "Now for Holm",
    ]
    assert (
        RATIONALE
        in resumed[1]["Steps like this one, from earlier questions; they may not fit here"]
    )
    assert "- Find ferry tickets" in resumed[1]["Question"]
    predictions = tmp_path / "out/predictions-self-map.json"
    scored = run_bench(
        tmp_path, "score", "--set", "mind2web", "--gold", str(file), "--answers", str(predictions)
    )
    assert table_cells(scored, "published") == ["published", "3", element, operation, step, turn]
    page = (tmp_path / "out/report.html").read_text()
    assert "Not right: 2 of 7 steps" in page
    assert "The browser does not show it." in page
    assert "Shopping" in first.stdout
    assert "no usable reply, and a built-in rule stood in: 1" in again.stdout


@needs_browser
def test_the_rule_chooses_without_a_model(tmp_path: Path) -> None:
    task = web_turn("t1", "Open the ferry tickets", [web_step("a", TICKETS, "CLICK")])
    web_file(tmp_path, task)
    found = run_web(tmp_path, graph="weboperator,infogent-visual")
    for graph in ("weboperator", "infogent-visual"):
        assert table_cells(found, graph, "1")[2] == "100.0"
    rows = read_rows(tmp_path)
    assert [(row["calls"], row["model"]) for row in rows] == [(0, "offline")] * 2
    assert len({row["data"] for row in rows}) == 2


@pytest.mark.parametrize(
    ("record", "words", "says"),
    [
        (WEB_TASK, [], "it lacks actions"),
        (
            {**BOOKING, "actions": [web_step("a", PORT, "CLICK", page="")]},
            [],
            "it lacks cleaned_html",
        ),
        (TALK, ["--graph", "forager"], "--graph infogent-visual,self-map,weboperator"),
        (TALK, ["--judge", "offline"], "no use for --judge"),
        (TALK, ["--mirror", "x"], "no use for --mirror"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    tmp_path: Path, record: dict[str, object], words: list[str], says: str
) -> None:
    web_file(tmp_path, record)
    found = run_web(tmp_path, *words)
    assert found.exit_code == 2, found.output
    assert says in found.stderr

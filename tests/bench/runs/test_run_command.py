"""`bench run`: sets asked over a site of three pages, with rows, predictions and a report page."""

import json
from pathlib import Path

import pytest

from bench.runs.set_run import with_form
from forager.settings import Settings
from graphs.spec.library import open_library
from nodes.answerer import PROMPT
from tests.bench.coast import run_bench, table_cells
from tests.bench.judge_replies import reply_as_judge
from tests.bench.samples import FANOUT, TASK, WALKER, json_file
from tests.endpoint import Endpoint
from tests.endpoint.reader import ROLE
from tests.servers import Site

SKARN = {**WALKER, "Question": "Which engineer built the Skarn lighthouse?", "answer": "Lindqvist"}
BREAD = {**SKARN, "Question": "How do I bake sourdough bread?", "answer": "With flour"}
ROOT = str(WALKER["root_url"])


def read_lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_set_is_asked_of_mirrors_and_goes_on_where_it_stopped(tmp_path: Path, site: Site) -> None:
    out = tmp_path / "out"
    file = str(json_file(tmp_path, SKARN, {**BREAD, "type": "single_source"}))
    words = ("run", "webwalkerqa", file, "--mirror", f"{ROOT}={site.url()}", "--out", str(out))
    first = run_bench(tmp_path, *words, "--graph", "forager,webwalker")
    found = table_cells(first, "forager")
    assert found[:6] == ["forager", "2", "50.0", "(0.0", "to", "100.0)"]
    assert first.stdout.count("multi_source hard") == first.stdout.count("single_source hard") == 2
    rows = read_lines(out / "rows.jsonl")
    assert [row["graph"] for row in rows] == ["forager", "forager", "webwalker", "webwalker"]
    assert all(Path(str(row["data"]), "sessions.sqlite").exists() for row in rows)
    assert len({row["data"] for row in rows}) == 2
    assert all(row["pages"] and row["seconds"] for row in rows[:1])
    predictions = read_lines(out / "predictions-forager.jsonl")
    assert predictions[0]["question"] == SKARN["Question"]
    assert "Lindqvist" in str(predictions[0]["pred"])
    assert predictions[1]["pred"] == ""
    page = (out / "report.html").read_text()
    assert "Not right: 1 of 2" in page
    assert f"./run show {rows[1]['session']}" in page
    assert "<script" not in page
    site.asked.clear()
    (out / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows[:3]))
    again = run_bench(tmp_path, *words, "--graph", "forager,webwalker")
    assert table_cells(again, "forager")[:6] == found[:6]
    kept = read_lines(out / "rows.jsonl")
    assert [row["session"] for row in kept[:3]] == [row["session"] for row in rows[:3]]
    assert (len(kept), kept[3]["graph"]) == (4, "webwalker")


def test_a_conversation_is_asked_in_full(tmp_path: Path, site: Site) -> None:
    turns = [
        {"question": "Which engineer built the Skarn lighthouse?", "answer": ["Lindqvist"]},
        {"question": "And when?", "answer": ["1874"]},
    ]
    talk = {"id": "c1", "type": "conversation", "sites": ["coast"], "turns": turns}
    file = tmp_path / "talk.jsonl"
    file.write_text(json.dumps(talk))
    out = tmp_path / "out"
    sites = f"coast={site.url()}"
    found = run_bench(tmp_path, "run", "questions", str(file), "--sites", sites, "--out", str(out))
    assert table_cells(found, "conversation")[:3] == ["conversation", "2", "100.0"]
    rows = read_lines(out / "rows.jsonl")
    assert [(row["id"], row["turn"]) for row in rows] == [("c1", 1), ("c1#2", 2)]
    assert rows[0]["session"] == rows[1]["session"]
    page = run_bench(tmp_path, "results", str(out)).stdout
    row, types = [line for line in page.splitlines() if line.startswith("| forager")]
    assert types == "| forager, offline | 2 of 2 |"
    cells = [cell.strip() for cell in row.split("|")[1:-1]]
    assert cells[:6] == [
        "forager, offline",
        "2",
        *["100.0 (100.0 to 100.0)"] * 2,
        "0.0 (0.0 to 0.0)",
        "0 of 0",
    ]
    assert f"## `{file}`" in page
    assert "has no run" in run_bench(tmp_path, "results", str(tmp_path)).output


def test_fanoutqa_asks_the_mirror_of_wikipedia(tmp_path: Path, site: Site) -> None:
    question = {**FANOUT, "question": "How high is the Holm lighthouse?", "answer": "41 metres"}
    file = str(json_file(tmp_path, question))
    mirror = f"https://en.wikipedia.org/={site.url()}"
    out = tmp_path / "out"
    found = run_bench(tmp_path, "run", "fanoutqa", file, "--mirror", mirror, "--out", str(out))
    assert table_cells(found, "forager")[:3] == ["forager", "1", "100.0"]
    [prediction] = read_lines(out / "predictions-forager.jsonl")
    assert prediction["id"] == "f1"
    assert "41 metres" in str(prediction["answer"])


def test_a_judge_grades_the_rows_once(tmp_path: Path, site: Site) -> None:
    file = str(json_file(tmp_path, SKARN))
    words = ("run", "webwalkerqa", file, "--mirror", f"{ROOT}={site.url()}")
    with Endpoint(reply_as_judge) as endpoint:
        judge = ("--judge", "openai:scripted", "--judge-base-url", endpoint.url)
        for _ in range(2):
            found = run_bench(tmp_path, *words, *judge, "--judge-prompt", "forager")
            assert table_cells(found, "forager")[:3] == ["forager", "1", "100.0"]
            assert "1 of 1 answers graded" in found.stdout
        assert len(endpoint.requests) == 1


def test_the_form_of_the_answer_reaches_the_answerer(tmp_path: Path, site: Site) -> None:
    """The site stands in for the web's: the question names none, so a search finds nothing."""
    spec = open_library(Settings(data=tmp_path)).resolve("forager")
    assert with_form(spec, "") is spec
    told = with_form(spec, str(TASK["instruction"]))
    [answerer] = [node for node in told.nodes.values() if node.type == "answerer"]
    assert answerer.prompts["WriteAnswer"].startswith(PROMPT)
    assert "Provide final answer without formatting." in answerer.prompts["WriteAnswer"]
    assert told.hash != spec.hash
    with Endpoint(reply_as_judge) as endpoint:
        file = tmp_path / "q.json"
        file.write_text(json.dumps([{**SKARN}]))
        model = ("--model", "openai:scripted", "--base-url", endpoint.url)
        mirror = ("--mirror", f"{ROOT}={site.url()}")
        graph = tmp_path / "told.yaml"
        graph.write_text(told.canonical())
        found = run_bench(
            tmp_path, "run", "webwalkerqa", str(file), *mirror, *model, "--graph", str(graph)
        )
        asked = [one for one in endpoint.requests if "without formatting" in one.system]
    assert found.exit_code == 0, found.output
    assert {ROLE.search(one.system)[1] for one in asked} == {"answerer"}  # type: ignore[index]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["webwalkqa"], "Did you mean 'webwalkerqa'?"),
        (["webwalkerqa", "--mirror", "x"], "names no mirror"),
        (["assistantbench", "--judge", "offline"], "no metric by a judge"),
    ],
)
def test_bad_usage_is_told(tmp_path: Path, words: list[str], said: str) -> None:
    file = str(json_file(tmp_path, {**SKARN, **TASK}))
    result = run_bench(tmp_path, "run", words[0], file, *words[1:])
    assert result.exit_code == 2, result.output
    assert said in result.stderr

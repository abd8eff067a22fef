"""Two graphs on the same questions, on a site that counts what it is asked."""

import asyncio
import json
from pathlib import Path

import pytest

from forager.domain.parameters import Parameter
from forager.domain.spend import Budget
from forager.errors import GraphError, NoSessionError, UsageError
from forager.settings import Settings
from graphs.experiments.result_rows import Row
from graphs.experiments.side_by_side import comparison_lines, find_lone_successes, summarize_graphs
from graphs.experiments.trial import (
    Trial,
    check_questions,
    choose_graphs,
    export_run,
    kept_runs,
    new_result_file,
    parse_questions,
    run_trial,
    typed_question,
)
from graphs.sessions.service import open_sessions
from graphs.spec.edit import with_parameter
from graphs.spec.library import open_library
from graphs.spec.spec import PRESETS, load_graph
from tests.observatory import FOUNDED, GROUND, PAGES
from tests.servers import Site

QUESTIONS = (
    ("When was the observatory founded, and by whom?", "1887|1888"),
    ("Who ground the lens of the great refractor?", "Marius Feld"),
)


def settings_for(site: Site, data: Path) -> Settings:
    return Settings(data=data, allow_private=(f"127.0.0.1:{site.port}",), politeness_seconds=0.0)


def test_both_graphs_find_the_sites_mapped_and_take_turns(tmp_path: Path) -> None:
    with Site(PAGES) as site:
        settings = settings_for(site, tmp_path)
        library = open_library(settings)
        library.copy("mango", "mine")
        asked = [typed_question(text, [site.url()], gold) for text, gold in QUESTIONS]
        trial = Trial(
            records=check_questions(
                (*asked, typed_question("What is told of dogs?", [site.url()])), {}
            ),
            graphs=choose_graphs(settings, "forager", "mine@1"),
            model="offline",
            sites={},
            budget=Budget(rounds=4),
            out=new_result_file(settings),
        )
        told: list[str] = []
        rows = run_trial(trial, settings, told.append)
        pages = [each.path for each in site.asked if each.path in PAGES]
    assert [(row.id, row.graph) for row in rows] == [
        ("q1", "forager"),
        ("q1", "mine@1"),
        ("q2", "mine@1"),
        ("q2", "forager"),
        ("q3", "forager"),
        ("q3", "mine@1"),
    ]
    assert len(pages) == len(set(pages))
    assert {(row.fetched, row.cold) for row in rows} == {(0, False)}
    assert [row.graded for row in rows] == [True] * 4 + [False] * 2
    first, second = summarize_graphs(rows)
    assert (first.graph, first.questions, first.right) == ("forager", 3, 1.0)
    assert first.fetched == second.fetched == 0
    assert "pages mapped before, for both" in told[0]
    assert first.loads > 0
    assert told[-1].startswith("6/6 mine@1 q3: ")
    kept = trial.out.read_text().splitlines()
    assert [Row.model_validate_json(line) for line in kept] == rows
    assert comparison_lines(rows)[0].split()[:4] == ["graph", "n", "right", "%"]
    assert FOUNDED in rows[0].answer
    assert GROUND in rows[3].answer
    assert kept_runs(settings) == {row.session for row in rows}


def test_who_asks_first_is_not_charged_for_the_pages_that_it_fetches(tmp_path: Path) -> None:
    """Two graphs that walk, and map nothing before: the first fetches what the second reads."""
    with Site(PAGES) as site:
        settings = settings_for(site, tmp_path)
        shallow = PRESETS.joinpath("webwalker.yaml").read_text(encoding="utf-8")
        shallow = shallow.replace("name: webwalker", "name: shallow")
        open_library(settings).save("shallow", shallow.replace("least: 1.2", "least: 1.3"))
        [(text, gold), _] = QUESTIONS
        trial = Trial(
            records=check_questions((typed_question(text, [site.url()], gold),), {}),
            graphs=choose_graphs(settings, "webwalker", "shallow"),
            model="offline",
            sites={},
            budget=Budget(rounds=4),
            out=new_result_file(settings),
        )
        first, second = run_trial(trial, settings, lambda _: None)
    assert first.fetched > 0 == second.fetched
    assert first.requested == second.requested
    assert first.fetching > second.fetching
    told = [str(each) for each in second.differences]
    assert any("judge" in each and "1.3" in each for each in told)
    assert first.differences == second.differences
    assert summarize_graphs([first])[0].fetching == first.fetching


def test_sites_are_mapped_as_far_as_a_parameter_says(tmp_path: Path) -> None:
    spec = with_parameter(
        load_graph("webwalker"), "mapped", Parameter(type="integer", default=6, help="")
    )
    survey = spec.nodes["survey"].model_copy(update={"params": {"pages": "$mapped"}})
    spec = spec.model_copy(update={"nodes": {**spec.nodes, "survey": survey}})
    with Site(PAGES) as site:
        settings = settings_for(site, tmp_path)
        trial = Trial(
            records=check_questions([typed_question(QUESTIONS[1][0], [site.url()])], {}),
            graphs=choose_graphs(settings, ("mine", spec), "webwalker"),
            model="offline",
            sites={},
            out=new_result_file(settings),
        )
        told: list[str] = []
        run_trial(trial, settings, told.append)
    assert f"{site.url()}: 6 pages mapped before, for both" in told[0]


async def test_the_run_of_a_trial_can_be_taken_over(tmp_path: Path) -> None:
    with Site(PAGES) as site:
        settings = settings_for(site, tmp_path)
        trial = Trial(
            records=check_questions([typed_question(QUESTIONS[1][0], [site.url()])], {}),
            graphs=choose_graphs(settings, "webwalker", "forager"),
            model="offline",
            sites={},
            out=new_result_file(settings),
        )
        [row, _] = await asyncio.to_thread(run_trial, trial, settings, lambda line: None)
        packed = await export_run(settings, row.session)
        async with open_sessions(settings) as sessions:
            assert await sessions.archive.import_zip(packed, trusted=True) == row.session
            report = await sessions.show(row.session)
    assert (report.graph, report.answer, report.status) == ("webwalker", row.answer, row.status)
    with pytest.raises(NoSessionError):
        await export_run(settings, "nobody")


def test_lone_successes_are_listed(tmp_path: Path) -> None:
    with Site(PAGES) as site:
        settings = settings_for(site, tmp_path)
        trial = Trial(
            records=check_questions(
                [typed_question(*QUESTIONS[1][:1], [site.url()], QUESTIONS[1][1])], {}
            ),
            graphs=choose_graphs(settings, "webwalker", "forager"),
            model="offline",
            sites={},
            budget=Budget(pages=1),
            out=tmp_path / "rows.jsonl",
        )
        rows = run_trial(trial, settings, lambda line: None)
    right = [row.graph for row in rows if row.correct]
    assert find_lone_successes(rows) == ({"q1": right[0]} if len(right) == 1 else {})


def test_questions_are_read_with_and_without_gold() -> None:
    site = "https://docs.example/"
    text = "\n".join(
        json.dumps(each)
        for each in (
            {"question": "One?", "sites": [site], "answer": "1"},
            {"question": "None?", "sites": [site], "answer": []},
            {"question": "Any?", "id": "mine"},
            {"question": "Where?", "sites": ["docs"], "answer": ["a|b", "c"]},
        )
    )
    known = check_questions(parse_questions(text), {"docs": site})
    assert [each.id for each in known] == ["q1", "q2", "mine", "q4"]
    assert [each.answer for each in known] == [("1",), (), (), ("a|b", "c")]
    assert [each.graded for each in known] == [True, True, False, True]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "Line 1 is not a question"),
        ('{"question": "Where?", "sites": ["docs"]}', "'docs', which is not an address"),
        ("", "There are 0 questions"),
    ],
)
def test_invalid_questions_are_refused(text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        check_questions(parse_questions(text), {})


def test_a_graph_against_itself_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="are the same graph"):
        choose_graphs(Settings(data=tmp_path), "mango", "mango")


def test_values_are_given_to_each_graph_that_has_the_parameter(tmp_path: Path) -> None:
    mango = load_graph("mango")
    deep = Parameter(type="integer", default=3)
    own = with_parameter(mango, "deep", deep)
    both = with_parameter(with_parameter(mango, "wide", deep), "deep", deep)
    (_, one), (_, other) = choose_graphs(
        Settings(data=tmp_path), ("own", own), ("both", both), {"deep": "7", "wide": "5"}
    )
    assert {name: each.default for name, each in one.parameters.items()} == {"deep": 7}
    assert {name: each.default for name, each in other.parameters.items()} == {
        "deep": 7,
        "wide": 5,
    }
    with pytest.raises(GraphError, match="no parameter 'high'"):
        choose_graphs(Settings(data=tmp_path), ("own", own), ("both", both), {"high": "1"})

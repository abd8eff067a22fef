"""`--set NAME=VALUE` sets a parameter of the graph, for one question and for a batch."""

import json
from pathlib import Path

import pytest

from tests.ui.cli.test_main import one_line
from tests.ui.conftest import Forager

QUESTION = "Which engineer built the Skarn lighthouse?"
GRAPH = """\
name: mine
parameters:
  mapped: {type: integer, default: 0, help: pages to map}
  few: {type: integer, default: 1}
nodes:
  survey: {type: surveyor, params: {pages: $mapped}}
  small: {type: branch, params: {cases: [mapped <= $few -> little], otherwise: much}}
  answer: {type: answerer}
edges:
  - start -> survey
  - survey.found -> small
  - survey.none -> answer
  - small.little -> answer
  - small.much -> answer
  - answer.end -> end
"""


@pytest.fixture
def graph(tmp_path: Path) -> str:
    path = tmp_path / "mine.yaml"
    path.write_text(GRAPH)
    return str(path)


def test_the_check_lists_the_parameters(forager: Forager, graph: str) -> None:
    listed = forager("graph", "check", graph)
    assert listed.exit_code == 0, listed.output
    assert "--set mapped=0 (integer): pages to map" in listed.stdout
    assert "--set few=1 (integer)" in listed.stdout


@pytest.mark.parametrize("command", [("ask", QUESTION, "--graph"), ("graph", "run")])
def test_a_value_is_set_and_pinned(
    forager: Forager, graph: str, site: str, here: tuple[str, str], command: tuple[str, ...]
) -> None:
    asked = (*command, graph) if command[0] == "ask" else (*command, graph, QUESTION)
    done = forager(*asked, "--site", site, *here, "--set", "mapped=3", "--set", "few=2", "--json")
    report = json.loads(done.stdout)
    text = forager("export", report["session"], "--format", "json", "--parts", "run").stdout
    assert "mapped: {type: integer, default: 3" in json.loads(text)["graph_body"]
    plain = json.loads(forager(*asked, "--site", site, *here, "--json").stdout)
    assert plain["graph_hash"] != report["graph_hash"]


def test_wrong_values_are_explained(
    forager: Forager, graph: str, site: str, here: tuple[str, str]
) -> None:
    def refused(*words: str) -> str:
        return one_line(forager("ask", QUESTION, "--site", site, *here, *words), 2)

    assert "--set needs NAME=VALUE, such as depth=3; got 'mapped'." in refused("--set", "mapped")
    assert "no parameter 'mapped'. It has no parameters." in refused("--set", "mapped=3")
    own = ("--graph", graph)
    assert "no parameter 'maped'. Did you mean 'mapped'?" in refused(*own, "--set", "maped=3")
    said = refused(*own, "--set", "mapped=all")
    assert "'mapped' cannot be 'all'. It is a whole number, such as 3. It means: pages" in said
    assert "is set twice" in refused(*own, "--set", "few=1", "--set", "few=2")
    said = refused(*own, "--set", "mapped=-1")
    assert "'pages' is not valid (it is $mapped)" in said


def test_a_follow_up_keeps_the_values(
    forager: Forager, graph: str, site: str, here: tuple[str, str]
) -> None:
    first = ("--site", site, *here, "--graph", graph, "--session", "one")
    assert forager("ask", QUESTION, *first, "--set", "mapped=3").exit_code in {0, 3, 4}
    more = ("ask", "And how high is it?", *here, "--session", "one")
    said = one_line(forager(*more, "--set", "mapped=4"), 2)
    assert "leave out --set" in said
    assert forager(*more, "--set", "mapped=3").exit_code in {0, 3, 4}


def test_a_batch_is_asked_with_values(
    forager: Forager, graph: str, site: str, here: tuple[str, str], tmp_path: Path
) -> None:
    questions, out = tmp_path / "q.csv", tmp_path / "a.jsonl"
    questions.write_text(f'id,question,sites\na,"{QUESTION}",{site}\n')
    words = ("batch", str(questions), "--out", str(out), *here, "--graph", graph)
    assert "'mapped' cannot be 'x'" in one_line(forager(*words, "--set", "mapped=x"), 2)
    assert forager(*words, "--set", "mapped=3").exit_code == 0
    [line] = [json.loads(line) for line in out.read_text().splitlines()]
    text = forager("export", line["session"], "--format", "json", "--parts", "run").stdout
    assert "default: 3" in json.loads(text)["graph_body"]

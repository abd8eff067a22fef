"""A graph that was exported as Python asks its question as a program of its own."""

import json
import re
import runpy
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from graphs.exchange.python_writer import write_python
from graphs.spec.registry import REGISTRY
from graphs.spec.spec import GraphSpec, load_graph, parse_graph
from tests.ui.cli.actions.test_graph_values import GRAPH
from ui.server.handbook.handbook_site import HOST

Run = Callable[..., int]
ASKED = "Who built the Skarn lighthouse, and when?"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Start the default graph's program with these words; its exit code."""
    return program_of(load_graph("forager"), tmp_path, monkeypatch)


@pytest.fixture
def run_with_parameters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Start the program of a graph that branches by its parameters."""
    return program_of(parse_graph(GRAPH), tmp_path, monkeypatch)


def program_of(spec: GraphSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("FORAGER_DATA", str(tmp_path / "data"))
    program = tmp_path / "exported.py"
    program.write_text(write_python(spec, REGISTRY), "utf-8")

    def start(*words: str) -> int:
        monkeypatch.setattr(sys, "argv", [str(program), *words])
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(str(program), run_name="__main__")
        return int(ended.value.code or 0)

    return start


def test_it_answers_with_citations_and_keeps_no_session(
    run: Run, site: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ASKED, "--site", site, "--allow-private", HOST
    assert run(*words) == 0
    said = capsys.readouterr()
    assert "Marta Lindqvist in 1874." in said.out
    assert f"{site}skarn.html" in said.out
    assert "session" not in said.out
    assert "survey: " in said.err
    assert run(*words, "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["status"], report["session"]) == ("answered", "")
    assert report["citations"]


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("",), 2, "The question is empty."),
        (("Who?", "--site", f"http://{HOST}:1/"), 1, "--allow-private"),
        (("Who?", "--budget", "pages"), 2, "--budget needs NAME=NUMBER"),
        (("Who?", "--model", "openai:x"), 2, "OPENAI_API_KEY"),
    ],
)
def test_what_cannot_be_asked_is_told_in_one_line(
    run: Run,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    code: int,
    told: str,
) -> None:
    assert run(*words) == code
    said = capsys.readouterr()
    assert told in said.err
    assert said.err.count("\n") == 1
    assert not said.out


@pytest.mark.parametrize(("words", "mapped"), [((), 0), (("--set", "mapped=3"), 3)])
def test_parameters_are_set_on_the_command_line(
    run_with_parameters: Run,
    site: str,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    mapped: int,
) -> None:
    run_with_parameters(ASKED, "--site", site, "--allow-private", HOST, *words)
    assert f"survey: {mapped} pages known" in capsys.readouterr().err


def test_the_help_has_the_parameters_with_their_defaults(
    run_with_parameters: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_with_parameters("--help") == 0
    said = " ".join(re.sub(r"[│\s]+", " ", capsys.readouterr().out).split())
    assert "--set NAME=VALUE" in said
    assert "mapped=0 (integer): pages to map; few=1 (integer)" in said


def test_a_graph_without_parameters_has_none_to_set(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--help") == 0
    assert "--set" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("mapped", "--set needs NAME=VALUE"),
        ("mapped=all", "The parameter 'mapped' cannot be 'all'."),
        ("maped=3", "Did you mean 'mapped'?"),
        ("mapped=-1", "the parameter 'pages' cannot be -1"),
    ],
)
def test_a_value_that_does_not_fit_is_told_in_one_line(
    run_with_parameters: Run, capsys: pytest.CaptureFixture[str], value: str, told: str
) -> None:
    assert run_with_parameters(ASKED, "--site", "https://site.example/", "--set", value) == 2
    said = capsys.readouterr()
    assert told in said.err
    assert said.err.count("\n") == 1

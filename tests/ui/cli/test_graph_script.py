"""A graph that was exported as Python asks its question as a program of its own."""

import json
import runpy
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from graphs.exchange.python_writer import write_python
from graphs.spec.registry import REGISTRY
from graphs.spec.spec import load_graph
from ui.server.handbook.handbook_site import HOST

Run = Callable[..., int]
ASKED = "Who built the Skarn lighthouse, and when?"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Start the default graph's program with these words; its exit code."""
    monkeypatch.setenv("FORAGER_DATA", str(tmp_path / "data"))
    program = tmp_path / "exported.py"
    program.write_text(write_python(load_graph("forager"), REGISTRY), "utf-8")

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

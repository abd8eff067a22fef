import csv
import io
import json
import os
import pty
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import Result

from forager.adapters.store.sessions.session_store import Session, SessionStore
from forager.domain.spend import Spend
from forager.domain.state import Question
from forager.settings import Settings
from tests.ui.conftest import Forager
from ui.cli.actions import session_run
from ui.server.handbook.handbook_site import HOST

SKARN = "Which engineer built the Skarn lighthouse, and in which year?"
DOWN = "http://127.0.0.1:9/"
ALLOWED = "--allow-private", "127.0.0.1"
HEAVY = (
    *("langgraph", "langchain_core", "streamlit", "chromadb", "genai_prices", "docx"),
    "graphs.reports.report",
)
KEYS = [
    *("session", "graph", "graph_hash", "model", "status", "answer"),
    *("citations", "leads", "evidence", "open", "visited", "arms", "spent"),
]


def one_line(result: Result, code: int) -> str:
    """The error of a command that printed nothing else."""
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    [line] = [line for line in result.stderr.splitlines() if line.startswith("Error")]
    assert "Traceback" not in result.stderr
    return line


def test_an_answer_is_printed_with_its_sources(
    forager: Forager, site: str, here: tuple[str, str]
) -> None:
    result = forager("ask", SKARN, "--site", site, "--session", "one", *here)
    assert result.exit_code == 0, result.output
    first, *rest = result.stdout.splitlines()
    assert "Marta Lindqvist in 1874" in first
    assert first.endswith("[1]")
    assert f"    {site}skarn.html" in rest
    assert rest[-1].startswith("answered · ")
    assert rest[-1].endswith("session one")
    assert "\x1b" not in result.output
    assert "3 pages known" in result.stderr


def test_json_is_one_object_and_nothing_else(
    forager: Forager, site: str, here: tuple[str, str]
) -> None:
    result = forager("ask", SKARN, "--site", site, "--json", *here)
    report = json.loads(result.stdout)
    assert list(report) == KEYS
    assert report["status"] == "answered"
    assert report["model"] == "offline"
    quotes = {item["id"]: item["quote"] for item in report["citations"]}
    assert {lead["text"] for lead in report["leads"]} > {"1874"}
    for lead in report["leads"]:
        assert quotes[lead["quote"]][lead["start"] : lead["end"]] == lead["text"]
        assert 0.5 < lead["confidence"] < 1
    assert {"id", "url", "title", "quote"} == set(report["citations"][0])
    assert {"url", "depth", "round"} == set(report["visited"][0])
    assert set(report["spent"]) == {"rounds", *Spend.model_fields} - {"tokens_cached", "refused"}
    quote = report["citations"][0]["quote"]
    assert quote in {item["quote"] for item in report["evidence"]}


def test_a_session_can_be_looked_at_and_deleted(
    forager: Forager, site: str, here: tuple[str, str]
) -> None:
    assert forager("sessions").stdout == ""
    asked = forager("ask", SKARN, "--site", site, "--session", "one", *here)
    assert forager("show", "one").stdout == asked.stdout
    assert forager("resume", "one").stdout == asked.stdout
    [listed] = forager("sessions").stdout.splitlines()
    id, _, status, graph, question = listed.split("\t")
    assert (id, status, graph, question) == ("one", "answered", "forager", SKARN)
    assert forager("tag", "one", "rome", "to read").stdout == "Tags of one: rome, to read.\n"
    listed = forager("sessions", "--tag", "Rome").stdout
    assert listed.endswith(f"\t[rome] [to read] {SKARN}\n")
    assert forager("sessions", "--tag", "milan").stdout == ""
    assert forager("untag", "one", "rome", "to read").stdout == "one has no tags.\n"
    assert forager("delete", "one").exit_code == 0
    assert "There is no session 'one'" in one_line(forager("show", "one"), 2)
    assert forager("sessions").stdout == ""


def test_on_a_terminal_a_session_is_deleted_once_it_was_asked(
    forager: Forager, tmp_path: Path
) -> None:
    """Where nobody can answer, it is deleted without."""
    data = tmp_path / "data"
    data.mkdir()
    with closing(SessionStore(data / "sessions.sqlite")) as store:
        for id in ("one", "two"):
            session = Session(
                id=id,
                question=Question(text=SKARN, sites=(DOWN,)),
                graph="g",
                graph_hash="",
                graph_body="",
                model="offline",
            )
            store.create(session)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "ui.cli", "delete", "one", "--keep"]
    env = {"FORAGER_DATA": str(data), "PATH": "/usr/bin:/bin"}
    with subprocess.Popen(command, env=env, stdin=theirs, stdout=theirs, stderr=theirs) as asking:
        os.write(ours, b"n\n")
        assert asking.wait(60) == 1
    assert f"Delete session one, “{SKARN}”? This cannot be undone." in os.read(ours, 4096).decode()
    assert len(forager("sessions").stdout.splitlines()) == 2
    assert forager("delete", "one", "--yes").exit_code == 0
    assert forager("delete", "two").exit_code == 0
    assert forager("sessions").stdout == ""


def test_a_session_is_exported(forager: Forager, site: str, here: tuple[str, str]) -> None:
    forager("ask", SKARN, "--site", site, "--session", "one", *here)
    assert forager("export", "one").stdout.startswith(f"# {SKARN}\n")
    exported = json.loads(forager("export", "one", "--format", "json").stdout)
    assert exported["question"] == SKARN
    rows = list(csv.DictReader(io.StringIO(forager("export", "one", "--format", "csv").stdout)))
    assert rows[0]["url"] == f"{site}skarn.html"
    assert "Did you mean 'csv'?" in one_line(forager("export", "one", "--format", "cvs"), 2)


def test_what_the_site_does_not_say_is_an_abstention(
    forager: Forager, site: str, here: tuple[str, str]
) -> None:
    result = forager("ask", "How do I bake sourdough bread?", "--site", site, *here)
    assert result.exit_code == 4
    assert "abstained · " in result.stdout


def test_a_budget_that_runs_out_leaves_a_partial_answer(
    forager: Forager, site: str, here: tuple[str, str]
) -> None:
    result = forager("ask", SKARN, "--site", site, "--budget", "seconds=0.001", *here)
    assert result.exit_code == 3
    assert "Still open:" in result.stdout
    assert "partial · 0 rounds, 0 actions, 1 page fetched" in result.stdout


def test_a_site_that_is_down_fails_in_one_line(forager: Forager) -> None:
    result = forager("ask", SKARN, "--site", DOWN, *ALLOWED)
    assert result.exit_code == 1
    assert "There is no answer: the session failed." in result.stdout
    last = result.stderr.splitlines()[-1]
    assert last == "Error: 127.0.0.1:9 refused the connection. Check that the site is up."


def test_a_private_host_needs_to_be_named(forager: Forager, site: str) -> None:
    said = one_line(forager("ask", SKARN, "--site", site), 2)
    assert "allow it with --allow-private 127.0.0.1" in said
    assert forager("sessions").stdout == ""


def test_a_failed_session_is_resumed_once_the_cause_is_gone(
    forager: Forager, site: str, here: tuple[str, str], tmp_path: Path
) -> None:
    settings = Settings(data=tmp_path / "data", allow_private=(HOST,))
    session_run.create_session(
        settings, Question(text=SKARN, sites=(site,)), "forager", "offline", "one"
    )
    assert forager("resume", "one").exit_code == 1
    result = forager("resume", "one", *here)
    assert result.exit_code == 0
    assert "Marta Lindqvist" in result.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ask", "  ", "--site", "h.ex"], "The question is empty."),
        (["ask", "why " * 2500, "--site", "h.ex"], "The question has 9,999 characters"),
        (["ask", SKARN, "--site", "ftp://h/"], "'ftp://h/' is not a web address."),
        (["ask", SKARN, "--site", "h.ex", "--graph", "foragr"], "Did you mean 'forager'?"),
        (["ask", SKARN, "--site", "h.ex", "--budget", "round=1"], "Did you mean 'rounds'?"),
        (
            ["ask", SKARN, "--site", "h.ex", "--session", "../x"],
            "'../x' is not a session ID.",
        ),
        (["ask", SKARN, "--site", "h.ex", "--model", "gpt"], "'gpt'"),
        (["ask"], "Missing argument 'QUESTION'."),
        (["ask", "what", "is", "this"], 'Put the question in quotes: forager ask "what is this"'),
        (["ask", SKARN, "--seed", "abc"], "'abc' is not a whole number."),
        (["history", "one", "--step", "0"], "0 is too small; the smallest value is 1."),
        (["ask", SKARN, "--budget", "rounds"], "needs NAME=NUMBER, such as rounds=10"),
        (["ask", SKARN, "--stie", "h"], "No such option: --stie"),
        (["resume", "absent"], "There is no session 'absent'."),
        (["show", "absent"], "There is no session 'absent'."),
        (["export", "absent"], "There is no session 'absent'."),
        (["delete", "absent"], "There is no session 'absent'."),
        (["graph", "check", "absent.yaml"], "There is no graph 'absent.yaml'."),
        (["graph", "draw", "mungo"], "Did you mean 'mango'?"),
        (["aks"], "Did you mean 'ask'?"),
    ],
)
def test_bad_usage_is_told_in_one_line(forager: Forager, words: list[str], said: str) -> None:
    assert said in one_line(forager(*words), 2)


def test_a_question_of_one_word_is_a_question(
    forager: Forager, site: str, here: tuple[str, str]
) -> None:
    result = forager("ask", "lighthouse", "--site", site, *here)
    assert result.exit_code in (0, 3, 4)
    assert result.stdout


def test_a_follow_up_goes_on_with_what_its_session_has_settled(
    forager: Forager, site: str, here: tuple[str, str]
) -> None:
    words = ["--site", site, "--session", "one", *here]
    assert forager("ask", SKARN, *words).exit_code == 0
    refused = forager("ask", SKARN, *words, "--site", "http://127.0.0.1:1/", "--seed", "7")
    assert "keeps the options of its first question: leave out --site, --seed" in one_line(
        refused, 2
    )
    result = forager("ask", "And what else does it have?", *words, "--model", "offline")
    assert result.exit_code in (0, 3, 4)
    assert SKARN not in result.stdout
    assert "1 earlier question: forager show one prints all." in result.stdout
    assert "2. And what else does it have?" in result.stdout
    assert "understood as: And what else" in result.stdout
    assert "new session" not in result.stderr
    shown = forager("show", "one").stdout
    assert f"1. {SKARN}" in shown
    assert "2. And what else does it have?" in shown
    mistyped = forager("ask", "lighthouse", "--site", site, "--session", "onee", *here)
    assert "Started a new session 'onee'. Did you mean 'one'?\n" in mistyped.stderr
    assert f"(2) {SKARN[:20]}" in forager("sessions").stdout
    told = json.loads(forager("show", "one", "--json").stdout)
    assert [turn["question"] for turn in told["turns"]] == [SKARN]


def test_a_setting_that_does_not_fit_is_named(forager: Forager) -> None:
    assert "FORAGER_MAX_BYTES is invalid" in one_line(forager("sessions", FORAGER_MAX_BYTES="x"), 2)
    hosts = forager("sessions", FORAGER_ALLOW_PRIVATE='["localhost"')
    assert "FORAGER_ALLOW_PRIVATE is invalid: write hosts" in one_line(hosts, 2)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "cannot be read."),
        ("a: [", "is not valid YAML."),
        ("kim", "not as expected: it needs names"),
        ("a: {domain: h, value: abc}", "too short to be masked"),
    ],
)
def test_secrets_that_will_not_do_leave_no_trace(
    forager: Forager, tmp_path: Path, site: str, text: str | None, said: str
) -> None:
    secrets = tmp_path / "secrets.yaml"
    if text is not None:
        secrets.touch(0o600)
        secrets.write_text(text)
    words = ["--secrets", str(secrets)]
    assert said in one_line(forager("ask", SKARN, "--site", site, *words), 2)
    assert forager("sessions").stdout == ""
    forager("ask", SKARN, "--site", DOWN, *ALLOWED, "--session", "one")
    told = forager("show", "one").stdout
    assert said in one_line(forager("resume", "one", *words), 2)
    assert forager("show", "one").stdout == told


@pytest.mark.parametrize("graph", ["weboperator", "webwalker"])
def test_a_first_page_that_cannot_be_had_fails_in_every_graph(forager: Forager, graph: str) -> None:
    result = forager("ask", SKARN, "--site", DOWN, *ALLOWED, "--graph", graph)
    assert result.exit_code == 1
    assert "127.0.0.1:9 refused the connection." in result.stderr.splitlines()[-1]


def test_a_data_folder_that_is_a_file_is_told(forager: Forager, tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    assert "FORAGER_DATA" in one_line(forager("ask", SKARN, "--site", "h.ex"), 1)


def test_graphs_are_listed_checked_and_drawn(forager: Forager, tmp_path: Path) -> None:
    names = [line.split()[0] for line in forager("graph", "list").stdout.splitlines()]
    assert names == [
        *("abreast", "forager", "infogent", "infogent-visual", "mango", "self-map", "weboperator"),
        "webwalker",
    ]
    for name in names:
        assert f"{name}: no faults" in forager("graph", "check", name).stdout
        assert forager("graph", "draw", name).stdout.startswith("flowchart")
    preset = Path("graphs/presets/webwalker.yaml")
    file = tmp_path / "typo.yaml"
    file.write_text(preset.read_text().replace("type: critic", "type: critc"))
    checked = forager("graph", "check", str(file))
    assert checked.exit_code == 2
    assert "judge: There is no node type 'critc'. Did you mean 'critic'?" in checked.stdout
    file.write_text(preset.read_text().replace("edges:", "egdes:"))
    assert "Did you mean 'edges'?" in one_line(forager("graph", "check", str(file)), 2)
    asked = forager("ask", SKARN, "--site", "h.ex", "--graph", str(file))
    assert "Did you mean 'edges'?" in one_line(asked, 2)


@pytest.mark.parametrize("words", [["--help"], ["ask", "--help"], ["doctor"], ["sessions"]])
def test_a_light_verb_loads_nothing_heavy(tmp_path: Path, words: list[str]) -> None:
    assert loaded(tmp_path, words, HEAVY).endswith("[]")


def test_a_run_without_model_and_browser_loads_nothing_for_them(tmp_path: Path, site: str) -> None:
    words = ["ask", SKARN, "--site", site, *ALLOWED, "--budget", "usd=1,pages=2"]
    modules = ("genai_prices", "json_repair", "playwright", "langgraph")
    assert loaded(tmp_path, words, modules).endswith("['langgraph']")


def loaded(folder: Path, words: Sequence[str], modules: Sequence[str]) -> str:
    """What a command wrote to stderr, and at its end which of these modules it loaded."""
    code = (
        "import sys\nfrom ui.cli import app\n"
        "try:\n    app(sys.argv[1:], prog_name='forager')\n"
        f"finally:\n    sys.stderr.write(repr([m for m in {modules} if m in sys.modules]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        env={"FORAGER_DATA": str(folder), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", [["graph", "draw", "forager"], ["doctor"]])
def test_output_that_cannot_be_written_is_told(tmp_path: Path, words: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [Path(sys.executable).parent / "forager", *words],
            env={"FORAGER_DATA": str(tmp_path), "PATH": "/usr/bin:/bin"},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.startswith("Error: The disk is full, so the output could not be written.")
    assert len(done.stderr.splitlines()) == 1


def test_lists_without_lines_say_so_beside_the_output(forager: Forager) -> None:
    for words, said in (
        (["sessions"], "No sessions yet. Ask one: forager ask"),
        (["sessions", "--search", "zzz"], "No sessions match."),
        (["recipes", "list"], "No recipes yet"),
    ):
        result = forager(*words)
        assert (result.exit_code, result.stdout) == (0, "")
        assert said in result.stderr


def test_a_new_session_is_no_slip_for_one_with_another_number(
    forager: Forager, site: str, here: tuple[str, str]
) -> None:
    for id in ("q06", "q07", "other"):
        result = forager("ask", "lighthouse", "--site", site, "--session", id, *here)
        assert "Did you mean" not in result.stderr


def test_a_failure_is_told_once(forager: Forager) -> None:
    result = forager("ask", SKARN, "--site", DOWN, *ALLOWED)
    assert result.stderr.count("refused the connection") == 1


def test_the_module_is_the_command(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ui.cli", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("forager ")


def test_the_version_is_said(forager: Forager) -> None:
    assert forager("--version").stdout.startswith("forager ")

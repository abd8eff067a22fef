"""The commands that look into a session's course and change it."""

from pathlib import Path

from forager.domain.state import Question
from forager.settings import Settings
from tests.ui.conftest import Forager
from ui.cli.actions import session_run
from ui.server.handbook.handbook_site import HOST


def test_the_history_is_listed_and_a_step_told(forager: Forager, asked: str) -> None:
    listed = forager("history", asked)
    assert listed.exit_code == 0
    rows = [line.split("\t") for line in listed.stdout.splitlines()]
    assert [row[0] for row in rows] == [str(n) for n in range(1, len(rows) + 1)]
    assert rows[-1][2:4] == ["answer", "end"]
    act = next(row for row in rows if row[2] == "act")
    told = forager("history", asked, "--step", act[0]).stdout
    assert "+ steps 1.1 moved Skarn lighthouse" in told
    assert "~ spend pages 0 → 1" in told
    assert forager("history", asked, "--step", "999").exit_code == 2


def test_a_fork_goes_on_by_itself(forager: Forager, asked: str, here: tuple[str, str]) -> None:
    steps = [line.split("\t") for line in forager("history", asked).stdout.splitlines()]
    drawn = next(step[0] for step in steps if step[3] == "recall")
    words = ("--step", drawn, "--budget", "pages=3", "--hint", "the engineer", "--session", "other")
    done = forager("fork", asked, *words, *here)
    assert done.exit_code == 0, done.output
    assert "Session other continues from skarn." in done.stderr
    assert "Lindqvist" in done.stdout
    assert forager("show", asked).exit_code == 0
    bad = forager("fork", asked, "--site", "ftp://x/")
    assert (bad.exit_code, "is not a web address" in bad.stderr) == (2, True)


def test_a_fork_has_a_state_that_was_changed_by_hand(
    forager: Forager, asked: str, here: tuple[str, str]
) -> None:
    steps = [line.split("\t") for line in forager("history", asked).stdout.splitlines()]
    answering = next(step[0] for step in steps if step[3] == "answer")
    words = ("fork", asked, "--step", answering, "--session", "bare")
    done = forager(*words, "--set", "evidence=[]", *here)
    assert done.exit_code == 4, done.output
    assert "Lindqvist" not in done.stdout
    for value, told in (("evidence=3", "evidence cannot be 3"), ("evidence=x", "is not JSON")):
        refused = forager(*words, "--set", value, *here)
        assert (refused.exit_code, told in refused.stderr) == (2, True)


def test_a_session_goes_back_to_a_step(forager: Forager, asked: str, here: tuple[str, str]) -> None:
    first = forager("show", asked).stdout
    again = forager("resume", asked, "--step", "3", *here)
    assert again.exit_code == 0, again.output
    assert "Lindqvist" in again.stdout
    assert first
    refused = forager("resume", asked, "--budget", "pages=9", *here)
    assert "did not end for want of budget" in refused.stderr
    assert forager("resume", asked, "--step", "999", *here).exit_code == 2


def test_a_session_under_way_is_steered(
    forager: Forager, site: str, here: tuple[str, str], tmp_path: Path
) -> None:
    settings = Settings(data=tmp_path / "data", allow_private=(HOST,))
    asked = Question(text="Who built the Skarn lighthouse?", sites=(site,))
    session_run.create_session(settings, asked, "forager", "offline", "left")
    done = forager("steer", "left", "--hint", "the engineer", "--budget", "pages=5")
    assert done.stdout == "Session left: hint: the engineer · pages: 5\n"
    assert "There is nothing to change" in forager("steer", "left").stderr
    assert "has no open request" in forager("approve", "left").stderr
    assert forager("refuse", "left", "abc").exit_code == 2
    assert forager("pause", "left").exit_code == 0
    assert "Lindqvist" in forager("resume", "left", *here).stdout
    assert "has ended" in forager("steer", "left", "--hint", "late").stderr
    late = forager("pause", "left")
    assert late.exit_code == 2
    assert late.stderr.startswith("Error: Session left has already ended (answered). Nothing to")


def test_a_session_is_stopped(forager: Forager, site: str, tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "data", allow_private=(HOST,))
    session_run.create_session(
        settings, Question(text="Who?", sites=(site,)), "forager", "offline", "left"
    )
    done = forager("stop", "left")
    assert done.exit_code == 0
    assert done.stdout


def test_sessions_are_renamed_and_found(forager: Forager, site: str, tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "data", allow_private=(HOST,))
    for name in ("one", "two"):
        session_run.create_session(
            settings, Question(text="Who?", sites=(site,)), "forager", "offline", name
        )
    assert forager("rename", "two", "Lamp  oil").stdout == 'Renamed two to "Lamp oil".\n'
    (line,) = forager("sessions", "--search", "OIL").stdout.splitlines()
    assert line.split("\t")[0] == "two"
    assert line.endswith("Lamp oil")
    assert len(forager("sessions", "--status", "interrupted").stdout.splitlines()) == 2
    assert "Did you mean 'failed'" in forager("sessions", "--status", "fail").stderr


def test_a_session_is_handed_on(forager: Forager, asked: str, tmp_path: Path) -> None:
    file = tmp_path / "skarn.zip"
    assert forager("export", asked, "--out", str(file)).exit_code == 0
    shown = forager("show", asked).stdout
    elsewhere = {"FORAGER_DATA": str(tmp_path / "other")}
    assert "Imported session skarn." in forager("import", str(file), **elsewhere).stdout
    assert forager("show", asked, **elsewhere).stdout == shown
    file.write_bytes(b"torn")
    refused = forager("import", str(file), **elsewhere)
    assert (refused.exit_code, "not a complete export" in refused.stderr) == (2, True)

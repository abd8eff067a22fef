"""The commands that look into a session's course and change it."""

import pytest

from tests.ui.conftest import Forager


@pytest.fixture
def asked(forager: Forager, site: str, here: tuple[str, str]) -> str:
    """A session that has answered."""
    question = "Who built the Skarn lighthouse, and when?"
    done = forager("ask", question, "--site", site, *here, "--session", "skarn", "--seed", "7")
    assert done.exit_code == 0, done.output
    return "skarn"


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

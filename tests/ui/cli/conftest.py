import pytest

from tests.ui.conftest import Forager


@pytest.fixture
def asked(forager: Forager, site: str, here: tuple[str, str]) -> str:
    """A session that has answered."""
    question = "Who built the Skarn lighthouse, and when?"
    done = forager("ask", question, "--site", site, *here, "--session", "skarn", "--seed", "7")
    assert done.exit_code == 0, done.output
    return "skarn"

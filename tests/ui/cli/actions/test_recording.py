"""A run written down, and played again where neither the site nor the model is."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from tests.endpoint import Endpoint
from tests.endpoint.faults import Status, When
from tests.loopback_model import Surveyed, role
from tests.observatory import ANOTHER, PAGES, TWO_PAGES
from tests.servers import Site
from tests.ui.cli.actions.test_models import FAILED, USAGE, report, told
from tests.ui.cli.test_main import one_line
from tests.ui.conftest import Forager
from ui.server.handbook.handbook_site import HOST

KEY = "sk-not-to-be-seen-0123456789"


@pytest.fixture
def tape(tmp_path: Path) -> Path:
    """A folder whose name is no word of a line of models."""
    return tmp_path / "a run, kept"


@pytest.fixture
def cold(forager: Forager, tmp_path: Path) -> Forager:
    """The command line in a data folder that knows no site, and one price."""
    data = tmp_path / "data"
    data.mkdir()
    (data / "prices.yaml").write_text("openai:any: {input: 1, output: 2}")
    return forager


@pytest.fixture
def play(forager: Forager, tmp_path: Path, tape: Path) -> Callable[..., Result]:
    """Asks the recording, where nothing is known and nothing but the recording can be reached."""

    def run(*words: str) -> Result:
        fresh = tmp_path / "fresh"
        shutil.rmtree(fresh, ignore_errors=True)
        model = ["--model", f"replay:{tape}", "--json"]
        return forager("ask", *words, *model, FORAGER_DATA=str(fresh))

    return run


def took(found: dict[str, Any]) -> dict[str, Any]:
    """What a run spent, without what depends on the machine and the cache."""
    measured = {"seconds", "pages_fetched", "pages_cached"}
    return {key: value for key, value in found["spent"].items() if key not in measured}


@pytest.mark.parametrize(
    ("graph", "models"),
    [
        ("forager", ["--model", "openai:any"]),
        ("mango", ["--model", "openai:any", "--model", "extractor=offline"]),
        ("webwalker", ["--model", "answerer=openai:any"]),
        ("infogent", ["--model", "openai:any"]),
        ("forager", ["--model", "offline"]),
    ],
)
def test_a_recording_is_played_without_site_and_model(
    cold: Forager, play: Forager, endpoint: Endpoint, tape: Path, graph: str, *, models: list[str]
) -> None:
    with Site(PAGES) as site:
        asked = [TWO_PAGES, "--site", site.url(), "--graph", graph, "--seed", "7"]
        there = ["--allow-private", HOST, "--base-url", endpoint.url, *models]
        first = cold("ask", *asked, *there, "--json", "--record", str(tape), FORAGER_API_KEY=KEY)
    endpoint.die()
    again = play(*asked)
    assert again.exit_code == first.exit_code, again.stderr
    found, played = report(first), report(again)
    assert found["citations"]
    assert json.dumps(told(played)) == json.dumps(told(found))
    assert took(played) == took(found)
    assert played["model"] == f"replay:{tape}"
    assert KEY not in "".join(path.read_text() for path in tape.iterdir())


def test_a_change_of_the_run_ends_the_replay(
    ask: Forager, play: Forager, observatory: Surveyed, tape: Path
) -> None:
    assert ask("--record", str(tape)).exit_code == 0
    site = ["--site", observatory.site.url(), "--seed", "7"]
    assert play(TWO_PAGES, *site).exit_code == 0
    changes = {
        (ANOTHER,): str(tape),
        (TWO_PAGES, "--graph", "mango"): "A survey of",
        (TWO_PAGES, "--budget", "steps=1"): "has no reply to this request of the ",
    }
    for words, said in changes.items():
        result = play(*words, *site)
        assert result.exit_code == FAILED, result.stdout
        [line] = [line for line in result.stderr.splitlines() if line.startswith("Error")]
        assert said in line
        assert line.endswith("Record the run again.")


def test_a_run_recorded_in_two_pieces_is_played_as_one(
    ask: Forager, forager: Forager, play: Forager, endpoint: Endpoint, tape: Path
) -> None:
    endpoint.faults = [When(lambda asked: role(asked) == "critic", Status(401), once=True)]
    kept = ["--record", str(tape)]
    assert ask("--session", "one", *kept).exit_code == FAILED
    resumed = forager("resume", "one", "--allow-private", HOST, "--json", *kept)
    found = report(resumed)
    assert found["status"] == "answered", resumed.stderr
    site = found["visited"][0]["url"].rpartition("/")[0]
    played = report(play(TWO_PAGES, "--site", site, "--seed", "7"))
    assert told(played) == told(found)
    assert took(played) == took(found)


def test_what_is_no_recording_is_refused(play: Forager, tape: Path) -> None:
    words = ["Who?", "--site", "http://127.0.0.1:9/"]
    assert f"No recording in {tape}. Make one" in one_line(play(*words), USAGE)
    tape.mkdir()
    (tape / "run.json").write_text("{}")
    assert f"No recording in {tape}. Make one" in one_line(play(*words), USAGE)


def test_a_replay_is_not_recorded(play: Forager, tape: Path) -> None:
    words = ["Who?", "--site", "http://127.0.0.1:9/", "--record", str(tape)]
    assert "is a recording already." in one_line(play(*words), USAGE)
    assert not tape.exists()

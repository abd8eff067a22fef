"""A real run with a real browser: killed in the middle of a form, asked to approve, asked again."""

import json
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from forager.adapters.store.sessions.session_store import Event, SessionStore
from graphs.spec.spec import load_graph
from tests.browsers import needs_browser
from tests.programs import Program, run_forager
from tests.servers import Asked, Reply, Site
from tests.ui.conftest import Forager
from ui.server.handbook.handbook_site import HOST

pytestmark = needs_browser

QUESTION = "Which engineer built the lighthouse Skarn in the county Nord?"
FORM = """<title>Register of lights</title><h1>Register of lights</h1>
<p>The register holds every light of the coast.</p>
<form action="/found" method="{method}">
<label>County <select name="county"><option>Syd</option><option>Nord</option></select></label>
<label>Lighthouse <input name="light" oninput="hint(this.value)"></label>
<button>Apply</button></form>
<script>function hint(light) {{
  const line = new XMLHttpRequest();
  line.open("GET", "/hint?light=" + light, false);  // nothing goes on in the page meanwhile
  line.send();
}}</script>"""
SKARN = """<title>Skarn</title><h1>Skarn</h1><p>The lighthouse Skarn in the county Nord was built by
the engineer Marta Lindqvist in 1874.</p>"""
SEAT = "7c41b0d2"
WANTED = "county=Nord&light=Skarn"


class Register(Site):
    """A site whose answer stands behind a form; a hint, and with it the page, is held back."""

    def __init__(self) -> None:
        super().__init__()
        self.wanted = threading.Event()
        self.let_go = threading.Event()
        self.seats = -1
        self.routes = {"/hint": self._hint, "/found": self._found}
        self.sends("get")

    def sends(self, method: str) -> None:
        """How the form is sent from now on."""
        self.routes["/"] = FORM.format(method=method)

    def admits(self, seats: int) -> None:
        """So many visitors from now on: whoever has no cookie by then stays outside."""
        self.seats, form = seats, self.routes["/"]

        def seated(asked: Asked) -> Reply:
            cookie = asked.headers.get("cookie", "")
            if "seat=" not in cookie and not self.seats:
                return Reply("<title>Full</title><p>Every seat is taken.</p>", 403)
            if "seat=" in cookie:
                return Reply(str(form))
            self.seats -= 1
            return Reply(str(form), headers={"Set-Cookie": f"seat={SEAT}; HttpOnly"})

        self.routes["/"] = seated

    def paths(self) -> list[str]:
        """What was asked but for hints and what browsers ask by themselves."""
        own = ("/hint", "/robots.txt", "/favicon.ico")
        return [
            f"{each.method} {each.path}" for each in self.asked if not each.path.startswith(own)
        ]

    def _hint(self, asked: Asked) -> Reply:
        self.wanted.set()
        self.let_go.wait(60)
        return Reply("a hint")

    def _found(self, asked: Asked) -> Reply:
        said = asked.path.partition("?")[2] or asked.body.decode()
        return Reply(
            SKARN if said == WANTED else "<title>None</title><p>Nothing is registered.</p>"
        )


@pytest.fixture
def register() -> Iterator[Register]:
    with Register() as site:
        yield site
        site.let_go.set()


@pytest.fixture
def graph(tmp_path: Path) -> str:
    """A walk in a browser, one action after the other."""
    spec = load_graph("weboperator")
    params = {"params": {"mode": "browser", "steps": 8}}
    nodes = {**spec.nodes, "navigate": spec.nodes["navigate"].model_copy(update=params)}
    path = tmp_path / "walk.json"
    path.write_text(spec.model_copy(update={"nodes": nodes}).model_dump_json(), encoding="utf-8")
    return str(path)


@pytest.fixture
def words(register: Register, graph: str) -> list[str]:
    """The command that asks, but for its name."""
    site = ["--site", register.url(), "--graph", graph, "--allow-private", HOST]
    return ["ask", QUESTION, *site, "--json"]


def report(forager: Forager, *words: str) -> dict[str, Any]:
    """What a command printed."""
    said: dict[str, Any] = json.loads(forager(*words).stdout)
    return said


def events(tmp_path: Path, id: str) -> tuple[Event, ...]:
    """What a session told."""
    with closing(SessionStore(tmp_path / "data" / "sessions.sqlite")) as store:
        return store.list_events(id)


def killed(tmp_path: Path, register: Register, words: list[str]) -> None:
    """Ask in another process, which is killed in the middle of the form."""
    env = {"FORAGER_DATA": str(tmp_path / "data"), "PATH": "/usr/bin:/bin"}
    with Program(run_forager, *words, "--session", "one", **env) as running:
        assert register.wanted.wait(60)
        running.kill()
    register.let_go.set()


def holding(tmp_path: Path, what: str) -> list[str]:
    """The files of the data folder that hold a text."""
    files = [path for path in (tmp_path / "data").rglob("*") if path.is_file()]
    return [path.name for path in files if what.encode() in path.read_bytes()]


def test_killed_in_the_middle_of_a_form_it_goes_on_there_and_knows_the_way(
    forager: Forager,
    register: Register,
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its cookies are there again, and nowhere else."""
    monkeypatch.setenv("FORAGER_MEMORY", "true")
    register.admits(1)
    killed(tmp_path, register, words)
    assert holding(tmp_path, SEAT) == ["one.json"]
    left = report(forager, "show", "one", "--json")
    assert left["status"] == "interrupted"
    assert [each["what"] for each in left["actions"]][1:] == ["Select “Nord” in the list “County”"]
    assert register.paths() == ["GET /"]
    resumed = report(forager, "resume", "one", "--allow-private", HOST, "--json")
    assert resumed["status"] == "answered", resumed
    assert "Marta Lindqvist" in resumed["answer"]
    assert [each["outcome"] for each in resumed["actions"]] == ["moved"] * 3
    assert register.paths() == ["GET /", "GET /", f"GET /found?{WANTED}"]
    assert holding(tmp_path, SEAT) == []
    register.sends("get")
    again = report(forager, *words, "--session", "two")
    assert again["status"] == "answered"
    assert again["actions"] == resumed["actions"]
    [event] = [event for event in events(tmp_path, "two") if event.node == "recall"][1:]
    assert "a path that worked before" in event.message


def test_what_posts_is_done_only_if_it_is_approved(
    forager: Forager, register: Register, words: list[str]
) -> None:
    register.let_go.set()
    register.sends("post")
    refused = report(forager, *words)
    assert {each["outcome"] for each in refused["pleas"]} == {"Not approved"}
    assert not any(path.startswith("POST") for path in register.paths())
    brave = report(forager, *words, "--yes-destructive")
    assert "Marta Lindqvist" in brave["answer"]
    assert {each["outcome"] for each in brave["pleas"]} == {"Approved"}
    assert register.paths().count("POST /found") == 1

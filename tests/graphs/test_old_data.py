"""Data folders that version 0.1 wrote: listed, shown, exported, followed up and resumed."""

import json
import warnings
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from tempfile import gettempdir

import pytest
from filelock import FileLock

from forager.settings import Settings
from graphs.sessions.service import Sessions, open_sessions
from graphs.spec.library import open_library
from tests.browsers import needs_browser
from tests.old_data import old_settings, unpack
from tests.servers import Site

DATA = Path(__file__).parents[2] / "tests" / "data"
PORT = 18118
ALL = {
    "abreast", "answered", "browser", "forked", "killed", "killed-follow-up", "own-node",
    "own-node-answered", "paused", "waiting",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return unpack(tmp_path / "data")


@pytest.fixture
def site() -> Iterator[Site]:
    pages = {f"/{path.name}": path.read_text("utf-8") for path in (DATA / "site").glob("*.html")}
    routes = {**pages, "/": pages["/index.html"], "/opening": pages["/opening.html"]}
    # The data names the port, so runs of these tests take turns.
    with FileLock(Path(gettempdir()) / f"forager-port-{PORT}.lock"), Site(routes, PORT) as opened:
        yield opened


@pytest.fixture
async def sessions(folder: Path, site: Site) -> AsyncIterator[Sessions]:
    settings = old_settings(folder, own_nodes=("fresh.py",))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # the user's node type has the old names
        async with open_sessions(settings) as opened:
            yield opened


async def test_all_sessions_are_listed(sessions: Sessions) -> None:
    assert {session.id for session in await sessions.listing.all()} == ALL


@pytest.mark.parametrize("id", sorted(ALL))
async def test_a_session_is_shown_and_exported(sessions: Sessions, id: str) -> None:
    report = await sessions.show(id)
    told = json.loads(await sessions.export(id, "json"))
    assert told["session"] == id
    assert told["status"] == report.status
    for format in ("md", "html", "csv", "zip"):
        assert await sessions.export(id, format)
    if report.status == "answered":
        assert report.answer
        assert report.evidence


async def test_an_answered_session_is_followed_up(sessions: Sessions) -> None:
    await sessions.follow("answered", "Who drew four lighthouses in all?")
    report = await sessions.run("answered")
    assert report.status == "answered"
    assert "Lindqvist" in report.answer
    assert len(report.turns) == 2


@pytest.mark.parametrize(
    ("id", "answer", "cited"),
    [
        ("paused", ("seven lamps", "drew four lighthouses in all"), ("vang", "lindqvist")),
        ("killed", ("1987", "27 metres high"), ("keepers", "vang")),
        ("killed-follow-up", ("until 1890", "seven lamps"), ("lamps", "vang")),
        ("abreast", ("seven lamps", "1987"), ("vang", "keepers", "lindqvist", "skarn")),
        ("own-node", ("born in Trondheim in 1831",), ("lindqvist", "skarn")),
    ],
)
async def test_an_unfinished_session_is_resumed(
    sessions: Sessions, id: str, answer: tuple[str, ...], cited: tuple[str, ...]
) -> None:
    report = await sessions.run(id)
    assert report.status == "answered"
    for words in answer:
        assert words in report.answer
    pages = {entry.url.rpartition("/")[2] for entry in report.citations}
    assert pages <= {f"{name}.html" for name in cited}


@needs_browser
async def test_a_session_that_waits_for_approval_goes_on(sessions: Sessions) -> None:
    asked: list[str] = []

    async def approve(request: object) -> bool:
        asked.append(str(request))
        return True

    report = await sessions.run("waiting", decide=approve)
    assert len(asked) == 1
    assert report.status == "answered"
    assert "on Saturdays from nine to four" in report.answer


async def test_a_fork_of_an_old_step_is_run(sessions: Sessions) -> None:
    fork = await sessions.forks.fork("answered", 3)
    assert (await sessions.run(fork)).status == "answered"


def test_saved_graphs_open(folder: Path) -> None:
    library = open_library(Settings(data=folder, own_nodes=("fresh.py",)))
    assert [each.number for each in library.list_versions("my-walker")] == [2, 1]


async def test_a_folder_of_real_sites(public: Callable[[str], Path], tmp_path: Path) -> None:
    folder = unpack(tmp_path / "data", public("data-folder-0.1.tar.gz"))
    async with open_sessions(old_settings(folder)) as sessions:
        listed = {session.id for session in await sessions.listing.all()}
        assert listed == {"geo", "killed", "interrupted", "cut-off"}
        for id in listed:
            assert await sessions.export(id, "html")
        await sessions.follow("geo", "And who wrote it?")
        followed = await sessions.show("geo")
        assert (followed.question, len(followed.turns)) == ("And who wrote it?", 2)
        report = await sessions.run("cut-off")
        assert report.status in {"answered", "partial", "abstained"}
        assert report.evidence

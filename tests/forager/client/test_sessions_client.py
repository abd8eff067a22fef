"""The client that ships, against a real server on loopback: called, and awaited."""

import inspect
import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from forager import client
from forager.client import AsyncClient, Client, models
from forager.client.transport import Transport
from forager.settings import Settings
from graphs.spec.spec import load_graph
from scripts.generate_client import FOLDER, generate
from tests.browsers import needs_browser
from tests.coast import ENGINEER, Coast
from tests.ui.conftest import PAGES
from tests.ui.server.api.contract import document, operations
from tests.ui.server.api_client import Caller, called
from tests.ui.web.screens.ask.test_approvals_in_browser import QUESTION as IN_REGISTER
from tests.ui.web.screens.ask.test_approvals_in_browser import Register
from ui.server.handbook.handbook_site import HOST, serve_pages

HEIGHT = "How high is the Holm lighthouse?"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    settings = Settings(data=tmp_path_factory.mktemp("data"), allow_private=(HOST,))
    with called(settings) as caller:
        yield caller


@pytest.fixture(scope="module")
def lighthouses() -> Iterator[str]:
    with serve_pages({path: page.encode() for path, page in PAGES.items()}) as root:
        yield root


def url(server: Caller) -> str:
    return f"http://127.0.0.1:{server.port}"


@pytest.fixture
def sync(server: Caller) -> Iterator[Client]:
    with Client(url(server), server.token) as found:
        yield found


def register_question(site: Register, id: str) -> models.NewSession:
    """A question that is answered behind a form, which a browser fills in after an approval."""
    spec = load_graph("weboperator")
    params = {"params": {"mode": "browser", "steps": 8}}
    nodes = {**spec.nodes, "navigate": spec.nodes["navigate"].model_copy(update=params)}
    graph = spec.model_copy(update={"nodes": nodes}).model_dump(mode="json")
    return models.NewSession(
        question=IN_REGISTER,
        sites=[site.url()],
        graph=models.GraphSpec.model_validate(graph),
        session=id,
    )


def test_what_ships_is_what_the_document_generates() -> None:
    for name, text in generate(document()).items():
        assert (FOLDER / name).read_text(encoding="utf-8") == text, "scripts/generate_client.py"


def test_every_call_of_the_document_can_be_called_and_awaited() -> None:
    for operation in operations():
        name = operation.about["operationId"]
        one, other = getattr(Client, name), getattr(AsyncClient, name)
        assert list(inspect.signature(one).parameters) == list(inspect.signature(other).parameters)
        assert inspect.getdoc(one) == inspect.getdoc(other)


def test_a_question_is_asked_watched_and_exported(sync: Client, lighthouses: str) -> None:
    seen: list[models.Event] = []
    report = sync.ask(HEIGHT, [lighthouses], watcher=seen.append)
    assert (report.status, "41 metres" in report.answer) == ("answered", True)
    assert [event.seq for event in seen] == sorted({event.seq for event in seen})
    assert report.citations
    assert report.citations[0].url.endswith("/holm.html")
    assert "41 metres" in sync.export_session(report.session, format="md").decode()
    whole = sync.export_session(report.session, format="zip")
    assert zipfile.ZipFile(io.BytesIO(whole)).namelist()
    sync.delete_session(report.session)
    assert sync.import_session(whole).session == report.session
    listed = sync.list_sessions(search="Holm", status=["answered", "partial"], size=1)
    assert [each.id for each in listed.sessions] == [report.session]
    assert isinstance(sync.show_graph("mango"), models.PresetGraph)
    assert sync.draw_graph(models.GraphRequest(graph="mango")).startswith("flowchart")
    first = next(sync.stream_session(report.session))
    assert first["session"]["status"] == "answered"
    again = sync.watch(report.session, after=seen[-2].seq)
    assert [type(each) for each in again] == [models.Event, models.StreamEnd]


def test_a_session_goes_on_after_each_step_until_it_is_resumed(
    sync: Client, lighthouses: str
) -> None:
    asked = models.NewSession(question=HEIGHT, sites=[lighthouses], session="steps", step=True)
    paused = sync.ask(asked)
    assert paused.status == "paused"
    assert sync.resume_session("steps").session == "steps"
    *_, end = sync.watch("steps")
    assert isinstance(end, models.StreamEnd)
    assert end.status == "answered"
    assert sync.show_session("steps").answer


def test_errors_are_exceptions_of_their_own(sync: Client, server: Caller) -> None:
    with pytest.raises(client.NotFoundError) as missing:
        sync.show_session("none")
    assert (missing.value.status, "none" in missing.value.what) == (404, True)
    with pytest.raises(client.NotFoundError):
        list(sync.watch("none"))
    with pytest.raises(client.InvalidBodyError) as invalid:
        sync.start_session(models.NewSession(question="x" * 20_001))
    assert invalid.value.faults[0]["loc"] == ["question"]
    with pytest.raises(client.BadRequestError):
        sync.search_pages()
    with pytest.raises(client.NotFoundError) as chat:
        sync.show_model("none")
    assert chat.value.what
    with pytest.raises(client.TokenError), Client(url(server), "wrong") as other:
        other.list_sessions()
    with pytest.raises(client.ConnectionFailedError), Client("http://127.0.0.1:1") as nobody:
        nobody.check_health()
    with pytest.raises(client.TokenError):
        client.read_token(Path("/nowhere"))


def test_what_cannot_be_done_now_is_a_conflict(sync: Client) -> None:
    with Coast() as coast:
        asked = models.NewSession(question=ENGINEER, sites=[coast.url()], session="busy")
        sync.start_session(asked)
        assert coast.wanted.wait(60)
        with pytest.raises(client.ConflictError):
            sync.delete_session("busy")
        coast.let_go.set()
        *_, end = sync.watch("busy")
    assert isinstance(end, models.StreamEnd)
    assert end.status == "answered"


@needs_browser
def test_an_approval_is_asked_for_and_given(sync: Client) -> None:
    with Register() as register:
        sync.start_session(register_question(register, "asks"))
        for item in sync.watch("asks"):
            if isinstance(item, models.Event) and item.kind == "asked":
                for request in sync.list_requests("asks"):
                    sync.answer_request("asks", request.id, models.Decision(yes=True))
    assert register.written
    assert "Marta Lindqvist" in sync.show_session("asks").answer


def test_a_batch_is_uploaded_started_and_downloaded(sync: Client, lighthouses: str) -> None:
    added = sync.add_batch(f"question,sites\n{HEIGHT},{lighthouses}\n".encode(), file="q.csv")
    sync.start_batch(added.batch, models.StartBatch(at_once=1))
    while sync.show_batch(added.batch).state != "done":
        pass
    [row] = sync.list_batch_rows(added.batch).rows
    assert "41 metres" in row.lead
    assert b"41 metres" in sync.download_answers(added.batch, format="csv")


async def test_the_same_is_awaited(server: Caller, lighthouses: str) -> None:
    seen: list[models.Event] = []
    async with AsyncClient(url(server), server.token) as to:
        report = await to.ask(HEIGHT, [lighthouses], watcher=seen.append)
        assert "41 metres" in report.answer
        assert seen
        assert "41 metres" in (await to.export_session(report.session)).decode()
        paused = await to.ask(
            models.NewSession(question=HEIGHT, sites=[lighthouses], session="walks", step=True)
        )
        assert paused.status == "paused"
        await to.resume_session("walks", models.ResumeOptions())
        items = [item async for item in to.watch("walks")]
        assert items[-1] == models.StreamEnd(session="walks", status="answered")
        async for view in to.stream_session("walks"):
            assert view["session"]["status"] == "answered"
            break
        assert (await to.draw_graph(models.GraphRequest(graph="mango"))).startswith("flowchart")
        with pytest.raises(client.NotFoundError):
            await to.show_session("none")
        with pytest.raises(client.NotFoundError):
            [item async for item in to.stream_session_events("none")]
    with pytest.raises(client.ConnectionFailedError):
        async with AsyncClient("http://127.0.0.1:1") as nobody:
            await nobody.check_health()


@needs_browser
async def test_an_approval_is_awaited_and_refused(server: Caller) -> None:
    with Register() as register:
        async with AsyncClient(url(server), server.token) as to:
            await to.start_session(register_question(register, "refuses"))
            async for item in to.watch("refuses"):
                if isinstance(item, models.Event) and item.kind == "asked":
                    for request in await to.list_requests("refuses"):
                        await to.answer_request("refuses", request.id, models.Decision(yes=False))
            report = await to.show_session("refuses")
    assert register.written == []
    assert report.pleas
    assert {each.answer for each in report.pleas} == {False}


def test_what_a_newer_server_says_does_not_break_the_client() -> None:
    made = models.Health.model_validate({"version": "9", "running": 0, "new": 1})
    assert (made.version, made.status) == ("9", "ok")
    assert issubclass(Client, Transport)

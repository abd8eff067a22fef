"""Without a model: answers that a tool of an MCP server and an API give, in whole sessions."""

from pathlib import Path

from forager.domain.approvals import ApprovalRequest
from forager.domain.state import Question
from forager.settings import Settings
from graphs.reports.report import Report
from graphs.runtime.approvals import Decide, refuse_all
from graphs.sessions.service import Event, open_sessions
from tests.forager.adapters.tools.servers import program, settings_with
from tests.servers import Reply, Site

HEIGHT = "How high is the lighthouse of Fastnet?"
GRAPH = """\
name: asking
nodes:
  survey: {type: surveyor, params: {sites: 0}}
  ask: NODE
  read: {type: extractor}
  collect: {type: aggregator}
  judge: {type: critic}
  answer: {type: answerer}
edges:
  - start -> survey
  - survey.found -> ask
  - survey.none -> ask
  - ask.found -> read
  - ask.nothing -> answer
  - read.found -> collect
  - read.nothing -> answer
  - collect.next -> judge
  - judge.sufficient -> answer
  - judge.insufficient -> answer
  - answer.end -> end
"""
LOOK_UP = "{type: tool, params: {server: lights, tool: look_up, arguments: {name: '{part}'}}}"
NOTE = "{type: tool, params: {server: lights, tool: note, arguments: {text: Ann}}}"


async def ask(
    settings: Settings,
    node: str,
    model: str = "offline",
    decide: Decide = refuse_all,
    events: list[Event] | None = None,
) -> Report:
    file = settings.data / "asking.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(GRAPH.replace("NODE", node), encoding="utf-8")
    async with open_sessions(settings) as sessions:
        id = await sessions.start(Question(text=HEIGHT, sites=(), seed=3), str(file), model)
        seen = list[Event]() if events is None else events
        return await sessions.run(id, seen.append, decide)


async def test_a_tool_answers_and_is_cited(tmp_path: Path) -> None:
    report = await ask(settings_with(tmp_path, {"lights": program()}), LOOK_UP)
    assert report.status == "answered"
    assert "54 m" in report.answer
    [cited] = report.citations
    assert cited.url.startswith("mcp://lights/look_up?name=How%20high")
    assert "The lighthouse of Fastnet is 54 m high." in cited.quote
    assert report.visited[0].url == cited.url


async def test_a_recorded_call_is_replayed_without_the_server(tmp_path: Path) -> None:
    tape, other = tmp_path / "tape", tmp_path / "other"
    first = await ask(settings_with(tmp_path, {"lights": program()}, record=tape), LOOK_UP)
    again = await ask(Settings(data=other), LOOK_UP, model=f"replay:{tape}")
    assert (again.status, again.answer) == (first.status, first.answer)
    assert again.status == "answered"


async def test_a_server_that_is_gone_does_not_end_the_run(tmp_path: Path) -> None:
    events: list[Event] = []
    gone = settings_with(tmp_path, {"lights": {"command": "nonesuch"}})
    report = await ask(gone, LOOK_UP, events=events)
    assert report.status == "abstained"
    [warned] = [each.message for each in events if each.kind == "warned"]
    assert "The tool server lights could not be reached" in warned


async def test_a_tool_that_may_change_something_waits_for_an_approval(tmp_path: Path) -> None:
    asked: list[ApprovalRequest] = []

    async def agree(request: ApprovalRequest) -> bool:
        asked.append(request)
        return True

    notes = tmp_path / "notes.txt"
    settings = settings_with(tmp_path, {"lights": program(env={"NOTES": str(notes)})})
    await ask(settings, NOTE, decide=agree)
    assert [each.what for each in asked] == ['Call lights/note with {"text": "Ann"}']
    assert notes.read_text() == "Ann\n"
    await ask(settings, NOTE)
    assert notes.read_text() == "Ann\n"


async def test_an_api_answers_and_is_cited(tmp_path: Path) -> None:
    told = '{"name": "Fastnet", "height": "54 m", "about": "The lighthouse is 54 m high."}'
    with Site({"/lights": Reply(told, kind="application/json")}) as site:
        settings = Settings(data=tmp_path, allow_private=("127.0.0.1",))
        node = f"{{type: request, params: {{url: '{site.url('/lights')}?q={{part}}'}}}}"
        report = await ask(settings, node)
        assert site.paths() == ["/lights?q=How%20high%20is%20the%20lighthouse%20of%20Fastnet%3F"]
    assert report.status == "answered"
    assert "54 m" in report.answer
    assert report.citations[0].url.startswith(site.url("/lights"))

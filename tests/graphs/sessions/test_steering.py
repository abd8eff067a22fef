"""A question is changed while it is pursued."""

import pytest

from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.errors import AddressError, QuestionError, SessionError
from graphs.runtime.steers import apply_steer
from graphs.sessions.service import Sessions, Steer
from graphs.spec.spec import GraphSpec, load_graph
from tests.graphs.fanned_graph import FANNED
from tests.graphs.partial_runs import running_until, steered
from tests.graphs.scripted import loosened
from tests.postgres import IN_FILES

FORAGER = loosened(load_graph("forager"))
SITE = "http://127.0.0.1:1/"
OTHER = "http://127.0.0.1:2/"
EVERY = [FORAGER, loosened(load_graph("mango")), loosened(load_graph("webwalker")), FANNED]


@pytest.mark.parametrize(
    ("spec", "node"), [(FORAGER, "judge"), (FANNED, "expedition/aggregate")], ids=["flat", "fanned"]
)
@IN_FILES
async def test_a_running_session_takes_up_a_steer(
    sessions: Sessions, question: Question, log: list[str], spec: GraphSpec, node: str
) -> None:
    id = await sessions.start(question, spec, "scripted")
    change = Steer(hint="the index", forbid=("bad.example",), budget=Budget(rounds=1))
    report, events = await steered(sessions, id, node, change)
    assert report.status == "answered"
    assert report.spent.rounds == 1
    assert len(set(log)) == len(log)
    (event,) = [event for event in events if event.kind == "steered"]
    assert event.message == "hint: the index · forbidden: bad.example · rounds: 1"
    assert event.data["budget"] == {"rounds": 1}
    assert [each.kind for each in events].count("resumed") == 0
    asked = (await sessions.get(id)).question
    assert (asked.hints, asked.forbidden) == (("the index",), ("bad.example",))
    assert (asked.budget.rounds, asked.budget.steps) == (1, 3)
    changed = [
        str(change)
        for point in await sessions.history.checkpoints(id)
        for change in await sessions.history.diff(id, point.number)
    ]
    assert "+ hint “the index”" in changed
    assert "~ budget rounds 2 → 1" in changed


async def test_a_session_that_does_not_run_takes_up_a_steer_at_once(
    sessions: Sessions, question: Question
) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    await sessions.steering.steer(id, Steer(hint="early", budget=Budget(steps=1)))
    await sessions.steering.steer(id, Steer(hint="early"))
    assert (await sessions.get(id)).question.hints == ("early",)
    assert [event.kind for event in await sessions.events(id)] == ["steered"]
    report = await sessions.run(id)
    assert len(report.visited) == 2


@IN_FILES
async def test_a_paused_session_goes_on_with_a_steer(
    sessions: Sessions, question: Question
) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    task = await running_until(sessions, id, "judge")
    await sessions.pause(id)
    await sessions.steering.steer(id, Steer(budget=Budget(rounds=1)))
    assert (await task).status == "paused"
    assert (
        await sessions.run(id)
    ).spent.rounds == 1  # the run may have ended before the steer came
    assert (await sessions.get(id)).question.budget.rounds == 1


@pytest.mark.parametrize("spec", EVERY, ids=lambda spec: spec.name)
@IN_FILES
async def test_an_added_site_joins_the_others(
    sessions: Sessions, question: Question, log: list[str], spec: GraphSpec
) -> None:
    id = await sessions.start(question, spec, "scripted")
    last = "expedition/act" if spec is FANNED else "act"
    report, events = await steered(sessions, id, last, Steer(sites=("127.0.0.1:2",)))
    assert report.status == "answered"
    sites = ["http://127.0.0.1:2/"]
    assert f"survey {sites[0]}" in log
    assert {arm.site for arm in report.arms} == {SITE, *sites}
    assert (await sessions.get(id)).question.sites == (SITE, *sites)
    assert len(set(log)) == len(log)
    assert report.evidence
    assert not [event for event in events if event.kind == "failed"]


async def test_a_site_added_before_the_survey_is_surveyed_with_the_others(
    sessions: Sessions, question: Question, log: list[str]
) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    await sessions.steering.steer(id, Steer(sites=(OTHER,)))
    await sessions.run(id)
    assert log.count(f"survey {OTHER}") == 0  # the scripted surveyor knows the first site alone
    assert (await sessions.get(id)).question.sites == (SITE, OTHER)


@IN_FILES
async def test_a_budget_below_the_spent_one_ends_the_run_with_an_answer(
    sessions: Sessions, question: Question
) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    report, _ = await steered(sessions, id, "judge", Steer(budget=Budget(pages=1)))
    assert report.status == "answered"
    assert len(report.visited) < 6


def test_a_path_alone_is_forbidden_on_the_sites_of_the_question(question: Question) -> None:
    changed = apply_steer(question, Steer(forbid=("/blog/", "/a.html")))
    root = question.sites[0].rstrip("/")
    assert changed.forbidden == (f"{root}/blog/", f"{root}/a.html")


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        (Steer(sites=("ftp://x/",)), AddressError, "is not a web address"),
        (Steer(forbid=("not a host",)), AddressError, "'not a host' is neither a host"),
        (Steer(forbid=("word",)), AddressError, "neither a host nor an address"),
        (Steer(forbid=("word/folder",)), AddressError, "neither a host nor an address"),
        (Steer(sites=("word",)), AddressError, "neither a host nor an address"),
        (Steer(sites=("http://10.0.0.1/",)), AddressError, "--allow-private 10.0.0.1"),
        (Steer(forbid=("127.0.0.1",)), QuestionError, "would have no site left"),
        (Steer(sites=("x.example",), forbid=("example.org", "x.example")), QuestionError, "is for"),
        (Steer(hint="why " * 500), QuestionError, "at most 1,000"),
    ],
)
async def test_an_impossible_steer_is_refused(
    sessions: Sessions, question: Question, change: Steer, error: type[Exception], said: str
) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    with pytest.raises(error, match=said):
        await sessions.steering.steer(id, change)
    assert (await sessions.get(id)).question.hints == ()
    assert (await sessions.run(id)).status == "answered"


@IN_FILES
async def test_an_ended_session_is_not_steered(sessions: Sessions, question: Question) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    await sessions.run(id)
    with pytest.raises(SessionError, match="has ended"):
        await sessions.steering.steer(id, Steer(hint="late"))

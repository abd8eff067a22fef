"""Sessions on a language model that goes away, and on a program that is killed."""

import re
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bench.prompt_sections import prompt_sections
from forager.adapters.store.sessions.session_store import SessionStore
from forager.budget import MODEL_COSTS
from forager.domain.spend import Budget, Spend
from graphs.reports.report import Report
from graphs.sessions.service import open_sessions
from tests.endpoint import Asked, Endpoint, Reply
from tests.endpoint.faults import Dead, Hang, Status, When
from tests.endpoint.request import said
from tests.graphs.fanned_graph import FANNED_REAL
from tests.graphs.runs.test_crash import outcome, worker
from tests.loopback_model import Asking, Surveyed, apart, role, roles

TRAIL = "Opened so far"
TAG = re.compile(r"(?<=\[\[(?:material) )\w+|(?<=\[\[end )\w+")


@pytest.fixture
def asking(observatory: Surveyed, endpoint: Endpoint, tmp_path: Path) -> Asking:
    return observatory.asking(tmp_path / "data", endpoint)


def prompts(requests: Iterable[Asked]) -> Counter[str]:
    """What was asked, without the marks that are drawn anew each time."""
    return Counter(TAG.sub("", f"{role(each)}: {said(each.messages[1])}") for each in requests)


def finds_all_open(asked: Asked) -> Reply:
    """Like `apart`, but whatever the aggregator reads, all stays open."""
    reply = apart(asked)
    if role(asked) != "aggregator" or not isinstance(reply.said, dict):
        return reply
    parts = prompt_sections(said(asked.messages[1]))["Parts"].splitlines()
    return Reply({**reply.said, "open": [part[2:] for part in parts]})


def cost(spent: Spend) -> dict[str, float]:
    """What was paid, but for what the endpoint had in its cache from sessions before."""
    return {name: getattr(spent, name) for name in MODEL_COSTS if name != "tokens_cached"}


class Peace(NamedTuple):
    """A session that nothing befell, what it asked, and whom, in order."""

    report: Report
    asked: Counter[str]
    roles: list[str]
    trails: list[str]


async def undisturbed(asking: Asking, folder: Path, **more: Any) -> Peace:
    """The same question asked in peace."""
    endpoint = asking.endpoint
    report = await asking.known.asking(folder, endpoint).ask(**more)
    trails = [prompt_sections(said(each.messages[1])).get(TRAIL, "") for each in endpoint.requests]
    peace = Peace(report, prompts(endpoint.requests), roles(endpoint), trails)
    endpoint.requests.clear()
    return peace


async def test_an_endpoint_that_dies_leaves_a_session_to_be_resumed(
    asking: Asking, endpoint: Endpoint, tmp_path: Path
) -> None:
    peace = await undisturbed(asking, tmp_path / "peace")
    endpoint.faults = [When(lambda asked: role(asked) == "answerer", Dead(), once=True)]
    failed = await asking.ask()
    assert failed.status == "failed"
    assert failed.error.startswith(f"openai:any at {endpoint.url} gave no reply in ")
    assert failed.error.endswith("resume the session when the endpoint is back.")
    *answered, lost = endpoint.requests
    assert role(lost) == "answerer"
    still = await asking.resume()
    assert (still.status, len(endpoint.requests)) == ("failed", len(answered) + 1)
    endpoint.revive()
    report = await asking.resume()
    assert report.status == "answered"
    assert outcome(report) == outcome(peace.report)
    answered += endpoint.requests[len(answered) + 1 :]
    assert prompts(answered) == peace.asked
    assert cost(report.spent) == cost(peace.report.spent)


async def test_killed_within_a_call_a_session_asks_nothing_twice(
    asking: Asking, endpoint: Endpoint, tmp_path: Path
) -> None:
    """At the second question of one node: the first one's reply, and its price, are kept."""
    endpoint.script = finds_all_open
    mango: dict[str, Any] = {"graph": "mango", "budget": Budget(rounds=2)}
    peace = await undisturbed(asking, tmp_path / "peace", **mango)
    # Two questions with the same pages opened before are of one node: nothing was done between.
    pairs = enumerate(pairwise(zip(peace.roles, peace.trails, strict=True)), start=2)
    number = next(n for n, (one, other) in pairs if one == other and one[0] == "navigator")
    endpoint.faults = [When(lambda asked: len(endpoint.requests) == number, Hang(), once=True)]
    await asking.start(**mango)
    port = str(asking.known.site.port)
    with worker(tmp_path / "data", "hold", "0", "one", world=port) as process:
        assert endpoint.arrived(number, 60)
        process.kill()
        process.wait()
    *answered, lost = endpoint.requests
    async with open_sessions(asking.settings) as sessions:
        assert (await sessions.show("one")).spent.model_calls == len(answered)
    report = await asking.resume()
    assert outcome(report) == outcome(peace.report)
    later = endpoint.requests[number:]
    assert prompts([*answered, *later]) == peace.asked
    assert prompts([lost]) & prompts(later)
    assert cost(report.spent) == cost(peace.report.spent)


async def test_what_branches_paid_is_counted_once(asking: Asking, endpoint: Endpoint) -> None:
    """One of two branches has come to its end when the other one loses its endpoint."""

    def late(asked: Asked) -> bool:
        return role(asked) == "navigator" and "reflector" in roles(endpoint)

    endpoint.script = finds_all_open
    endpoint.faults = [When(late, Status(503))]
    failed = await asking.ask(FANNED_REAL)
    assert failed.status == "failed"
    assert cost(failed.spent) == cost(paid(asking))
    endpoint.faults.clear()
    report = await asking.resume()
    assert report.status == "answered"
    assert cost(report.spent) == cost(paid(asking))


def paid(asking: Asking) -> Spend:
    """What models have cost by the session's own book."""
    with closing(SessionStore(asking.settings.data / "sessions.sqlite")) as store:
        return store.paid_spend("one")

"""Real nodes on two sites over loopback, the second one named in the middle of the run."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.errors import QuestionError
from forager.settings import Settings
from graphs.sessions.service import ForkChange, Sessions, Steer, open_sessions
from tests.graphs.partial_runs import steered
from tests.graphs.systems.test_real import HARBOURS, page
from tests.servers import Site

QUESTION = "Which engineer dredged the harbour of Vega?"
POOR = {
    "/": page("Boats", "A site about boats and the harbour of Vega.", "herring vega"),
    "/herring.html": page("Herring", "Forty boats lie in the harbour for the herring.", "vega"),
    "/vega.html": page("Vega", "The harbour of Vega lies far in the north.", "herring"),
}


@pytest.fixture
def poor() -> Iterator[Site]:
    with Site(POOR) as served:
        yield served


@pytest.fixture
def rich() -> Iterator[Site]:
    with Site(HARBOURS) as served:
        yield served


@asynccontextmanager
async def opened(folder: Path, *sites: Site) -> AsyncIterator[Sessions]:
    allowed = tuple(f"127.0.0.1:{site.port}" for site in sites)
    async with open_sessions(Settings(data=folder, allow_private=allowed)) as sessions:
        yield sessions


def asked(*sites: Site) -> Question:
    budget = Budget(rounds=4, steps=4)
    return Question(text=QUESTION, sites=tuple(site.url() for site in sites), budget=budget)


@pytest.mark.parametrize(
    ("graph", "node"),
    [("forager", "select"), ("mango", "select"), ("abreast", "select"), ("infogent", "survey")],
)
async def test_an_added_site_brings_the_answer(
    tmp_path: Path, poor: Site, rich: Site, graph: str, node: str
) -> None:
    async with opened(tmp_path, poor, rich) as sessions:
        await sessions.start(asked(poor), graph, "offline", "one")
        report, _ = await steered(sessions, "one", node, Steer(sites=(rich.url(),)))
        if graph != "mango":  # its rule has enough of the first site
            (found,) = [item for item in report.evidence if "Ingrid Solheim" in item.quote][:1]
            assert found.part != "p1"
        assert {arm.site for arm in report.arms} == {poor.url(), rich.url()}
        fetched = [asked.path for asked in rich.asked if asked.path.endswith(".html")]
        assert len(set(fetched)) == len(fetched)


@pytest.mark.parametrize("graph", ["forager", "webwalker", "infogent"])
async def test_forbidden_addresses_are_never_read(tmp_path: Path, rich: Site, graph: str) -> None:
    async with opened(tmp_path, rich) as sessions:
        await sessions.start(asked(rich), graph, "offline", "one")
        await sessions.steering.steer("one", Steer(forbid=(rich.url("/vega.html"),)))
        report = await sessions.run("one")
        assert "/vega.html" not in [asked.path for asked in rich.asked]
        assert report.status != "failed"
        assert not any("vega" in visited.url for visited in report.visited)


async def test_addresses_forbidden_later_are_not_opened(tmp_path: Path, rich: Site) -> None:
    async with opened(tmp_path, rich) as sessions:
        await sessions.start(asked(rich), "forager", "offline", "one")
        first = await sessions.run("one")
        assert any("vega" in visited.url for visited in first.visited)
        step = next(
            p.number for p in await sessions.history.checkpoints("one") if p.next == ("select",)
        )
        fork = await sessions.forks.fork("one", step, ForkChange(forbid=(rich.url("/vega.html"),)))
        report = await sessions.run(fork)
        assert not any("vega" in visited.url for visited in report.visited)
        assert not any("vega" in item.url for item in report.evidence)


async def test_a_fork_reads_the_sites_it_was_given(tmp_path: Path, poor: Site, rich: Site) -> None:
    async with opened(tmp_path, poor, rich) as sessions:
        await sessions.start(asked(poor), "forager", "offline", "one")
        await sessions.run("one")
        step = next(
            p.number for p in await sessions.history.checkpoints("one") if p.next == ("select",)
        )
        fork = await sessions.forks.fork("one", step, ForkChange(sites=(rich.url(),)))
        report = await sessions.run(fork)
        assert any("Ingrid Solheim" in item.quote for item in report.evidence)
        await sessions.forks.continue_from(
            "one", step, Steer(sites=(rich.url(),), hint="the engineers")
        )
        again = await sessions.run("one")
        assert {arm.site for arm in again.arms} == {poor.url(), rich.url()}


@pytest.mark.parametrize("graph", ["forager", "mango", "webwalker", "infogent"])
async def test_an_answer_that_is_set_aside_is_not_given_again(
    tmp_path: Path, rich: Site, graph: str
) -> None:
    async with opened(tmp_path, rich) as sessions:
        await sessions.start(asked(rich), graph, "offline", "one")
        first = await sessions.run("one")
        led = tuple({lead.quote for lead in first.leads})
        said = {item.quote for item in first.evidence if item.id in led}
        assert said
        end = (await sessions.history.checkpoints("one"))[-1].number
        await sessions.forks.continue_from("one", None, Steer(set_aside=led))
        report = await sessions.run("one")
        assert report.status in ("answered", "partial", "abstained")
        assert said.isdisjoint(item.quote for item in report.evidence)
        told = [event.message for event in await sessions.events("one")]
        assert any(message.endswith(f"set aside: {', '.join(led)}") for message in told)
        await sessions.forks.continue_from("one", end)
        assert (await sessions.run("one")).answer == first.answer


async def test_only_quotes_of_the_ledger_can_be_set_aside(tmp_path: Path, rich: Site) -> None:
    async with opened(tmp_path, rich) as sessions:
        await sessions.start(asked(rich), "forager", "offline", "one")
        first = await sessions.run("one")
        with pytest.raises(QuestionError, match="There is no quote 'e77'"):
            await sessions.forks.continue_from("one", None, Steer(set_aside=("e77",)))
        assert (await sessions.show("one")).answer == first.answer

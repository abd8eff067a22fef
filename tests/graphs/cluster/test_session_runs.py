"""Sessions that workers of a cluster run: seen from here, resumed, and run by one worker alone."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bench.scale.counted_sites import CountedSite, serve_counted_sites
from bench.scale.stub_model import MODEL, serve_stub_model
from forager.adapters.store.server import LostConnectionError
from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.errors import ClusterError, ForagerError, SessionError, StatusError, UsageError
from forager.settings import Settings
from forager.util.place import Server
from graphs.cluster.connection import measure_cluster
from graphs.cluster.session_runs import run_as_set, stop_as_set
from graphs.cluster.session_task import plain_kind
from graphs.sessions.model_choice import settle_models
from graphs.sessions.service import Event, Sessions, open_sessions
from graphs.system.doctor import check_cluster
from tests.ray_cluster import RayCluster, free_port, worker_processes


@asynccontextmanager
async def opened(data: Path, address: str, **more: object) -> AsyncIterator[Sessions]:
    settings = Settings(
        **{  # type: ignore[arg-type]
            "data": data,
            "ray": address,
            "allow_private": ("127.0.0.1",),
            "memory": False,
            **more,
        }
    )
    async with open_sessions(settings) as sessions:
        yield sessions


async def started(sessions: Sessions, site: CountedSite, number: int, model: str) -> str:
    question = Question(text=site.question(number), sites=(site.url,), budget=Budget())
    line = settle_models(model, sessions.context.settings, question.budget)
    return await sessions.start(question, "forager", line)


async def test_a_worker_runs_a_session_and_its_events_are_seen_here(
    ray_cluster: RayCluster, tmp_path: Path
) -> None:
    seen: list[Event] = []
    with serve_counted_sites(1) as (site,):
        async with opened(tmp_path, ray_cluster.address) as sessions:
            id = await started(sessions, site, 0, "offline")
            report = await run_as_set(sessions, id, seen.append)
            assert report.status == "answered"
            assert "Marta Lindqvist" in report.answer
            numbers, kept = [each.seq for each in seen], await sessions.events(id)
            assert numbers == sorted(set(numbers))
            assert set(numbers) >= {each.seq for each in kept}  # progress is not kept for long
            assert await run_as_set(sessions, id) == report  # it has ended, and is only shown
    log = (tmp_path / "logs" / "forager.log").read_text(encoding="utf-8")
    assert f"session {id}: running" in log  # this process keeps no log


@pytest.mark.parametrize("kept", ["files", "server"])
async def test_a_session_goes_on_from_its_checkpoint_when_its_worker_is_killed(
    ray_cluster: RayCluster, tmp_path: Path, request: pytest.FixtureRequest, kept: str
) -> None:
    more: dict[str, object] = {}
    if kept == "server":
        server: Server = request.getfixturevalue("postgres")
        more = {"database_url": server.url, "blobs": str(tmp_path / "pages")}
    killed: list[int] = []

    def watch(event: Event) -> None:
        if event.kind == "finished" and event.node == "select" and not killed:
            killed.extend(worker_processes(event.session))
            for each in killed:
                os.kill(each, signal.SIGKILL)

    with serve_counted_sites(1) as (site,), serve_stub_model(0.2) as model:
        async with opened(tmp_path, ray_cluster.address, base_url=model.url, **more) as sessions:
            id = await started(sessions, site, 0, MODEL)
            report = await run_as_set(sessions, id, watch)
            kinds = [event.kind for event in await sessions.events(id)]
    assert len(killed) == 1
    assert report.status == "answered"
    assert (kinds.count("begun"), kinds.count("resumed")) == (1, 1)
    assert model.repeated <= 1  # the call that was under way
    fetched = sum(site.fetched[path] for path in site.pages)
    assert fetched <= len(site.pages) + 1  # another machine opens the chosen page itself


async def test_two_drivers_do_not_run_a_session_twice(
    ray_cluster: RayCluster, tmp_path: Path, postgres: Server
) -> None:
    with serve_counted_sites(1) as (site,), serve_stub_model(0.2) as model:
        more = {"base_url": model.url, "database_url": postgres.url}
        async with (
            opened(tmp_path / "one", ray_cluster.address, **more) as one,
            opened(tmp_path / "two", ray_cluster.address, **more) as two,
        ):
            id = await started(one, site, 0, MODEL)
            outcomes = await asyncio.gather(
                run_as_set(one, id), run_as_set(two, id), return_exceptions=True
            )
            reports = [each for each in outcomes if not isinstance(each, BaseException)]
            refused = [each for each in outcomes if isinstance(each, SessionError)]
            events = await two.events(id)
    assert reports[0].status == "answered"
    assert len(refused) == 1 or len(reports) == 2  # the second came when all was done
    assert [event.kind for event in events].count("begun") == 1
    assert model.repeated == 0


async def test_a_session_is_paused_and_stopped_from_another_host(
    ray_cluster: RayCluster, tmp_path: Path, postgres: Server
) -> None:
    begun = asyncio.Event()
    with serve_counted_sites(1) as (site,), serve_stub_model(0.5) as model:
        more = {"base_url": model.url, "database_url": postgres.url}
        async with (
            opened(tmp_path / "one", ray_cluster.address, **more) as one,
            opened(tmp_path / "two", ray_cluster.address, **more) as two,
        ):
            id = await started(one, site, 0, MODEL)
            running = asyncio.create_task(run_as_set(one, id, lambda _: begun.set()))
            await begun.wait()
            assert (await two.show(id)).status == "running"
            watching = [event async for event in _follow(two, id)]
            assert (await running).status == "paused"
            assert watching
            assert (await stop_as_set(two, id)).status in {"partial", "abstained"}


async def test_a_session_that_waits_for_a_worker_is_seen_and_paused_from_another_host(
    ray_cluster: RayCluster, tmp_path: Path, postgres: Server
) -> None:
    more = {"database_url": postgres.url, "ray_cpus": 64.0}  # more than the cluster has
    with serve_counted_sites(1) as (site,):
        async with (
            opened(tmp_path / "one", ray_cluster.address, **more) as one,
            opened(tmp_path / "two", ray_cluster.address, **more) as two,
        ):
            id = await started(one, site, 0, "offline")
            assert (await two.show(id)).status == "interrupted"
            waiting = asyncio.create_task(run_as_set(one, id))
            async with asyncio.timeout(60):
                while (await two.show(id)).status != "running":
                    await asyncio.sleep(0.05)
            assert (await stop_as_set(two, id)).status == "running"
            await two.pause(id)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            assert (await two.show(id)).status == "paused"
            assert await two.events(id) == ()
    assert not any(site.fetched.values())


async def _follow(sessions: Sessions, id: str) -> AsyncIterator[Event]:
    """Watch a session that runs elsewhere, which is paused as soon as it is seen."""
    async for event in sessions.watch(id):
        await sessions.pause(id)
        yield event


async def test_workers_survey_a_site_once(
    ray_cluster: RayCluster, tmp_path: Path, postgres: Server
) -> None:
    more = {"database_url": postgres.url, "blobs": str(tmp_path / "pages")}
    with serve_counted_sites(1) as (site,), serve_stub_model(0.1) as model:
        more["base_url"] = model.url
        async with opened(tmp_path / "own", ray_cluster.address, **more) as sessions:
            ids = [await started(sessions, site, number, MODEL) for number in range(4)]
            reports = await asyncio.gather(*(run_as_set(sessions, id) for id in ids))
    assert {report.status for report in reports} == {"answered"}
    pages = {path: site.fetched[path] for path in site.pages}
    assert pages == dict.fromkeys(site.pages, 1)
    assert all((ray_cluster.folder / node / "web.sqlite").exists() for node in ("a", "b"))


async def test_a_run_that_is_cancelled_here_leaves_its_worker(
    ray_cluster: RayCluster, tmp_path: Path
) -> None:
    begun = asyncio.Event()
    with serve_counted_sites(1) as (site,), serve_stub_model(0.5) as model:
        async with opened(tmp_path, ray_cluster.address, base_url=model.url) as sessions:
            id = await started(sessions, site, 0, MODEL)
            running = asyncio.create_task(run_as_set(sessions, id, lambda _: begun.set()))
            await begun.wait()
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
            assert (await sessions.show(id)).status == "interrupted"
            report = await run_as_set(sessions, id)
            kinds = [event.kind for event in await sessions.events(id)]
    assert report.status == "answered"
    assert (kinds.count("begun"), kinds.count("resumed")) == (1, 1)


async def test_an_error_of_the_worker_is_raised_here(
    ray_cluster: RayCluster, tmp_path: Path
) -> None:
    secrets = tmp_path / "secrets.yaml"
    secrets.write_text("", encoding="utf-8")
    secrets.chmod(0o600)
    with serve_counted_sites(1) as (site,):
        async with opened(tmp_path, ray_cluster.address, secrets=secrets) as sessions:
            id = await started(sessions, site, 0, "offline")
            secrets.write_text("[broken", encoding="utf-8")
            with pytest.raises(UsageError, match=r"secrets\.yaml"):
                await run_as_set(sessions, id)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (SessionError("It runs."), "SessionError"),
        (LostConnectionError("It is away."), "StoreError"),
        (StatusError("It is gone.", status=410), "WebError"),
    ],
)
def test_an_error_is_known_elsewhere_by_its_nearest_plain_class(
    error: ForagerError, kind: str
) -> None:
    assert plain_kind(error) == kind


async def test_a_cluster_that_is_away_leaves_the_session_to_be_resumed(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    with serve_counted_sites(1) as (site,):
        async with opened(tmp_path, f"ray://127.0.0.1:{free_port()}") as sessions:
            id = await started(sessions, site, 0, "offline")
            with pytest.raises(ClusterError, match="cannot be reached"):
                await run_as_set(sessions, id)
            assert (await sessions.show(id)).status == "interrupted"
            assert (await sessions.run(id)).status == "answered"


def test_the_cluster_is_measured(ray_cluster: RayCluster, tmp_path: Path) -> None:
    [check] = check_cluster(Settings(data=tmp_path, ray=ray_cluster.address))
    assert (check.state, check.found[:22]) == ("ok", "2 nodes, 2 processors,")
    size = measure_cluster(ray_cluster.address)
    assert (size.nodes, size.cpus) == (2, 2.0)

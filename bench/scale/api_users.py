"""Users of the JSON API of a web UI, who read and now and then ask."""

import asyncio
import os
import random
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx2

from bench.scale.counted_sites import CountedSite, serve_counted_sites
from bench.scale.stub_model import MODEL, serve_stub_model
from bench.ui.figures import fill_sessions
from bench.ui.server import UiServer, serve_ui

SITES = 4
ASK_EVERY = 200
"""One of so many calls asks a question."""
READS = ("list", "search", "session", "events", "state", "spending", "health")
SLOWEST_READ = 0.3
"""Seconds that 95 of 100 reads may take at the most."""
PATIENCE = 60.0
Reads = Mapping[str, Sequence[float]]


@dataclass(frozen=True)
class UserPlan:
    """So many users for so long, each of whom pauses between two calls."""

    folder: Path
    users: int = 50
    minutes: float = 5.0
    pause: float = 1.0
    latency: float = 0.5
    seed: int = 0


@dataclass
class UserOutcome:
    """The seconds of each call by its kind, what went wrong, and the sessions that were asked."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    errors: Counter[str] = field(default_factory=Counter)
    asked: list[str] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    took: float = 0.0
    load: float = 0.0

    @property
    def reads(self) -> list[float]:
        """The seconds of all reads."""
        return [each for kind in READS for each in self.seconds.get(kind, ())]

    @property
    def has_passed(self) -> bool:
        """Whether there was no error, and 95 of 100 reads were quick enough."""
        return not self.errors and quantile(self.reads, 0.95) < SLOWEST_READ


def measure_users(plan: UserPlan) -> UserOutcome:
    """Let users at a server with 500 stored sessions."""
    fill_sessions(plan.folder)
    with (
        serve_counted_sites(SITES) as sites,
        serve_stub_model(plan.latency) as model,
        serve_ui(plan.folder, {"FORAGER_BASE_URL": model.url}) as server,
    ):
        return asyncio.run(_let_in(plan, server, sites))


def quantile(values: Sequence[float], share: float) -> float:
    """The least value that so large a share of all does not exceed; 0 where there are none."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(share * len(ranked)))] if ranked else 0.0


def user_lines(found: UserOutcome) -> Iterator[tuple[str, ...]]:
    """A row for each kind of call, then all reads."""
    for kind, seconds in (*sorted(found.seconds.items()), ("all reads", found.reads)):
        shares = (f"{quantile(seconds, share) * 1000:.0f}" for share in (0.5, 0.95, 0.99, 1.0))
        yield kind, str(len(seconds)), *shares


async def _let_in(plan: UserPlan, server: UiServer, sites: Sequence[CountedSite]) -> UserOutcome:
    found = UserOutcome()
    began = time.monotonic()
    limits = httpx2.Limits(max_connections=plan.users)
    async with httpx2.AsyncClient(
        base_url=server.url, headers=server.client.headers, timeout=PATIENCE, limits=limits
    ) as client:
        async with asyncio.TaskGroup() as group:
            for number in range(plan.users):
                user = _User(client, found, sites, random.Random(plan.seed + number))
                group.create_task(user.call_until(began + plan.minutes * 60, plan.pause))
        found.took, found.load = time.monotonic() - began, os.getloadavg()[0]
        for id in found.asked:
            session = (await client.get(f"/api/sessions/{id}")).raise_for_status().json()
            found.statuses[session["status"]] += 1
    return found


@dataclass
class _User:
    client: httpx2.AsyncClient
    found: UserOutcome
    sites: Sequence[CountedSite]
    draw: random.Random

    async def call_until(self, end: float, pause: float) -> None:
        """Call, pause, and call again; users do not begin at the same moment."""
        await asyncio.sleep(self.draw.uniform(0, pause))
        while time.monotonic() < end:
            asks = self.draw.randrange(ASK_EVERY) == 0
            await self._call("ask" if asks else self.draw.choice(READS))
            await asyncio.sleep(self.draw.uniform(0.5, 1.5) * pause)

    async def _call(self, kind: str) -> None:
        began = time.monotonic()
        try:
            if kind == "ask":
                site = self.draw.choice(self.sites)
                asked = site.question(self.draw.randrange(1000))
                body = {"question": asked, "sites": [site.url], "model": MODEL}
                reply = await self.client.post("/api/sessions", json=body)
            else:
                reply = await self.client.get(self._path(kind))
        except httpx2.HTTPError as error:
            self.found.errors[f"{kind}: {type(error).__name__}"] += 1
            return
        self.found.seconds.setdefault(kind, []).append(time.monotonic() - began)
        if not reply.is_success:
            self.found.errors[f"{kind}: {reply.status_code} {reply.text[:80]}"] += 1
        elif kind == "ask":
            self.found.asked.append(reply.json()["session"])

    def _path(self, kind: str) -> str:
        one = f"/api/sessions/kept-{self.draw.randrange(500):03d}"
        paths = {
            "list": "/api/sessions",
            "search": f"/api/sessions?search=lighthouse%20number%20{self.draw.randrange(500)}",
            "session": one,
            "health": "/api/health",
        }
        return paths.get(kind, f"{one}/{kind}")

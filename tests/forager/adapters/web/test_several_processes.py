"""Two processes ask a host no more often than one, and survey a site once."""

import json
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.forager.adapters.web.crawled import make_page
from tests.servers import Asked, Reply, Site

WORKER = "tests.forager.adapters.web.crawl_worker"
PAUSE = 0.2
Installation = Callable[[str], dict[str, object]]


@pytest.fixture(params=["files", "server"])
def installation(request: pytest.FixtureRequest, tmp_path: Path) -> Installation:
    """The settings of a process by its name: of one data folder, or of its own on one server."""
    if request.param == "files":
        return lambda _: {"data": str(tmp_path / "data")}
    server = request.getfixturevalue("postgres")
    shared = {"database_url": server.url, "blobs": str(tmp_path / "pages")}
    return lambda name: {"data": str(tmp_path / name), **shared}


@contextmanager
def started(settings: dict[str, object], *words: str) -> Iterator[subprocess.Popen[str]]:
    """A process that has opened its files."""
    whole = {"allow_private": ["127.0.0.1"], "politeness_seconds": PAUSE, **settings}
    command = [sys.executable, "-m", WORKER, json.dumps(whole), *words]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as worker:
        assert worker.stdout
        assert worker.stdout.readline() == "ready\n"
        yield worker


def run_both(first: subprocess.Popen[str], second: subprocess.Popen[str]) -> list[int]:
    """Let both go on; how many pages each fetched."""
    for worker in (first, second):
        assert worker.stdin
        worker.stdin.write("go\n")
        worker.stdin.flush()
    return [int(worker.communicate(timeout=120)[0]) for worker in (first, second)]


@contextmanager
def both(installation: Installation, *words: list[str]) -> Iterator[list[subprocess.Popen[str]]]:
    with ExitStack() as stack:
        yield [
            stack.enter_context(started(installation(name), *own))
            for name, own in zip(("one", "two"), words, strict=True)
        ]


def test_the_pause_is_kept_over_both(site: Site, installation: Installation) -> None:
    asked: list[float] = []

    def answer(request: Asked) -> Reply:
        asked.append(time.monotonic())
        return Reply(f"<p>Page {request.path}")

    site.otherwise = answer
    pages = [[site.url(f"/{name}{number}") for number in range(8)] for name in "ab"]
    with both(installation, *(["polite", *own] for own in pages)) as (first, second):
        assert run_both(first, second) == [8, 8]
    assert len(asked) == 18  # each asks for robots.txt
    assert asked[-1] - asked[0] > 17 * PAUSE * 0.9


def test_what_an_overloaded_host_asks_for_holds_for_both(
    site: Site, installation: Installation
) -> None:
    refused = threading.Event()
    again: list[float] = []

    def refuse_first(request: Asked) -> Reply:
        if not refused.is_set():
            refused.set()
            again.append(time.monotonic())
            return Reply("busy", 429, headers={"Retry-After": "3"})
        again.append(time.monotonic())
        return Reply("<p>Text")

    site.routes = {"/robots.txt": Reply("", 404), "/a": refuse_first, "/b": refuse_first}
    with (
        started(installation("one"), "polite", site.url("/a")) as first,
        started(installation("two"), "polite", site.url("/b")) as second,
    ):
        assert first.stdin
        first.stdin.write("go\n")
        first.stdin.flush()
        assert refused.wait(60)
        assert run_both(first, second) == [1, 1]
    assert len(again) == 3
    assert min(again[1:]) - again[0] > 2.5


def test_a_site_is_surveyed_once(site: Site, installation: Installation) -> None:
    names = [f"p{number}.html" for number in range(30)]
    site.routes["/"] = make_page("Root", *names)
    site.routes |= {f"/{name}": make_page(f"Page {name}", "/") for name in names}
    with both(installation, *[["survey", site.url()]] * 2) as (first, second):
        fetched = run_both(first, second)
    assert Counter(site.paths()) == dict.fromkeys(site.routes, 1)
    assert sorted(fetched) == [0, 31]
    with started(installation("later"), "survey", site.url()) as third:
        assert third.communicate("go\n", timeout=120)[0] == "0\n"
    assert len(site.paths()) == 31

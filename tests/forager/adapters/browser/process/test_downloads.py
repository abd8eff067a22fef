"""What a session downloads is held against its own limit, whatever others download."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from forager.adapters.browser.browser_port import PlaywrightBrowser
from forager.adapters.browser.process.engine import Engine
from forager.settings import Settings
from tests.browsers import needs_browser
from tests.fakes import MemoryBlobs
from tests.forager.adapters.browser.browser_driver import Walker
from tests.servers import Reply, Site

MANY = 1_000_000
LINKS = "<a href=/large.txt>Large</a> <a href=/small.txt>Small</a>"


@pytest.fixture
def site() -> Iterator[Site]:
    """A large file without an end, and a small one that comes slowly while the other comes."""
    comes, goes_on = threading.Event(), threading.Event()

    def large() -> Iterator[bytes]:
        yield b"x" * MANY
        comes.set()
        goes_on.wait(20)
        for _ in range(60):
            yield b"x" * MANY

    def small() -> Iterator[bytes]:
        yield b"The small light. " * 2000
        comes.wait(20)
        threading.Event().wait(3)
        yield b"It has come whole."
        goes_on.set()

    with Site({"/": LINKS}) as served:
        for name, body in (("large", large), ("small", small)):
            headers = {"Content-Disposition": f"attachment; filename={name}.txt"}
            served.routes[f"/{name}.txt"] = Reply(body, kind="text/plain", headers=headers)
        yield served
        goes_on.set()


@pytest.fixture
async def engine(tmp_path: Path, site: Site) -> AsyncIterator[Engine]:
    running = Engine(Settings(data=tmp_path, allow_private=(f"127.0.0.1:{site.port}",)))
    yield running
    await running.aclose()


@needs_browser
async def test_a_large_download_is_cancelled_and_not_that_of_another_session(
    engine: Engine, site: Site, tmp_path: Path
) -> None:
    async def notes(name: str, most: int) -> str:
        allowed = (f"127.0.0.1:{site.port}",)
        settings = Settings(data=tmp_path / name, max_bytes=most, allow_private=allowed)
        blobs = MemoryBlobs()
        walker = Walker(PlaywrightBrowser(settings, blobs, engine), blobs)
        try:
            await walker.begin(site.url("/"))
            done = await walker.on(name, "click")
        finally:
            await walker.door.aclose()
        assert done.view is not None
        return " ".join(done.view.notes)

    large, small = await asyncio.gather(notes("Large", 2 * MANY), notes("Small", 100_000))
    assert "small.txt was read" in small
    assert "larger than 2,000,000 bytes and was cancelled" in large

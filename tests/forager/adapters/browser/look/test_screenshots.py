"""The picture of an action shows what it acts on, and no secret."""

import asyncio
import io
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import numpy as np
import pytest
import pytest_asyncio
from numpy.typing import NDArray
from PIL import Image
from playwright.async_api import FloatRect

from forager.adapters.browser.browser_port import PlaywrightBrowser
from forager.adapters.browser.look.screenshots import COVER_COLOUR, ActionScreenshots
from forager.adapters.browser.tabs import Tabs
from forager.adapters.web.secrets import Secrets
from forager.domain.actions import Action
from forager.settings import Settings
from tests.browsers import needs_browser
from tests.fakes import MemoryBlobs
from tests.forager.adapters.browser.snapshot_elements import act, called, ref
from tests.servers import Site

WORD = "lamp-oil-and-salt"
PLAIN = "<title>Plain</title><body style='margin: 40px'><p>Some text.</p><button>Go</button>"
LOG_IN = """<title>Log in</title><style>input { border: 0; padding: 0; height: 30px }</style>
  <form action=/in><label>Word <input name=w type=password></label><button>Enter</button></form>"""
ROUTES = {
    "/plain": PLAIN,
    "/deep": f"<div style='height: 3000px'></div>{PLAIN}",
    "/framed": f"<iframe srcdoc=\"{PLAIN}\" style='margin: 100px; width: 400px'></iframe>",
    "/modal": f"<dialog>{PLAIN}</dialog><script>document.querySelector('dialog').showModal()"
    "</script>",
    "/login": LOG_IN,
    "/in": f"<p>You typed</p><h1 style='margin: 0; font-size: 40px'>{WORD}</h1>",
}


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(ROUTES) as served:
        yield served


@pytest.fixture
def blobs() -> MemoryBlobs:
    return MemoryBlobs()


@pytest.fixture
def shots(blobs: MemoryBlobs, tmp_path: Path) -> ActionScreenshots:
    return ActionScreenshots(Settings(data=tmp_path), blobs, Secrets())


def image(data: bytes) -> NDArray[np.int16]:
    """Rows of pixels of three colours."""
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(np.int16)


def red(shown: NDArray[np.int16]) -> tuple[int, int, int, int] | None:
    """Around what is red: left, top, right and bottom."""
    bright = (shown[..., 0] > 150) & (shown[..., 1] < 100) & (shown[..., 2] < 100)
    rows, columns = np.nonzero(bright)
    if not len(rows):
        return None
    return columns.min(), rows.min(), columns.max() + 1, rows.max() + 1


@needs_browser
@pytest.mark.parametrize("path", ["/plain", "/deep", "/framed", "/modal"])
@pytest.mark.asyncio(loop_scope="package")
async def test_the_element_of_a_click_is_framed_and_nothing_else(
    tabs: Tabs, shots: ActionScreenshots, blobs: MemoryBlobs, site: Site, path: str
) -> None:
    await tabs.open_url(site.url(path))
    click = act("click", await ref(tabs, "button", "Go"))
    kept = await shots.take_before(tabs, click)
    data = blobs.get(kept["picture"])
    assert len(data) < 100_000
    assert image(data).shape[1] <= 1280
    assert kept["pictured"] > 0
    frame = tabs.page.frames[-1]
    box = await frame.get_by_role("button", name="Go").bounding_box()
    assert box is not None
    assert near(red(image(data)), box)
    assert await tabs.page.locator("#forager-mark").count() == 0


def near(found: tuple[int, int, int, int] | None, box: FloatRect) -> bool:
    """Is it the box with its frame around?"""
    x, y = box["x"], box["y"]
    sides = (x, y, x + box["width"], y + box["height"])
    return found is not None and all(
        2 <= abs(a - b) <= 8 for a, b in zip(found, sides, strict=True)
    )


@needs_browser
@pytest.mark.asyncio(loop_scope="package")
async def test_without_an_element_the_page_is_shown_as_it_is(
    tabs: Tabs, shots: ActionScreenshots, blobs: MemoryBlobs, site: Site
) -> None:
    goto = Action(kind="goto", target=site.url("/plain"))
    assert await shots.take_before(tabs, goto) == {}
    assert await shots.take_before(tabs, act("press", "", "Shift")) == {}
    await tabs.do_action(goto)
    assert await shots.take_before(tabs, goto) == {}
    for kept in (
        await shots.take_after(tabs, goto),
        await shots.take_before(tabs, act("scroll", "down")),
    ):
        shown = image(blobs.get(kept["picture"]))
        assert red(shown) is None
        assert shown.min() < 100 < shown[5, 5].min()


@needs_browser
@pytest.mark.asyncio(loop_scope="package")
async def test_a_page_that_hangs_is_left_out(
    tabs: Tabs, shots: ActionScreenshots, blobs: MemoryBlobs, site: Site
) -> None:
    await tabs.open_url(site.url("/plain"))
    click = act("click", await ref(tabs, "button", "Go"))
    loop = "() => { const end = Date.now() + 2500; while (Date.now() < end); }"
    hangs = asyncio.ensure_future(tabs.page.evaluate(loop))
    assert await shots.take_before(tabs, click) == {}
    assert not hangs.done()
    await hangs
    assert (await shots.take_before(tabs, click))["picture"] in blobs.kept
    assert await shots.take_before(tabs, act("click", "e999")) == {}


@pytest_asyncio.fixture(loop_scope="package")
async def door(site: Site, tmp_path: Path, blobs: MemoryBlobs) -> AsyncIterator[PlaywrightBrowser]:
    file = tmp_path / "secrets.yaml"
    file.write_text(f"word: {{domain: 127.0.0.1, value: {WORD}}}")
    file.chmod(0o600)
    allowed = (f"127.0.0.1:{site.port}",)
    opened = PlaywrightBrowser(Settings(data=tmp_path, secrets=file, allow_private=allowed), blobs)
    yield opened
    await opened.aclose()


@needs_browser
@pytest.mark.asyncio(loop_scope="package")
async def test_secrets_are_covered(door: PlaywrightBrowser, blobs: MemoryBlobs, site: Site) -> None:
    done = await door.perform("w", act("goto", site.url("/login")))
    assert done.view.picture in blobs.kept
    tree = blobs.get(done.view.blob).decode().replace("\\n", "\n").replace('\\"', '"')
    field, button = called(tree, "Word").ref, called(tree, "Enter").ref
    await door.perform("w", act("type", field, "{{word}}"))
    done = await door.perform("w", act("click", button))
    before = image(blobs.get(done.view.picture))
    assert covered(before) > 150 * 25
    assert red(before) is not None
    done = await door.perform("w", act("press", "", "Shift"))
    after = image(blobs.get(done.view.picture))
    assert covered(after) > 300 * 40


def covered(shown: NDArray[np.int16]) -> int:
    """Pixels of what lies over secrets."""
    return int((abs(shown - int(COVER_COLOUR[1:3], 16)).max(axis=-1) < 8).sum())


@needs_browser
@pytest.mark.asyncio(loop_scope="package")
async def test_none_is_kept_where_it_is_not_wanted(
    tabs: Tabs, blobs: MemoryBlobs, site: Site, tmp_path: Path
) -> None:
    shots = ActionScreenshots(Settings(data=tmp_path, screenshots=False), blobs, Secrets())
    await tabs.open_url(site.url("/plain"))
    assert await shots.take_before(tabs, act("press", "", "Shift")) == {}
    assert not blobs.kept

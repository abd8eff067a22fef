"""A gate that a person passes: told, waited for, and looked behind."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from forager.adapters.browser.browser_port import PlaywrightBrowser
from forager.domain.actions import Action
from forager.settings import Settings
from tests.browsers import needs_browser
from tests.fakes import MemoryBlobs
from tests.servers import Asked, Reply, Site

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="module")]

GATE = """<title>One moment</title><p>Please confirm that you are not a robot.</p>
<button>I am not a robot</button><script>
  setInterval(async () => {
    if (await (await fetch("/passed")).text() === "yes")
      document.body.innerHTML = "<h1>Register</h1><p>Skarn was built in 1874.</p>";
  }, 20);
</script>"""
WALK = "one"


class Gated(Site):
    """A page that shows what it has once somebody has said so at the server."""

    def __init__(self) -> None:
        super().__init__({"/": GATE, "/passed": self._passed})
        self.passed = False

    def _passed(self, asked: Asked) -> Reply:
        return Reply("yes" if self.passed else "no")


@pytest.fixture
def site() -> Iterator[Gated]:
    with Gated() as site:
        yield site


@pytest_asyncio.fixture(loop_scope="module")
async def door(tmp_path: Path) -> AsyncIterator[PlaywrightBrowser]:
    settings = Settings(data=tmp_path, allow_private=("127.0.0.1",))
    opened = PlaywrightBrowser(settings, MemoryBlobs())
    yield opened
    await opened.aclose()


async def test_a_gate_is_told_until_it_is_passed(door: PlaywrightBrowser, site: Gated) -> None:
    await door.restore(WALK, ())
    await door.perform(WALK, Action(kind="goto", target=site.url()), "1.1")
    click = Action(kind="click", target="e3")
    assert (await door.examine(WALK, click)).gate
    site.passed = True
    while (examined := await door.examine(WALK, click)).gate:
        continue
    assert examined.passed
    done = await door.perform(WALK, Action(kind="press", value="Shift"), "1.2")
    assert "Skarn was built in 1874." in done.opened.document.text
    assert not done.harm
    assert not (await door.examine(WALK, click)).passed

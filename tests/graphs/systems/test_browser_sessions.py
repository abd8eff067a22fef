"""Sessions that use the browser, one after another, leave nothing behind."""

import os
import sys
import time
from pathlib import Path

import pytest

from forager.adapters.models.model_lines import OFFLINE
from forager.domain.actions import Action
from forager.settings import Settings
from graphs.runtime.composition import open_adapters
from tests.browsers import needs_browser
from tests.forager.adapters.browser.processes import below, memory
from tests.servers import Site

PAGE = """<title>Page</title><p id=p></p><script>
  const kept = new Array(200000).fill("something to keep");
  p.textContent = kept.length;
</script>"""
SESSIONS = 6


async def session(settings: Settings, url: str) -> None:
    with open_adapters(settings) as doors:
        async with doors(OFFLINE, time.time()) as ports:
            await ports.browser.restore("w", ())
            done = await ports.browser.perform("w", Action(kind="goto", target=url), "1.1")
            assert "200000" in done.opened.document.text


@needs_browser
@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for processes")
async def test_sessions_one_after_another(tmp_path: Path) -> None:
    """Held by one that outlives them, as in a server: the browser that they share stays small."""
    own = os.getpid()
    before = set(below(own))
    with Site({"/": PAGE}) as site:
        settings = Settings(data=tmp_path, allow_private=("127.0.0.1",))
        sizes = []
        with open_adapters(settings) as doors:
            async with doors(OFFLINE, time.time()) as kept:
                await kept.browser.render(site.url())
                for _ in range(SESSIONS):
                    async with doors(OFFLINE, time.time()) as ports:
                        await ports.browser.restore("w", ())
                        goto = Action(kind="goto", target=site.url())
                        done = await ports.browser.perform("w", goto, "1.1")
                        assert "200000" in done.opened.document.text
                    running = set(below(own)) - before
                    sizes.append((len(running), memory(running | {own})))
        counts, bytes = zip(*sizes, strict=True)
        assert min(counts[-3:]) <= max(counts[:3])
        assert min(bytes[-3:]) < 1.1 * max(bytes[:3])
        await session(settings, site.url())
    assert set(below(own)) <= before

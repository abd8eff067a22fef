"""Nothing but GET and HEAD leaves tabs that are quiet, however a page tries."""

from collections.abc import Iterator

import pytest
from playwright.async_api import Browser

from forager.adapters.browser.guard.read_only_tabs import ReadOnlyTabs
from forager.adapters.browser.tabs import Tabs
from forager.domain.actions import Action
from tests.browsers import needs_browser
from tests.forager.adapters.browser.snapshot_elements import click
from tests.servers import Reply, Route, Site

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="package")]

WRITES = """
  const quietly = (does) => { try { const p = does(); if (p && p.catch) p.catch(() => 0); }
    catch {} };
  quietly(() => fetch("/w-fetch", {method: "POST", body: "x"}));
  quietly(() => { const x = new XMLHttpRequest(); x.open("POST", "/w-xhr"); x.send("y"); });
  quietly(() => navigator.sendBeacon("/w-beacon", "z"));
  quietly(() => new WebSocket(`ws://${location.host}/socket`));
  quietly(() => fetchLater("/w-later", {method: "POST", activateAfter: 0}));
  quietly(() => new SharedWorker("/shared.js"));
  const worker = new Worker("/worker.js");
  worker.onmessage = () => { document.title += " works"; };
  const blob = new Blob(["new WebSocket('ws://' + '" + location.host + "/socket')"]);
  quietly(() => new Worker(URL.createObjectURL(blob)));
  const empty = document.createElement("iframe");
  document.body.append(empty);
  quietly(() => empty.contentWindow.navigator.sendBeacon("/w-empty", "z"));
  quietly(() => empty.contentWindow.fetch("/w-empty", {method: "POST"}));
  for (const event of ["pagehide", "visibilitychange"]) addEventListener(event, () => {
    navigator.sendBeacon("/w-leaving", event);
    quietly(() => fetch("/w-leaving", {method: "POST", keepalive: true}));
  });
"""
PAGE = f"""<title>Writes</title><body><h1>Writes</h1><script>{WRITES}</script>
<form method=post action=/w-form><button id=send>Send</button></form>
<form method=post action=/w-blank target=_blank><button id=blank>Send</button></form>
<a id=ping href=/next ping=/w-ping>On</a> <a id=popup href=/popup target=_blank>Popup</a>
<iframe srcdoc="<script>fetch('/w-frame', {{method: 'POST'}})</script>"></iframe>"""
WORKER = """
  fetch("/w-worker", {method: "POST"}).catch(() => 0);
  try { new WebSocket(`ws://${location.host}/socket`); } catch {}
  postMessage("up");
"""


def script(text: str) -> Reply:
    return Reply(text, kind="text/javascript")


@pytest.fixture
def site() -> Iterator[Site]:
    routes: dict[str, Route] = {
        "/": PAGE,
        "/popup": PAGE.replace("h1>Writes", "h1>Popup"),
        "/next": "<h1>Next</h1>",
        "/worker.js": script(WORKER),
        "/shared.js": script("fetch('/w-shared', {method: 'POST'})"),
    }
    with Site(routes) as served:
        yield served


def written(site: Site) -> set[str]:
    """What reached the server beside reading."""
    return {
        asked.path
        for asked in site.asked
        if asked.method not in {"GET", "HEAD"} or asked.path in {"/socket", "/shared.js"}
    }


async def test_nothing_is_written(chromium: Browser, site: Site) -> None:
    context = await chromium.new_context(service_workers="block")
    tabs = Tabs(context)
    async with ReadOnlyTabs(context, tabs) as quiet:
        await tabs.open_url(site.url())
        await tabs.page.wait_for_function("document.title.includes('works')")
        await click(tabs, "link", "Popup")
        await tabs.pages[-1].wait_for_function("document.title.includes('works')")
        await tabs.do_action(Action(kind="focus_tab", target="0"))
        await click(tabs, "button", "Send")
        await click(tabs, "link", "On")
        await tabs.do_action(Action(kind="back"))
        await tabs.close()
        await context.request.get(site.url("/next"))
        assert written(site) == set()
    refused = {sent.url.rpartition("/")[2] for sent in quiet.refused}
    assert {"w-fetch", "w-xhr", "w-form", "w-worker", "w-frame"} <= refused
    assert not refused & {"w-beacon", "w-ping", "w-leaving"}
    await context.close()


async def test_other_tabs_go_on_and_a_lifted_one_writes_again(
    chromium: Browser, site: Site
) -> None:
    context = await chromium.new_context(service_workers="block")
    main, tabs = Tabs(context), Tabs(context)
    await main.open_url(site.url("/next"))
    post = "fetch('/w-now', {method: 'POST'}).then(() => true, () => false)"
    async with ReadOnlyTabs(context, tabs):
        await tabs.open_url(site.url("/next"))
        assert not await tabs.page.evaluate(post)
        assert await main.page.evaluate(post)
        assert await tabs.page.evaluate("typeof SharedWorker") == "undefined"
    assert await tabs.page.evaluate(post)
    assert await tabs.page.evaluate("typeof SharedWorker") == "function"
    assert await tabs.page.evaluate("navigator.sendBeacon('/w-later')")
    await tabs.open_url(site.url("/next"))
    assert "native" in await tabs.page.evaluate("WebSocket.toString()")
    assert {"/w-now", "/w-later"} <= written(site)
    await context.close()

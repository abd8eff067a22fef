"""An action is held against the live page, and nothing is done by that."""

import asyncio
import threading
from collections.abc import Iterator

import pytest
from playwright.async_api import BrowserContext

from forager.adapters.browser.actions.action_check import examine_action
from forager.adapters.browser.tabs import Tabs
from forager.browsing.page.gates import LOGIN_GATE
from tests.browsers import needs_browser
from tests.forager.adapters.browser.snapshot_elements import act, ref, said
from tests.servers import Reply, Site

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="package")]


async def test_elements_as_they_stand(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/form.html"))
    for kind, role, name, value, fault in (
        ("click", "button", "Send", "", ""),
        ("click", "button", "Never", "", "is disabled"),
        ("click", "button", "Under", "", "is covered by <div> 'over': close or pass that first"),
        ("click", "checkbox", "", "", ""),
        ("type", "textbox", "Text", "x", ""),
        ("type", "textbox", "Note", "x", ""),
        ("type", "textbox", "Locked", "x", "is read-only: click it"),
        ("type", "button", "Send", "x", "takes no text"),
        ("select", "combobox", "Size", "Large", ""),
        ("select", "combobox", "Size", "Huge", "is disabled"),
        ("select", "combobox", "Size", "Tiny", "Options are 'Small', 'Large'"),
        ("select", "listbox", "Colours", "Red, Blue", ""),
        ("select", "combobox", "City", "Rome", ""),
        ("drag", "slider", "Heat", "9", ""),
        ("hover", "button", "Never", "", ""),
    ):
        found = await examine_action(tabs, act(kind, await ref(tabs, role, name), value))
        assert fault in found.fault if fault else found.fault == "", (kind, name, found.fault)
    assert await said(tabs) == ""
    for action, fault in (
        (act("click", "e999"), "There is no element 'e999'"),
        (act("drag", await ref(tabs, "slider", "Heat"), "e999"), "no element 'e999'"),
        (act("focus_tab", "1"), "only one tab"),
        (act("back"), "no page to go back to"),
        (act("goto", "javascript:alert(1)"), "is not an address"),
    ):
        assert fault in (await examine_action(tabs, action)).fault


async def test_an_address_must_answer(tabs: Tabs, context: BrowserContext, pages: Site) -> None:
    assert (await examine_action(tabs, act("goto", pages.url("/nowhere")))).fault == ""
    assert "No tab is open" in (await examine_action(tabs, act("click", "e1"))).fault
    await tabs.open_url(pages.url("/form.html"))
    assert (await examine_action(tabs, act("goto", pages.url("/other.html")))).fault == ""
    wrong = await examine_action(tabs, act("goto", pages.url("/nowhere")))
    assert wrong.fault == "The server answers with error 404 there."
    assert "/quit" not in pages.paths()
    unasked = await examine_action(tabs, act("goto", pages.url("/quit")), harmful=True)
    assert unasked.fault == ""
    assert "/quit" not in pages.paths()
    assert tabs.page.url == pages.url("/form.html")
    assert context.pages == tabs.pages


async def test_a_download_is_not_let_go_on(tabs: Tabs, pages: Site) -> None:
    left = threading.Event()

    def endless() -> Iterator[bytes]:
        try:
            while True:
                yield bytes(1000)
        finally:
            left.set()

    pages.routes["/endless"] = Reply(endless, kind="application/zip")
    await tabs.open_url(pages.url("/form.html"))
    assert (await examine_action(tabs, act("goto", pages.url("/endless")))).fault == ""
    assert await asyncio.to_thread(left.wait, 10)


async def test_a_password_that_is_not_known(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/login.html"))
    name, password, enter = [
        await ref(tabs, *each)
        for each in (("textbox", "Name"), ("textbox", "Password"), ("button", "Log in"))
    ]
    assert (await examine_action(tabs, act("type", name, "ada"))).gate == ""
    assert (await examine_action(tabs, act("type", password, "guess"))).gate == LOGIN_GATE
    assert (await examine_action(tabs, act("type", password, "{{shop}}"))).gate == ""
    assert (await examine_action(tabs, act("click", enter))).gate == LOGIN_GATE
    await tabs.do_action(act("type", password, "known"))
    assert (await examine_action(tabs, act("click", enter))).gate == ""

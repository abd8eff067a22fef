"""What the live page says of an element."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Page

from forager.adapters.browser.actions.action_check import read_action_control, read_control
from forager.browsing.safety import judge
from forager.domain.actions import Action
from forager.domain.browser import Control
from tests.browsers import browser, needs_browser
from tests.forager.adapters.browser.snapshot_elements import called
from tests.servers import Site

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="module")]
SECRETS = ("secret-token", "hunter2")
PAGE = """
<form id="edit" action="/save?x=1" method="post">
  <input type="hidden" name="csrf" value="secret-token">
  <input type="hidden" name="_method" value="put">
  <label>Title <input id="title" name="title" onchange="check()"></label>
  <label>Text <textarea id="text" name="text"></textarea></label>
  <input type="password" id="password" name="method" value="hunter2" aria-label="Password">
  <select id="kind" aria-label="Kind"><option id="option">A</option></select>
  <button id="save" name="_save" class="btn"><i class="fa fa-floppy"></i> Save</button>
  <button id="preview" name="do[preview]" formaction="/preview" formmethod="get">Preview</button>
  <input id="clear" type="reset"><button id="insert" type="button">Insert</button>
</form>
<form role="search" action="find.html">
  <input id="q" name="q" placeholder="Search this site">
</form>
<form id="bare"><input id="what" aria-label="What?"></form>
<nav><a id="page" href="/page"><span id="inner">A <b>page</b></span></a>
<a id="script" href="javascript:gone()">Go</a> <a id="here" href="#top">Top</a>
<a id="gone" href="/item/3" data-method="delete" data-confirm="Sure?">Delete</a></nav>
<button id="menu" aria-haspopup="menu">More</button><button id="off" disabled>Off</button>
<div role="dialog">Really delete it?<button id="yes">Yes</button></div>
<div role="button" id="heart" tabindex="0"><svg class="icon-heart"></svg></div>
<div id="written" contenteditable="true" aria-label="Message">Hi</div>
<div id="host"></div>
<script>
document.getElementById("host").attachShadow({mode: "open"}).innerHTML =
  '<form method="post" action="/in"><button id="inside">Send</button></form>';
</script>
"""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def page() -> AsyncIterator[Page]:
    with Site({"/": PAGE}) as site:
        async with browser() as running:
            shown = await running.new_page()
            await shown.goto(site.url())
            yield shown


async def seen(page: Page, id: str) -> Control:
    return await read_control(page.locator(f"#{id}"))


async def test_a_submit_button_and_its_form(page: Page) -> None:
    save = await seen(page, "save")
    assert (save.tag, save.kind, save.label, save.submits) == ("button", "submit", "Save", True)
    assert save.hooks["name"] == "_save"
    assert "fa fa-floppy" in save.icons
    assert save.form
    assert save.form.method == "post"
    assert save.form.action.endswith("/save?x=1")
    assert save.form.fields == ("text", "textarea", "password", "select-one")
    assert save.form.commands == ("_method=put",)
    assert (save.form.default, save.form.submits, save.form.search) == ("Save", 2, False)


async def test_no_secret_is_read(page: Page) -> None:
    read = [await seen(page, id) for id in ("save", "title", "password", "text")]
    assert not any(secret in each.model_dump_json() for each in read for secret in SECRETS)


async def test_a_button_with_a_method_and_an_address_of_its_own(page: Page) -> None:
    preview = await seen(page, "preview")
    assert preview.form
    assert preview.form.method == "get"
    assert preview.form.action.endswith("/preview")


async def test_fields(page: Page) -> None:
    title, kind, query = await seen(page, "title"), await seen(page, "kind"), await seen(page, "q")
    assert (title.label, title.hooks["onchange"], title.submits) == ("Title", "check()", False)
    assert kind.tag == "select"
    assert (await seen(page, "option")).form == kind.form
    assert query.search
    assert query.form
    assert query.form.search
    assert (query.form.method, query.label) == ("get", "Search this site")
    assert (await seen(page, "clear")).kind == "reset"
    assert not (await seen(page, "insert")).submits
    bare = (await seen(page, "what")).form
    assert bare
    assert bare.method == ""


async def test_links(page: Page) -> None:
    inner = await seen(page, "inner")
    assert inner.href.endswith("/page")
    assert inner.label == "A page"
    assert (await seen(page, "here")).href == ""
    script, gone = await seen(page, "script"), await seen(page, "gone")
    assert (script.href, script.hooks["href"]) == ("", "javascript:gone()")
    assert (gone.hooks["data-method"], gone.hooks["data-confirm"]) == ("delete", "Sure?")


async def test_what_stands_around_and_opens(page: Page) -> None:
    assert (await seen(page, "menu")).popup
    assert (await seen(page, "off")).disabled
    assert "Really delete it?" in (await seen(page, "yes")).around
    assert "icon-heart" in (await seen(page, "heart")).icons
    assert (await seen(page, "written")).editable


async def test_a_form_in_a_shadow(page: Page) -> None:
    inside = await seen(page, "inside")
    assert inside.form
    assert inside.form.method == "post"


async def test_the_element_of_an_action(page: Page) -> None:
    tree = await page.aria_snapshot(mode="ai")
    click = Action(kind="click", target=called(tree, "Save", "button").ref)
    found = await read_action_control(page, click)
    assert found == await seen(page, "save")
    assert (
        judge.expected_side_effect(found, click) == "'Save' sends a form that says '_method=put'."
    )
    assert await read_action_control(page, Action(kind="click", target="e9999")) is None
    assert await read_action_control(page, Action(kind="goto", target="http://127.0.0.1/")) is None


async def test_a_key_goes_to_what_has_the_focus(page: Page) -> None:
    press = Action(kind="press", value="Enter")
    await page.locator("#title").focus()
    assert judge.expected_side_effect(await read_action_control(page, press), press)
    await page.locator("#q").focus()
    assert not judge.expected_side_effect(await read_action_control(page, press), press)

"""Every kind of action on every kind of element, in a real browser."""

import pytest

from forager.adapters.browser.tabs import Tabs
from forager.errors import ActionError
from tests.browsers import needs_browser
from tests.forager.adapters.browser.snapshot_elements import act, click, ref, said, stands
from tests.servers import Site

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="package")]


@pytest.mark.parametrize(
    ("role", "name", "text", "then"),
    [
        ("textbox", "Text", "new words", "new words"),
        ("textbox", "Text", "", ""),
        ("spinbutton", "Number", "-2.5", "-2.5"),
        ("textbox", "Day", "2026-12-31", "2026-12-31"),
        ("textbox", "Hour", "23:59", "23:59"),
        ("textbox", "Colour", "#1a2b3c", "#1a2b3c"),
        ("slider", "Volume", "7", "7"),
        ("textbox", "Phone", "5550199", "555-0199"),
        ("textbox", "Card", "4111", "4111"),
        ("textbox", "Lines", "one\ntwo", "one two"),
    ],
)
async def test_a_field_takes_its_text(
    tabs: Tabs, pages: Site, role: str, name: str, *, text: str, then: str
) -> None:
    await tabs.open_url(pages.url("/form.html"))
    await tabs.do_action(act("type", await ref(tabs, role, name), text))
    assert await stands(tabs, role, name) == then


async def test_what_can_be_edited_takes_a_text(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/form.html"))
    await tabs.do_action(act("type", await ref(tabs, "textbox", "Note"), "a new note"))
    assert await tabs.page.evaluate("note.textContent") == "a new note"


async def test_keys_are_heard_as_a_text_is_typed(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/form.html"))
    await tabs.do_action(act("type", await ref(tabs, "textbox", "Search"), "shoes"))
    assert await said(tabs) == "keys shoes"


async def test_enter_submits(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/form.html"))
    await tabs.do_action(act("type", await ref(tabs, "textbox", "Text"), "words", submit=True))
    assert await said(tabs) == "submitted words"


@pytest.mark.parametrize(
    ("role", "name", "text", "says"),
    [
        ("textbox", "Locked", "x", "read-only"),
        ("textbox", "Day", "31.12.2026", "Write a date as 2026-12-31."),
        ("textbox", "Phone", "none", "took '' in place of 'none'"),
    ],
)
async def test_what_a_field_does_not_take(
    tabs: Tabs, pages: Site, role: str, name: str, *, text: str, says: str
) -> None:
    await tabs.open_url(pages.url("/form.html"))
    with pytest.raises(ActionError) as raised:
        await tabs.do_action(act("type", await ref(tabs, role, name), text))
    assert says in str(raised.value)


@pytest.mark.parametrize("option", ["Large", "large", "l"])
async def test_an_option_by_its_label_or_value(tabs: Tabs, pages: Site, option: str) -> None:
    await tabs.open_url(pages.url("/form.html"))
    await tabs.do_action(act("select", await ref(tabs, "combobox", "Size"), option))
    assert await stands(tabs, "combobox", "Size") == "Large"


async def test_several_options(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/form.html"))
    await tabs.do_action(act("select", await ref(tabs, "listbox", "Colours"), "Red, Blue"))
    assert await stands(tabs, "listbox", "Colours") == "Red, Blue"


async def test_an_option_of_a_list_that_the_page_has_built(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/form.html"))
    await tabs.do_action(act("select", await ref(tabs, "combobox", "City"), "Rome"))
    assert await tabs.page.evaluate("city.textContent") == "Rome"


async def test_an_option_of_a_list_that_must_be_searched(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/form.html"))
    await tabs.do_action(act("select", await ref(tabs, "combobox", "Country"), "Nepal"))
    assert await said(tabs) == "from Nepal"


@pytest.mark.parametrize(("name", "options"), [("Size", "'Small', 'Large'"), ("City", "'Rome'")])
async def test_no_such_option(tabs: Tabs, pages: Site, name: str, options: str) -> None:
    await tabs.open_url(pages.url("/form.html"))
    with pytest.raises(ActionError, match=r"no option 'Tiny' here\. The options are") as raised:
        await tabs.do_action(act("select", await ref(tabs, "combobox", name), "Tiny"))
    assert options in str(raised.value)


async def test_a_box_under_its_label_is_checked(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/form.html"))
    await click(tabs, "checkbox")
    assert await tabs.page.evaluate("document.querySelector('[type=checkbox]').checked")


async def test_what_lies_over_a_button_is_named(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/form.html"))
    with pytest.raises(ActionError, match=r"over.*covers the element"):
        await click(tabs, "button", "Under")


async def test_a_ref_of_a_page_that_was_left_is_stale_at_once(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/form.html"))
    before = await ref(tabs, "button", "Send")
    await tabs.open_url(pages.url("/other.html"))
    await tabs.take_snapshot()
    with pytest.raises(ActionError, match=r"There is no element .* the page has changed\. Look"):
        await tabs.do_action(act("click", before))


async def test_keys_are_pressed_on_an_element_and_on_the_page(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/form.html"))
    await tabs.do_action(act("press", await ref(tabs, "slider", "Heat"), "ArrowLeft*3 ArrowRight"))
    assert await said(tabs) == "heat 18"
    await tabs.do_action(act("press", "", "ArrowLeft"))
    assert await said(tabs) == "heat 17"


@pytest.mark.parametrize(("name", "then"), [("Heat", "9 3"), ("Volume", "20 9")])
async def test_a_slider_is_drawn_to_a_value(tabs: Tabs, pages: Site, name: str, then: str) -> None:
    await tabs.open_url(pages.url("/form.html"))
    await tabs.do_action(act("drag", await ref(tabs, "slider", name), "9"))
    stand = "heat.ariaValueNow + ' ' + document.querySelector('[type=range]').value"
    assert await tabs.page.evaluate(stand) == then

"""Things are dragged with the mouse as a person drags them."""

import pytest

from forager.adapters.browser.tabs import Tabs
from forager.errors import ActionError
from tests.browsers import needs_browser
from tests.forager.adapters.browser.snapshot_elements import act, ref, said
from tests.servers import Site

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="package")]


async def test_into_another_element(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/drag.html"))
    assert (await tabs.take_snapshot()).drags
    bin = await ref(tabs, "region", "Bin")
    await tabs.do_action(act("drag", await ref(tabs, "img", "Box"), bin))
    assert (await said(tabs)).startswith("inside")


async def test_by_some_pixels(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/drag.html"))
    await tabs.do_action(act("drag", await ref(tabs, "img", "Box"), "+25,-10"))
    assert await said(tabs) == "outside 25,-10 true"


async def test_by_the_browsers_own_dragging(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/drag.html"))
    shelf = await ref(tabs, "paragraph", "Shelf")
    await tabs.do_action(act("drag", await ref(tabs, "paragraph", "Parcel"), shelf))
    assert await said(tabs) == "dropped parcel"


@pytest.mark.parametrize(
    ("item", "onto", "order"),
    [("One", "Three", "Two Three One Four"), ("Four", "Two", "One Four Two Three")],
)
async def test_an_item_takes_the_place_of_the_one_it_is_dragged_onto(
    tabs: Tabs, pages: Site, item: str, onto: str, order: str
) -> None:
    await tabs.open_url(pages.url("/drag.html"))
    place = await ref(tabs, "listitem", onto)
    await tabs.do_action(act("drag", await ref(tabs, "listitem", item), place))
    assert await said(tabs) == order


async def test_nowhere(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/drag.html"))
    with pytest.raises(ActionError, match="Nothing can be dragged to 'away'"):
        await tabs.do_action(act("drag", await ref(tabs, "img", "Box"), "away"))

"""Recorded pages in a browser: what is restored, what an element stands for, and no network."""

from bench.browser.recorded_page import RecordedPages
from forager.browsing.page.aria import node_label, parse_aria
from tests.bench.web_tasks import CANDIDATES, OFFERS, PAGE, SEARCH, TICKETS
from tests.browsers import needs_browser

NESTED = """<body backend_node_id="1"><div backend_node_id="9"/>
<div backend_node_id="2" is_clickable="true">
<p backend_node_id="3">Deck</p></div><button backend_node_id="4">Sail <b backend_node_id="5">now</b>
</button><input type="checkbox" backend_node_id="6" input_checked="true" aria_label="Return">
<script>document.body.textContent = "gone"</script></body>"""


@needs_browser
async def test_a_recorded_page_is_shown_as_it_was() -> None:
    async with RecordedPages.open() as pages:
        shown = await pages.show("http://coast.invalid/1", PAGE)
        named = {node_label(node): node for node in parse_aria(shown.tree).walk() if node.ref}
        assert (shown.title, shown.url) == ("Coast ferries", "http://coast.invalid/1")
        assert named["Ferry tickets"].role == "link"
        assert named["Port or island"].role == "textbox"
        assert "Special offers" not in named
        assert not await pages.shows_any([OFFERS])
        assert await pages.shows_any([OFFERS, SEARCH])
        assert await pages.find_candidate(named["Ferry tickets"].ref, CANDIDATES) == TICKETS
        assert await pages.find_candidate(named["Search"].ref, CANDIDATES) == SEARCH
        assert await pages.find_candidate("e999", CANDIDATES) == ""
        assert len(await pages.screenshot("")) > 1000

        shown = await pages.show("http://coast.invalid/2", NESTED)
        named = {node_label(node): node for node in parse_aria(shown.tree).walk() if node.ref}
        assert "checked" in named["Return"].states
        sail = named["Sail now"].ref
        assert await pages.find_candidate(sail, ()) == "4"
        assert await pages.find_candidate(sail, ("5", "1")) == "1", "5 says less than the button"
        assert await pages.find_candidate(named["Deck"].ref, ("2",)) == "2"
        assert await pages.find_candidate(named["Deck"].ref, ("9",)) == "", "9 is empty"

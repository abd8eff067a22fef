"""The figures in a real browser, fed by the API of sessions that have come to their end."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.settings import Settings
from graphs.sessions.service import open_sessions
from graphs.spec.spec import load_graph
from tests.browsers import needs_browser
from tests.graphs.scripted import REGISTRY, loosened
from tests.graphs.scripted_ports import alone
from tests.ui.server.api_client import Caller, called
from tests.ui.web.scripted_sessions import scripted_doors
from ui.server.assets import asset_address

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]
ROW = {"kind": "row", "cells": [[["Ada", True]], [["Ona", False]]]}
HOSTILE = "<img src=x onerror='window.harmed = 1'><script>window.harmed = 1</script>"
MOUNT = """
async ([address, name, data]) => {
  const host = document.body.appendChild(document.createElement("div"));
  const room = host.attachShadow({ mode: "open" }).appendChild(document.createElement("div"));
  window.chosen = {};
  const setStateValue = (name, value) => { window.chosen[name] = value; };
  const { parts } = await import(address);
  parts[name]({ data, parentElement: room, setStateValue, setTriggerValue: setStateValue });
}
"""


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    """The API of a folder with `ona`, which has a branch that was left."""
    settings = alone(tmp_path_factory.mktemp("figures"))
    asyncio.run(_ask(settings))
    with called(settings) as caller:
        yield caller


async def _ask(settings: Settings) -> None:
    async with open_sessions(settings, scripted_doors, REGISTRY) as sessions:
        budget = Budget(rounds=2, steps=2, calls=90, tokens=180_000)
        question = Question(text="Who lit it?", sites=("http://127.0.0.1:1/",), budget=budget)
        await sessions.start(question, loosened(load_graph("forager")), "offline", "ona")
        await sessions.run("ona")
        await sessions.forks.continue_from("ona", 20)
        await sessions.run("ona")


@pytest_asyncio.fixture(loop_scope="session")
async def page(chromium: Browser, api: Caller) -> AsyncIterator[Page]:
    """A page of the server's own origin; it has raised nothing when it is closed."""
    opened = await chromium.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    await opened.goto(f"http://127.0.0.1:{api.port}/")
    yield opened
    assert await opened.evaluate("window.harmed") is None
    await opened.close()
    assert errors == []


async def mounted(page: Page, api: Caller, name: str, **data: object) -> None:
    whole = {"session": "ona", "token": api.token, "sites": {}, **data}
    await page.evaluate(MOUNT, [asset_address("parts.js"), name, whole])


async def test_pointing_at_an_arm_marks_it_in_every_figure(page: Page, api: Caller) -> None:
    arms = api.ask("/api/sessions/ona").json()["arms"]
    await mounted(page, api, "arms")
    await mounted(page, api, "site_map")
    await expect(page.locator(".arms li")).to_have_count(len(arms))
    await expect(page.locator(".map .arm")).to_have_count(len(arms))
    await page.locator(".arms li").first.hover()
    await expect(page.locator(".arms li.pointed")).to_have_count(1)
    await expect(page.locator(".map .arm.pointed text")).to_have_text("1")


async def test_the_evidence_fits_a_phone(page: Page, api: Caller) -> None:
    await page.set_viewport_size({"width": 400, "height": 860})
    await mounted(page, api, "ledger")
    row = page.locator("tbody > [data-key]").first
    for cell in await row.get_by_role("cell").all():
        box = await cell.bounding_box()
        assert box
        assert box["x"] + box["width"] <= 400
    await expect(row).to_contain_text("Who lit it?")


async def test_a_figure_has_the_same_as_a_table(page: Page, api: Caller) -> None:
    arms = api.ask("/api/sessions/ona").json()["arms"]
    await mounted(page, api, "arms")
    await page.get_by_text("As a table").click()
    await expect(page.locator(".twin tbody tr")).to_have_count(len(arms))
    await expect(page.locator(".twin tbody tr").first).to_contain_text(arms[0]["url"])


async def test_the_map_is_walked_with_the_keyboard(page: Page, api: Caller) -> None:
    await mounted(page, api, "site_map")
    await expect(page.locator(".map .arm").first).to_be_visible()
    await page.locator(".map").focus()
    await page.keyboard.press("ArrowDown")
    told = await page.locator(".told").inner_text()
    await page.keyboard.press("Enter")
    await expect(page.locator(".card b")).to_have_text(told.split(" http")[0])
    before = await page.locator(".map").get_attribute("viewBox")
    await page.keyboard.press("+")
    assert await page.locator(".map").get_attribute("viewBox") != before
    await page.keyboard.press("0")
    assert await page.locator(".map").get_attribute("viewBox") == before


async def test_the_history_has_its_branches_and_tells_what_was_chosen(
    page: Page, api: Caller
) -> None:
    points = api.ask("/api/sessions/ona/history").json()
    types = {"select": "selector"}
    await mounted(page, api, "history", types=types, turn=None, step=None, forks={})
    await page.get_by_role("button", name="Every step").click()
    await expect(page.locator(".ck li")).to_have_count(len(points))
    left = sum(not point["on_path"] for point in points)
    assert left
    await expect(page.locator(".ck li.side")).to_have_count(left)
    await page.locator(".pick").nth(2).click()
    assert await page.evaluate("window.chosen.step") == 3
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    assert await page.evaluate("window.chosen.step") == 4


async def test_an_answer_says_what_it_covers_and_what_it_does_not(page: Page, api: Caller) -> None:
    """Each sub-question with its mark in words, tables with their header, warnings never folded."""
    view = next(api.follow("ona"))
    view["session"] |= {"status": "partial", "open": ["When was it lit?"], "notes": ["b.test?"]}
    laid = _half_an_answer()
    near = {"why": "No date.", "title": "A", "url": "http://a.test/", "blocks": [ROW]}
    more = {"reason": "No other page looked likely.", "nearest": near}
    view["answer"] = {"text": "Ada [e2].", "worth": "", "laid": laid, **more}
    view["parts"] = {
        "Who lit it?": {"quotes": 2, "open": False, "doubtful": False},
        "When was it lit?": {"quotes": 1, "open": True, "doubtful": False},
    }
    quote = {"url": "http://a.test/", "title": "A", "quote": "Ada", "section": "", "round": 1}
    view["citations"] = {"1": {"id": "e2", **quote}, "2": {"id": "e1", **quote}}
    await page.route("**/live", lambda route: route.fulfill(body=f"{json.dumps(view)}\n"))
    await mounted(page, api, "answer")
    answer = page.get_by_role("region", name="Answer")
    verdict = page.locator(".verdict")
    await expect(verdict).to_have_text("Partly answered1 of 2 sub-questions is still open.")
    await expect(verdict.locator(".pill.p-partial")).to_be_visible()
    headings = answer.locator(".asked")
    await expect(headings).to_have_text(
        ["Who lit it?Answered", "When was it lit?Not found on the 4 pages read"]
    )
    closest = page.get_by_role("region", name="Nearest passage")
    await expect(closest.get_by_role("cell").first).to_be_hidden()
    await closest.get_by_text("Nearest passages (1) None was recognized as an answer.").click()
    await expect(closest.get_by_role("cell")).to_have_text(["Ada", "Ona"])
    await expect(page.get_by_text("No other page looked likely.")).to_be_visible()
    await expect(answer.locator(".lead strong")).to_have_text("Ada")
    await expect(answer.get_by_role("columnheader")).to_have_text(["Keeper", "Light"])
    warning = page.get_by_role("region", name="1 warning")
    await expect(warning.get_by_text("b.test?")).to_be_visible()
    assert await warning.locator(".c-found").count() == 0
    further = answer.get_by_text("Another light.")
    await expect(further).to_be_hidden()
    await page.get_by_text("More quotes (1)").click()
    await answer.get_by_role("button", name="Citation 2").click()
    await expect(page.get_by_role("region", name="Citation 2 in its page")).to_be_visible()
    await expect(further).to_be_visible()


async def test_a_phone_shows_how_sure_an_answer_is_beside_how_it_ended(
    page: Page, api: Caller
) -> None:
    """In one line; pressed, the figure says what it means."""
    await page.set_viewport_size({"width": 360, "height": 740})
    view = next(api.follow("ona"))
    view["answer"] = {"text": "Ada [e2].", "worth": "Certainty: 64 %"}
    parts = {"Who lit it?": {"quotes": 1, "open": False, "doubtful": True}}
    view |= {"parts": parts, "session": view["session"] | {"status": "answered", "open": []}}
    view["session"]["model"] = "offline"
    await page.route("**/live", lambda route: route.fulfill(body=f"{json.dumps(view)}\n"))
    await mounted(page, api, "answer")
    pill = page.locator(".verdict > .pill")
    figure = page.get_by_role("button", name="Certainty")
    await expect(pill).to_have_text("Answered, uncertain")
    await expect(pill.locator(".c-uncertain")).to_be_visible()
    ended, sure = await pill.bounding_box(), await figure.bounding_box()
    assert ended
    assert sure
    assert abs(ended["y"] + ended["height"] / 2 - sure["y"] - sure["height"] / 2) < 2
    meaning = page.get_by_role("note")
    await expect(meaning).to_be_hidden()
    await figure.click()
    await expect(meaning).to_contain_text("about 64 in 100 were right")
    await expect(figure).to_have_attribute("title", re.compile("about 64 in 100 were right"))


async def test_a_phone_shows_how_sure_an_answer_is_in_close_lines(page: Page, api: Caller) -> None:
    await page.set_viewport_size({"width": 400, "height": 860})
    view = next(api.follow("ona"))
    view["answer"] = {"text": "Ada [e2].", "worth": "Certainty: 90 %"}
    view["session"] |= {"status": "answered", "model": "offline", "open": []}
    await page.route("**/live", lambda route: route.fulfill(body=f"{json.dumps(view)}\n"))
    await mounted(page, api, "answer")
    why = page.locator(".verdict > .why")
    await expect(why).to_have_text("Certainty: 90 %, estimated by rules.")
    line = await why.bounding_box()
    assert line
    assert line["height"] < 24


async def test_a_long_passage_is_cut_until_more_is_asked_for(page: Page, api: Caller) -> None:
    """With a button for the keyboard."""
    await page.set_viewport_size({"width": 400, "height": 860})
    view = next(api.follow("ona"))
    long = {
        "kind": "text",
        "cells": [[["The keeper kept a book of every ship that passed. " * 40, False]]],
    }
    near = {"why": "No date.", "title": "A", "url": "http://a.test/", "blocks": [long]}
    view["session"] |= {"status": "abstained", "open": ["Who lit it?"]}
    view["answer"] = {"text": "", "worth": "", "nearest": near}
    await page.route("**/live", lambda route: route.fulfill(body=f"{json.dumps(view)}\n"))
    await mounted(page, api, "answer")
    nearest = page.get_by_role("region", name="Nearest passage")
    await nearest.get_by_text("Nearest passages (1)").click()
    passage = nearest.locator(".said")
    more = page.get_by_role("button", name="Show more")
    await expect(more).to_have_attribute("aria-expanded", "false")
    lines = "each => each.clientHeight / parseFloat(getComputedStyle(each).lineHeight)"
    assert 5 < await passage.evaluate(lines) < 7
    await more.press("Enter")
    assert await passage.evaluate(lines) > 20
    less = page.get_by_role("button", name="Show less")
    await expect(less).to_be_focused()
    await expect(less).to_have_attribute("aria-expanded", "true")
    await less.press("Enter")
    assert 5 < await passage.evaluate(lines) < 7


async def test_a_phone_shows_the_model_and_the_start_of_a_run(page: Page, api: Caller) -> None:
    await page.set_viewport_size({"width": 400, "height": 860})
    await mounted(page, api, "head")
    for text in (page.get_by_text("Built-in rules"), page.get_by_text("started ")):
        await expect(text).to_be_in_viewport(ratio=1)


async def test_a_phone_begins_a_draft_with_its_first_quote(page: Page, api: Caller) -> None:
    await page.set_viewport_size({"width": 400, "height": 860})
    view = next(api.follow("ona"))
    view["session"] |= {"status": "running"}
    view["answer"] = {"text": "", "worth": "", "draft": [{"quote": "e1", "blocks": [ROW]}]}
    await page.route("**/live", lambda route: route.fulfill(body=f"{json.dumps(view)}\n"))
    await mounted(page, api, "answer")
    box = await page.get_by_role("region", name="Draft").bounding_box()
    root = await page.locator(".root").bounding_box()
    assert box
    assert root
    assert box["y"] - root["y"] < 10


async def test_an_answer_as_a_table_fits_a_phone(page: Page, api: Caller) -> None:
    """Its rows are stacked, each cell under the name of its column, with nothing to scroll."""
    await page.set_viewport_size({"width": 400, "height": 860})
    view = next(api.follow("ona"))
    said = "The maximum is lowered with sqlite3_limit(db,SQLITE_LIMIT_COLUMN,size) " * 3
    named, told = {"text": "Ona", "cites": ["e2"]}, {"text": said, "cites": ["e2"]}
    columns = ["", "Height", "A name that is longer than any column of a phone can be"]
    table = {"columns": columns, "rows": [[named, told, told]]}
    view["session"] |= {"status": "answered", "open": []}
    view["answer"] = {"text": "Ada [e2].", "worth": "", "table": table}
    quote = {"url": "http://a.test/", "title": "A", "quote": "Ada", "section": "", "round": 1}
    view["citations"] = {"1": {"id": "e2", **quote}}
    await page.route("**/live", lambda route: route.fulfill(body=f"{json.dumps(view)}\n"))
    await mounted(page, api, "answer")
    answer = page.get_by_role("group", name="Answer as a table")
    await expect(answer.get_by_text("sqlite3_limit").first).to_be_visible()
    assert await answer.evaluate("each => each.scrollWidth <= each.clientWidth")
    for cell in await answer.locator("tbody th, td").all():
        box = await cell.bounding_box()
        assert box
        assert box["x"] + box["width"] <= 400


def _half_an_answer() -> dict[str, object]:
    lead = {
        "part": "Who lit it?",
        "words": "Ada",
        "quote": "e2",
        "blocks": [ROW],
        "yes_no": False,
    }
    more = {"quote": "e1", "blocks": [{"kind": "text", "cells": [[["Another light.", False]]]}]}
    columns = ["Keeper", "Light"]
    return {"before": [], "leads": [{**lead, "columns": columns}], "after": [], "more": [more]}


async def test_a_citation_opens_at_the_row_that_proves_it(page: Page, api: Caller) -> None:
    """The quote is longer than its card, and the words occur before, too."""
    view = next(api.follow("ona"))
    quoted = [{**ROW, "cells": [[[f"Light {n}", True]], [["Ona", True]]]} for n in range(80)]
    proof = {**ROW, "cells": [[["Light 70", False]], [["Ona", True]]]}
    lead = {
        "part": "Who lit it?",
        "words": "Ona",
        "quote": "e1",
        "blocks": [proof],
        "columns": [],
        "yes_no": False,
    }
    laid = {"before": [], "leads": [lead], "after": [], "more": []}
    view["citations"] = {"1": {**next(iter(view["citations"].values())), "id": "e1"}}
    view["answer"] = {"text": "Ona [e1].", "worth": "", "laid": laid}
    context = {"share": 0.5, "link": "", "stands": True}
    blocks = [[row["kind"], row["cells"]] for row in quoted]
    await page.route("**/live", lambda route: route.fulfill(body=f"{json.dumps(view)}\n"))
    await page.route(
        "**/quotes/e1", lambda route: route.fulfill(json={**context, "blocks": blocks})
    )
    await mounted(page, api, "answer")
    await page.get_by_role("button", name="Citation").first.click()
    row = page.locator("blockquote").get_by_role("row", name="Light 70 Ona")
    await expect(row).to_be_in_viewport()
    await expect(page.locator("blockquote strong")).to_have_text("Ona")


async def test_a_no_stands_before_its_reason_and_quoted_rows_are_tables(
    page: Page, api: Caller
) -> None:
    view = next(api.follow("ona"))
    why = {"kind": "text", "cells": [[["It is never lit.", False]]]}
    lead = {
        "part": "Is it lit?",
        "words": "No, unless it is dark",
        "quote": "e1",
        "blocks": [why],
        "columns": [],
        "yes_no": True,
    }
    laid = {"before": [], "leads": [lead], "after": [], "more": []}
    view["answer"] = {"text": "No [e1].", "worth": "Certainty: 20 %", "laid": laid}
    view["parts"] = {
        "Is it lit?": {"quotes": 1, "open": False, "doubtful": True},
        "Is it high?": {"quotes": 0, "open": True, "doubtful": False},
    }
    for row in view["evidence"].values():
        row |= {"quote": "Ada | Ona", "blocks": [ROW]}
    last = view["timeline"][max(view["timeline"])]
    last |= {"type": "critic", "outcome": "done", "text": "“Ada | Ona”"}
    await page.route("**/live", lambda route: route.fulfill(body=f"{json.dumps(view)}\n"))
    await mounted(page, api, "answer")
    answer = page.get_by_role("region", name="Answer")
    await expect(answer.locator(".doubtful")).to_contain_text(
        "No, unless it is dark. It is never lit."
    )
    await expect(page.locator(".verdict .pill.p-uncertain")).to_have_text("Answered, uncertain")
    await page.get_by_text("Certainty: 20 %").click()
    await expect(page.get_by_text("about 20 in 100 were right.")).to_be_visible()
    await expect(answer.locator(".asked .word.c-uncertain")).to_have_text("Answered, uncertain")
    await mounted(page, api, "ledger")
    quotes = page.locator(".q")
    await expect(quotes.first.get_by_role("cell")).to_have_text(["Ada", "Ona"])
    await mounted(page, api, "timeline")
    steps = page.get_by_role("list", name="Timeline")
    await expect(steps.get_by_role("cell")).to_have_text(["Ada", "Ona"])


async def test_spend_is_told_by_node(page: Page, api: Caller) -> None:
    spent = api.ask("/api/sessions/ona").json()["spent"]
    await mounted(page, api, "spend")
    await expect(page.locator(".panel").first).to_contain_text(str(spent["actions"]))
    await expect(page.locator('tbody th[title="act"]').first).to_be_visible()


async def test_nothing_of_a_page_or_a_model_is_markup(page: Page, api: Caller) -> None:
    change = {"sign": "+", "what": HOSTILE, "before": "", "after": HOSTILE}
    await mounted(page, api, "change_list", changes=[change])
    side = {
        **dict.fromkeys(("id", "title", "graph", "model", "stands"), HOSTILE),
        "created": 0,
        "open": [HOSTILE],
        "hints": [HOSTILE],
        "path": [{"url": "javascript:alert(1)", "title": HOSTILE, "round": 1, "sign": "found"}],
        "spend": {"Pages": 1},
    }
    blocks = [{"kind": "text", "cells": [[[HOSTILE, False]]]}]
    row = {
        "quote": HOSTILE,
        "blocks": blocks,
        "columns": [HOSTILE],
        "url": "javascript:alert(1)",
        "title": HOSTILE,
        "part": HOSTILE,
        "rounds": [1, None],
    }
    turn = {
        "question": HOSTILE,
        "answer": [{"text": HOSTILE, "only": True, "cite": 0}],
        "columns": {},
        "vain": False,
        "more": [{"quote": HOSTILE, "blocks": blocks}],
    }
    data = {"sides": [side, side], "turns": [[turn, None]], "evidence": [row]}
    await mounted(page, api, "comparison", **data)
    await expect(page.locator("ins").first).to_have_text(HOSTILE)
    assert await page.locator("img, script, a").count() == 0


async def test_rules_have_neither_calls_nor_tokens(page: Page, api: Caller) -> None:
    await mounted(page, api, "meters")
    await expect(page.get_by_text("Pages opened", exact=True)).to_be_visible()
    for name in ("Calls", "Tokens", "Dollars"):
        await expect(page.get_by_text(name, exact=True)).to_have_count(0)


async def test_the_handbook_goes_by_its_name(page: Page, api: Caller) -> None:
    await mounted(page, api, "head", sites={"http://127.0.0.1:1/": "Handbook"})
    await expect(page.get_by_title("Sites: Handbook")).to_be_visible()


async def test_a_long_question_takes_three_lines_until_all_of_it_is_wanted(
    page: Page, api: Caller
) -> None:
    view = next(api.follow("ona"))
    view["session"] |= {"question": "Who lit the lamp of Ona? " * 60}
    await page.route("**/live", lambda route: route.fulfill(body=f"{json.dumps(view)}\n"))
    await mounted(page, api, "head")
    title, whole = page.get_by_role("heading", level=1), page.get_by_role("button")
    await expect(whole).to_have_text("Show all")
    cut = await title.bounding_box()
    await whole.click()
    await expect(whole).to_have_text("Show less")
    shown = await title.bounding_box()
    assert cut
    assert shown
    assert cut["height"] < 100 < shown["height"]


async def test_a_search_that_failed_is_told_in_one_line_with_its_details_folded(
    page: Page, api: Caller
) -> None:
    view = next(api.follow("ona"))
    mend = "Check the network, or choose another search provider (Settings, FORAGER_SEARCH)."
    notes = [f"duckduckgo could not be reached. {mend}", "8 pages answered 404 Not Found."]
    view["session"] |= {"status": "abstained", "notes": notes}
    await page.route("**/live", lambda route: route.fulfill(body=f"{json.dumps(view)}\n"))
    await mounted(page, api, "answer")
    told = page.get_by_role("region", name="The web could not be searched")
    await expect(told).to_contain_text("DuckDuckGo could not be reached.")
    await expect(told.get_by_text("8 pages answered")).to_be_hidden()
    await told.get_by_text("Details").click()
    await expect(told.get_by_text("8 pages answered")).to_be_visible()

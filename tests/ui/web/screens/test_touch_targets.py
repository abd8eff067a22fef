"""On a phone everything that is touched is large enough for a finger, on every page."""

from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, ViewportSize, expect
from playwright.async_api import TimeoutError as LateError

from tests.browsers import needs_browser
from tests.ui.server.process import Served
from tests.ui.web.screens.ask_driver import PATIENCE, at_rest
from tests.ui.web.screens.test_appearance import SIDEWAYS

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]
PHONES = {"en": 400, "de": 360}
PARTS = ("models", "search", "tools", "storage", "privacy", "general", "machine")
TABS = ("Answer", "Evidence", "History", "Method", "Export")
WAYS = (
    "",
    "?session=one",
    "sessions",
    *(f"sessions?session=one&tab={tab}" for tab in TABS),
    "sessions?session=one&with=one",
    "methods",
    "graphs?graph=mango",
    "memory",
    "batch?new=batch",
    "bench",
    *(f"settings?part={part}" for part in PARTS),
)
SMALL = """() => {
    const TOUCHED = `button, a[href], summary, select, textarea, [role=tab], [role=radio],
        [role=checkbox], [role=switch], [role=option], input:not([type=hidden], [type=file])`;
    const WHOLE = `label, [role=group], [data-testid=stTextInputRootElement],
        [data-testid=stNumberInputContainer]`;
    const inside = function* (root) {
        for (const each of root.querySelectorAll("*")) {
            yield each;
            if (each.shadowRoot) yield* inside(each.shadowRoot);
        }
    };
    const within_text = (each) => each.matches("a, .cite")
        && getComputedStyle(each).display.startsWith("inline")
        && each.parentElement?.textContent.trim() !== each.textContent.trim();
    const lies_under = (each, { left, top, width, height }) => {
        let top_most = document.elementFromPoint(left + width / 2, top + height / 2);
        while (top_most?.shadowRoot) {
            const deeper = top_most.shadowRoot.elementFromPoint(left + width / 2, top + height / 2);
            if (!deeper || deeper === top_most) break;
            top_most = deeper;
        }
        return top_most?.closest("button") && !each.contains(top_most) && !top_most.contains(each);
    };
    const found = [];
    for (const each of inside(document)) {
        if (!each.matches(TOUCHED) || !each.checkVisibility({ visibilityProperty: true })) continue;
        if (each.closest("[aria-hidden=true], [inert]") || within_text(each)) continue;
        const whole = each.matches("input") ? each.closest(WHOLE) ?? each : each;
        const box = whole.getBoundingClientRect();
        if (box.width < 2 || lies_under(each, box)) continue;
        if (box.width >= 40 && box.height >= 40) continue;
        const name = each.getAttribute("aria-label") || each.textContent.trim().slice(0, 40);
        found.push(`${each.tagName} ${name}: ${box.width.toFixed(1)} x ${box.height.toFixed(1)}`);
    }
    return found;
}"""


@pytest_asyncio.fixture(scope="module", loop_scope="session", params=PHONES)
async def phone(chromium: Browser, request: pytest.FixtureRequest) -> AsyncIterator[Page]:
    """A window of a phone, in a language with short words and in one with long ones."""
    size: ViewportSize = {"width": PHONES[request.param], "height": 860}
    async with await chromium.new_context(
        viewport=size, locale=request.param, has_touch=True
    ) as context:
        yield await context.new_page()


@pytest.mark.parametrize("way", WAYS)
async def test_what_is_touched_is_forty_pixels_wide_and_high(
    phone: Page, answered: Served, way: str
) -> None:
    """Links and citations within a text are as high as its lines."""
    await phone.goto(answered.url + way)
    await expect(phone.locator(".stMain :is(h1, h2)").first).to_be_attached(timeout=PATIENCE)
    await at_rest(phone)
    await expect(phone.get_by_test_id("stSkeleton")).to_have_count(0, timeout=PATIENCE)
    await expect(phone.locator(".st-key-new")).to_have_css("position", "fixed")
    for folded in await phone.locator("[class*=st-key-timeline] .root > details > summary").all():
        await folded.click()
    with suppress(LateError):
        await phone.wait_for_function(f"() => !({SMALL})().length", timeout=10_000)
    assert await phone.evaluate(SMALL) == []
    assert await phone.evaluate(SIDEWAYS) == []

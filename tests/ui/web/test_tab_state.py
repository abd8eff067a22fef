"""A callback that uses plain objects is not cut off by a newer run of the script."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from bench.canvas.drag import serve_page
from tests.browsers import needs_browser

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]
PAGE = '''
"""Two buttons. The first one's callback waits for a file, so that the second can overtake it."""

from pathlib import Path
from threading import Event

import streamlit as st

from ui.web.tab_state import tab_object


def note(name, gate):
    notes = tab_object(list)
    while gate and not Path(gate).exists():
        Event().wait(0.01)
    if bare and name == "first":
        st.session_state["touched"] = True
    notes.append(name)


bare = "bare" in st.query_params
gate = st.query_params.get("gate", "")
st.button("First", on_click=note, args=("first", gate))
st.button("Second", on_click=note, args=("second", ""))
st.text("done: " + " ".join(tab_object(list)))
'''
ARRIVED = """async () => { for (let turn = 0; turn < 5; turn++) await fetch("/_stcore/health"); }"""
"""The server has read what the page sent before."""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    script = tmp_path / "script.py"
    script.write_text(PAGE)
    folder = tmp_path / "page"
    folder.mkdir()
    with serve_page(folder, script) as address:
        yield address


@pytest.mark.parametrize(
    ("mode", "done"), [("plain", "done: first second"), ("bare", "done: second")]
)
async def test_what_is_overtaken_is_done_all_the_same(
    chromium: Browser, address: str, tmp_path: Path, mode: str, done: str
) -> None:
    gate = tmp_path / "gate"
    async with await chromium.new_page() as page:
        await page.goto(f"{address}?{mode}=1&gate={gate}")
        await page.get_by_role("button", name="First").click(timeout=60_000)
        await page.evaluate(ARRIVED)
        await page.get_by_role("button", name="Second").click()
        await page.evaluate(ARRIVED)
        gate.touch()
        await expect(page.get_by_text(done, exact=True)).to_be_visible(timeout=60_000)

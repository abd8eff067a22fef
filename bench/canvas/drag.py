"""Lag of a node behind the pointer that drags it across a large canvas."""

import math
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Page

from bench.browser.chromium import open_chromium
from graphs.experiments.text_table import align_columns

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SPY = (HERE / "drag.js").read_text(encoding="utf-8")
MIDDLE = """node => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
}"""
FITTED = "new Promise((done) => setTimeout(done, 500))"  # the view moves for 200 ms
SEEN = """new Promise((done) =>
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(dragged)))))"""
ANSWERED = """(before) => document.querySelector('[data-testid="stText"]').innerText !== before"""
CALM = "new Promise((done) => setTimeout(() => done(dragged), 1500))"  # the drop is drawn by then
MOST_MS = {"late": 50, "median": 17, "frame": 50, "drop": 200}
PATIENCE = 60_000


@dataclass(frozen=True)
class DragTimes:
    """A drag: the lag of each move and the times between frames (ms), and moves never followed.

    `after` are the times between frames (ms) from the drop until its answer has been drawn.
    """

    nodes: int
    late: tuple[float, ...]
    frames: tuple[float, ...]
    after: tuple[float, ...]
    lost: int


@contextmanager
def serve_page(folder: Path, script: Path) -> Iterator[str]:
    """Serve a Streamlit script in its own process with the web UI's style, and yield its URL.

    `folder` must be empty; the script and links to the style and fonts are put there.
    """
    for name in (".streamlit", "static"):
        (folder / name).symlink_to(ROOT / "ui" / "web" / name)
    page = folder / "page.py"
    page.write_text(script.read_text(encoding="utf-8"), encoding="utf-8")
    process = subprocess.Popen(  # noqa: S603  # a program of this project
        [sys.executable, "-m", "bench.canvas.program", str(page)],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join((str(ROOT), *sys.path))},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process.stdout.readline().strip() if process.stdout else ""
    finally:
        process.kill()
        process.communicate()


async def measure_drag(nodes: int, moves: int) -> DragTimes:
    """Drag the middle node past the others and back. Raises UsageError without a browser."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serve_page(Path(folder), HERE / "page.py") as address,
    ):
        async with open_chromium() as browser:
            page = await browser.new_page(viewport={"width": 1280, "height": 860})
            await page.goto(f"{address}?nodes={nodes}", timeout=PATIENCE)
            return await _drag_node(page, nodes, moves)


async def _drag_node(page: Page, nodes: int, moves: int) -> DragTimes:
    name = f"critic_{nodes // 2}"
    node = page.locator(f'.react-flow__node[data-id="{name}"]')
    await (
        page.locator(".react-flow__edge")
        .nth(2 * nodes)
        .wait_for(state="attached", timeout=PATIENCE)
    )
    await page.get_by_role("button", name="Fit", exact=True).click()
    await page.evaluate(FITTED)
    x, y = await node.evaluate(MIDDLE)
    await page.evaluate(SPY, name)
    await page.mouse.move(x, y)
    await page.mouse.down()
    for step in range(1, moves + 1):
        turn = 2 * math.pi * step / moves
        await page.mouse.move(x + 160 * math.sin(turn), y + 90 * math.sin(2 * turn))
    await page.evaluate(SEEN)
    revision = await page.get_by_test_id("stText").inner_text()
    await page.mouse.up()
    await page.wait_for_function(ANSWERED, arg=revision, timeout=PATIENCE)
    found = await page.evaluate(CALM)
    late, frames, after = (tuple(found[name]) for name in ("late", "frames", "after"))
    return DragTimes(nodes, late, frames, after, found["lost"])


def drag_lines(dragged: DragTimes) -> Iterator[str]:
    """Yield a table of median and worst figures beside their limits."""
    rows = [
        (f"a drag follows, {dragged.nodes} nodes, median", statistics.median(dragged.late), "late"),
        ("worst", max(dragged.late), "late"),
        ("between frames, median", statistics.median(dragged.frames), "median"),
        ("worst", max(dragged.frames), "frame"),
        ("between frames after the drop, worst", max(dragged.after), "drop"),
    ]
    yield from align_columns(
        ("figure", "measured", "at most"),
        [(name, f"{figure:.1f} ms", f"{MOST_MS[most]} ms") for name, figure, most in rows],
    )
    yield f"Moves seen: {len(dragged.late)}; never followed: {dragged.lost}."

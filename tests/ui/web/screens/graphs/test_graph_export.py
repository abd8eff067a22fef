"""A graph leaves the editor in each format, and its drawing comes back as the same graph."""

import re
import struct
from pathlib import Path

import pytest
from playwright.async_api import expect

from graphs.exchange.graph_files import FORMATS, read_exported
from graphs.spec.registry import REGISTRY
from graphs.spec.spec import load_graph, parse_graph
from tests.browsers import needs_browser
from tests.ui.web.components.canvas.canvas_driver import PATIENCE
from tests.ui.web.screens.graphs.editor import Editor

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]


async def test_each_format_is_downloaded_and_a_picture_is_imported(
    editor: Editor, tmp_path: Path
) -> None:
    page = editor.page
    await page.goto(f"{editor.server.url}graphs?graph=abreast")
    await editor.there()
    await page.get_by_role("button", name="More").click()
    for format in FORMATS.values():
        async with page.expect_download(timeout=PATIENCE) as begun:
            await page.get_by_role("button", name=format.name, exact=True).click()
        download = await begun.value
        assert download.suggested_filename == f"abreast.{format.ending}"
        await download.save_as(tmp_path / download.suggested_filename)
    for format in list(FORMATS.values())[1:]:
        file = tmp_path / f"abreast.{format.ending}"
        read = parse_graph(read_exported(file.read_bytes(), file.name, REGISTRY))
        assert read.hash == load_graph("abreast").hash

    drawn = (tmp_path / "abreast.svg").read_text("utf-8")
    assert drawn.count("marker-end=") == len(load_graph("abreast").edges)
    assert 'font-weight="600">walk<' in drawn
    size = re.search(r'width="(\d+)" height="(\d+)" role', drawn)
    assert size
    painted = struct.unpack(">II", (tmp_path / "abreast.png").read_bytes()[16:24])
    assert painted == (2 * int(size[1]), 2 * int(size[2]))
    assert painted[1] < painted[0] < 4 * painted[1]  # across, in rows

    await page.goto(f"{editor.server.url}graphs")
    await page.get_by_role("button", name="Import").click()
    dialog = page.get_by_role("dialog")
    await dialog.locator("input[type=file]").set_input_files(tmp_path / "abreast.png")
    await expect(dialog.get_by_text("abreast.png")).to_be_visible(timeout=PATIENCE)
    await dialog.get_by_role("button", name="Import it").click()
    await editor.there()
    await expect(editor.node("walk")).to_be_visible(timeout=PATIENCE)

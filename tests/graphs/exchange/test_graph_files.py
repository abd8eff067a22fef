"""Drawings of graphs, from which the graph can be read back."""

from pathlib import Path

import pytest

from forager.errors import GraphError, UsageError
from forager.settings import Settings
from graphs.exchange.carried_yaml import PNG_MAGIC, read_carried
from graphs.exchange.graph_files import FORMATS, choose_format, export_graph, read_exported
from graphs.spec.registry import REGISTRY
from graphs.spec.spec import PRESETS, load_graph, parse_graph
from tests.browsers import needs_browser

TEXT = (PRESETS / "mango.yaml").read_text()
MANGO = load_graph("mango")


async def exported(format: str, folder: Path, text: str = TEXT) -> bytes:
    return await export_graph(MANGO, format, REGISTRY, Settings(data=folder), text)


@pytest.mark.parametrize("format", ["mermaid", "svg", pytest.param("png", marks=needs_browser)])
async def test_a_drawing_keeps_the_text_with_its_comments(format: str, tmp_path: Path) -> None:
    text = TEXT.replace("nodes:", "# A comment: <b>ü</b> --> %%\nnodes:", 1)
    body = await exported(format, tmp_path, text)
    assert read_exported(body, f"mango.{FORMATS[format].ending}", REGISTRY) == text


async def test_python_has_the_graph_without_its_comments(tmp_path: Path) -> None:
    body = await exported("python", tmp_path)
    assert parse_graph(read_exported(body, "mango.py", REGISTRY)).hash == MANGO.hash


async def test_yaml_is_read_as_it_is(tmp_path: Path) -> None:
    body = await exported("yaml", tmp_path)
    assert body.decode() == TEXT
    assert read_exported(body, "mango.yaml", REGISTRY) == ""


async def test_a_flowchart_is_one_for_mermaid_too(tmp_path: Path) -> None:
    lines = (await exported("mermaid", tmp_path)).decode().splitlines()
    assert lines[0] == "flowchart TD"
    assert all(line.startswith(("  ", "%%")) for line in lines[1:])


@needs_browser
async def test_a_picture_is_one(tmp_path: Path) -> None:
    body = await exported("png", tmp_path)
    assert body.startswith(PNG_MAGIC)
    assert body.endswith(b"IEND\xaeB`\x82")
    width, height = (int.from_bytes(body[place : place + 4]) for place in (16, 20))
    assert 400 < width < height


@pytest.mark.parametrize(
    "body",
    [
        PNG_MAGIC,
        PNG_MAGIC + b"\0\0\0\x40iTXtforager-graph\0\1\0\0\0nothing compressed",
        PNG_MAGIC + b"\xff\xff\xff\xffiTXtother",
        b"<svg><title>A drawing of something else</title></svg>",
        b'<svg><metadata id="forager-graph">AAA</metadata></svg>',
        b"flowchart TD\n  A --> B\n",
    ],
)
def test_a_drawing_without_a_graph_says_so(body: bytes) -> None:
    with pytest.raises(GraphError, match="no graph to read"):
        read_carried(body)


@pytest.mark.parametrize("place", range(5, 400, 23))
async def test_a_cut_drawing_has_no_graph(place: int, tmp_path: Path) -> None:
    body = (await exported("svg", tmp_path))[:place]
    with pytest.raises(GraphError, match="no graph to read"):
        read_carried(body)


@pytest.mark.parametrize(
    ("name", "file", "format"),
    [
        ("", None, "yaml"),
        ("", "a.py", "python"),
        ("", "a.mmd", "mermaid"),
        ("", "a.txt", "yaml"),
        ("svg", "a.png", "svg"),
    ],
)
def test_the_format_is_named_or_that_of_the_file(name: str, file: str | None, format: str) -> None:
    assert choose_format(name, Path(file) if file else None) == format


def test_a_format_that_does_not_exist_is_named_with_those_that_do() -> None:
    with pytest.raises(UsageError, match="There is no format 'pyton'") as refused:
        choose_format("pyton", None)
    assert "python" in refused.value.mend


async def test_python_of_a_graph_with_errors_is_refused(tmp_path: Path) -> None:
    broken = MANGO.model_copy(update={"edges": MANGO.edges[1:]})
    with pytest.raises(GraphError):
        await export_graph(broken, "python", REGISTRY, Settings(data=tmp_path))
    assert await export_graph(broken, "svg", REGISTRY, Settings(data=tmp_path))


async def test_a_picture_without_a_browser_names_another_format(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, chromium=tmp_path / "missing")
    with pytest.raises(UsageError, match="PNG") as refused:
        await export_graph(MANGO, "png", REGISTRY, settings)
    assert "svg" in refused.value.mend

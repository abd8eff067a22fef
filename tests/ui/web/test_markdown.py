from hypothesis import given
from hypothesis.strategies import text
from markdown_it import MarkdownIt

from ui.web.markdown import JOINER, escape_markdown

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


@given(text())
def test_the_text_is_shown_and_nothing_else(said: str) -> None:
    line = escape_markdown(said)
    assert "\n" not in line
    tokens = [each for each in READER.parse(line) if each.type == "inline"]
    kinds = {child.type for each in tokens for child in each.children or ()}
    assert kinds <= {"text", "text_special"}


def test_neither_icons_nor_colours_nor_links_are_left() -> None:
    said = ":material/key: :red[x] [a](javascript:b) ![c](https://d) <b> $e$ #f www.h.i j@k.l"
    line = escape_markdown(said)
    for mark in (":material", ":red", "](", "<b>", "$e$", ":\\/\\/", "www\\.", "j\\@"):
        assert mark not in line
    assert line.replace("\\", "").replace(JOINER, "") == said

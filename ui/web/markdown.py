"""Text of pages, models and people made harmless where Streamlit would read it as Markdown."""

import re

from ui.cli.printing.terminal_text import strip_controls

PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
"""ASCII punctuation, which Markdown takes literally after a backslash."""
SHORTCODE = re.compile(r":(?=[\w+-]|\\/\\/)|www(?=\\\.)|(?=\\@)", re.IGNORECASE)
"""Where Streamlit looks for `:icon:`, `:red[`, `http://`, `www.` and `a@b.c` in plain text."""
JOINER = "\u2060"
"""A character without width, which separates the text before and after it."""


def escape_markdown(text: str) -> str:
    """One line of Markdown that shows the text only: no link, image, icon or colour."""
    line = " ".join(strip_controls(text).split())
    return SHORTCODE.sub(rf"\g<0>{JOINER}", PUNCTUATION.sub(r"\\\1", line))

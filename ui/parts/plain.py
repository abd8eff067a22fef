"""Text of pages, models and people made harmless where Streamlit would read it as Markdown."""

import re

from ui.cli.printing.terminal_text import strip_controls as clean

MARKS = re.compile(r"([!-/:-@\[-`{-~])")
"""ASCII punctuation, each of which Markdown takes literally behind a backslash."""
READ = re.compile(r":(?=[\w+-]|\\/\\/)|www(?=\\\.)|(?=\\@)", re.IGNORECASE)
"""Where `:icon:`, `:red[`, `http://`, `www.` and `a@b.c` are looked for once more in plain text."""
JOINER = "\u2060"
"""Of no width: what stands around it is not read as one."""


def escaped(text: str) -> str:
    """One line of Markdown that shows the text and nothing else: no link, image, icon or colour."""
    line = " ".join(clean(text).split())
    return READ.sub(rf"\g<0>{JOINER}", MARKS.sub(r"\\\1", line))

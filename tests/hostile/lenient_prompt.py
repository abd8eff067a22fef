"""A prompt as a lenient model may read it: look-alike letters, brackets, invisible characters."""

import re
import unicodedata
from collections.abc import Iterator

from tests.endpoint import Asked
from tests.endpoint.request import said

OPEN = re.compile(r"^\[\[material (\w+)\]\]$", re.MULTILINE)
LOOSE_MARK = re.compile(r"\[\s*\[\s*/?\s*(?:material|end)\b")
LOOSE_NUMBER = re.compile(r"\[\s*(-?\d+)\s*\]")
LOOSE_ID = re.compile(r"\[\s*([ep]\s?\d+)")
TITLE = re.compile(r"^## (.*)$", re.MULTILINE)
CONFUSED = str.maketrans("аеіӏмптгԁһосрѕαεικνορτ❨⟦", "aeilmntrdhocpsaeiknopt[[")


def plain(text: str) -> str:
    """The text with one spelling for what looks alike, in lower case; lines stay lines."""
    kept = (
        letter
        for letter in unicodedata.normalize("NFKC", text)
        if unicodedata.category(letter) not in ("Cf", "Co", "Cn", "Cs", "Mn")
    )
    return "".join(kept).lower().translate(CONFUSED)


def user(asked: Asked) -> str:
    """The first thing that the user's side says."""
    return said(asked.messages[1])


def tag(asked: Asked) -> str:
    """The tag of a request's fences; there is one."""
    [found] = {mark[1] for mark in OPEN.finditer(user(asked))}
    return found


def pieces(text: str, tag: str) -> Iterator[tuple[bool, str]]:
    """The text by lines in turn outside and inside of its fences; each mark is a whole line."""
    inside = False
    lines: list[str] = []
    for line in text.split("\n"):
        mark = f"[[{'end' if inside else 'material'} {tag}]]"
        if line == mark:
            yield inside, "\n".join(lines)
            inside, lines = not inside, []
        else:
            assert tag not in line, f"a mark in the wrong place: {line}"
            lines.append(line)
    assert not inside, "a fence that does not end"
    yield False, "\n".join(lines)


def material(text: str, tag: str) -> str:
    """What stands in fences."""
    return "\n".join(piece for inside, piece in pieces(text, tag) if inside)


def outside(text: str, tag: str) -> str:
    """What stands outside of fences."""
    return "\n".join(piece for inside, piece in pieces(text, tag) if not inside)


def section(text: str, tag: str, title: str) -> str:
    """The body of a section, whose title stands outside of fences."""
    shown = [(inside, line) for inside, piece in pieces(text, tag) for line in piece.split("\n")]
    starts = [at for at, (inside, line) in enumerate(shown) if not inside and line[:3] == "## "]
    for start, end in zip(starts, [*starts[1:], len(shown)], strict=True):
        if shown[start][1].startswith(f"## {title}"):
            return "\n".join(line for _, line in shown[start + 1 : end])
    raise AssertionError(f"no section {title}")

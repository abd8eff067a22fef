"""A prompt taken apart, as stand-ins for a language model read it."""

import re

SECTION = re.compile(r"^## (?P<title>.+)\n", re.MULTILINE)
FENCED = re.compile(r"\[\[material (\w+)\]\]\n(.*?)\n\[\[end \1\]\]", re.DOTALL)


def prompt_sections(text: str) -> dict[str, str]:
    """What stands under each title; titles inside a fence are the page's own."""
    fenced = [found.span() for found in FENCED.finditer(text)]
    marks = [
        mark
        for mark in SECTION.finditer(text)
        if not any(start < mark.start() < end for start, end in fenced)
    ]
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    found: dict[str, str] = {}
    for mark, end in zip(marks, ends, strict=True):
        title, _, more = mark["title"].partition(". ")
        body = text[mark.end() : end].strip()
        fence = FENCED.search(body)
        found[title] = f"{more}\n{fence[2] if fence else body}".strip()
    return found

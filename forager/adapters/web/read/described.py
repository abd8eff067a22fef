"""What a page says in attributes: descriptions of images, titles and labels, marked as such."""

import re
from collections.abc import Mapping, Sequence

from selectolax.lexbor import LexborHTMLParser, LexborNode

from forager.prompts.injections import find_injection

MAX_DESCRIPTION = 300
_TITLED = "abbr acronym cite code dd del dfn em i ins li p q s small span strong sub sup td th time"
_LABELLED = "a b div em i meter p progress span strong td th time"
TITLED = frozenset(_TITLED.split())
"""Titles of links are names of the pages that they lead to."""
LABELLED = frozenset(_LABELLED.split())
DESCRIBED = "[alt],[title]:not(a),[aria-label]"
"""What may be described; one selector for all is a fifth of the work of one for each tag."""
FILE_NAME = re.compile(r"\S+\.\w{2,4}|.*\.(?:png|jpe?g|gif|svg|webp|bmp)", re.I)
FORMULA = re.compile(r"\\\w|^\$")
LETTER = re.compile(r"[^\W_]")
WORDY = re.compile(r"\w{2,}")


def find_descriptions(tree: LexborHTMLParser) -> Mapping[int, str]:
    """The marked description of each node that has one, by the node's `mem_id`.

    Titles and labels that the text of their element repeats are left out, and so are names of
    files, formulas, and orders to a language model.
    """
    found: dict[int, str] = {}
    for node in tree.css(DESCRIBED):
        tag, attributes = node.tag or "", node.attributes
        title, label = attributes.get("title"), attributes.get("aria-label")
        if _is_image(tag, attributes):
            _add(found, node, "image", attributes.get("alt") or label or title)
        if title and tag in TITLED:
            _add(found, node, "title", title)
        if label and tag in LABELLED and not LETTER.search(node.text()):
            _add(found, node, "label", label)
    return found


def _is_image(tag: str, attributes: Mapping[str, str | None]) -> bool:
    if "aria-label" in attributes and (tag in {"svg", "figure"} or attributes.get("role") == "img"):
        return True
    return ("alt" in attributes and tag in {"img", "area"}) or (
        "title" in attributes and tag == "img"
    )


def _add(found: dict[int, str], node: LexborNode, kind: str, said: str | None) -> None:
    text = " ".join((said or "").split())
    useless = not LETTER.search(text) or FILE_NAME.fullmatch(text) or FORMULA.search(text)
    if useless or find_injection(text):
        return
    if text.casefold() not in " ".join(node.text().split()).casefold():
        found.setdefault(node.mem_id, f"[{kind}: {text[:MAX_DESCRIPTION].replace(']', ')')}]")


def add_descriptions(text: str, said: Sequence[str]) -> str:
    """A text with the descriptions that it does not repeat; beside a text they need two words."""
    fresh = [
        each
        for each in dict.fromkeys(said)
        if (not text or len(WORDY.findall(each)) > 2)  # noqa: PLR2004  # the first is the mark
        and each.partition(": ")[2][:-1].casefold() not in text.casefold()
    ]
    return " ".join(filter(None, (text, *fresh)))

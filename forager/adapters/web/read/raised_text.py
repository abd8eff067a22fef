"""Writes the superscripts and subscripts of an HTML tree as plain text shows them.

As Unicode characters where all of a script have one (2⁶⁴, H₂O), else behind a sign (x^T, C_nm).
"""

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from forager.adapters.web.read.html_walk import ROLES
from forager.text.unicode import SUBSCRIPTS, SUPERSCRIPTS

MENTION = re.compile(r"<su[bp]\b", re.IGNORECASE)
NESTED = "sup sup,sup sub,sub sup,sub sub"
MAX_NESTED = 100
"""A page with more scripts in scripts is left as it is: the time grows with their depth."""
MAX_LENGTH = 24
"""A longer script (in characters) is small print."""
SIMPLE = re.compile(r"[\w.]+")
"""A script that needs no brackets behind its sign."""
MARK = re.compile(r"\[.*\]|\(\w\)|\W+")
"""The mark of a note, which no letter is raised for."""
LABEL = re.compile(r"[^\W\d_]{3,}")
"""A word, which no letter is raised to."""
FRACTION_SIGNS = "/⁄∕"
NOTES = re.compile(r"\d+(?:\s?[,;]\s?\d+)+")
JOINED = re.compile(
    r"(?:st|nd|rd|th|TM|tm|SM)"
    r"|(?<=[\dIVXLC] )(?:e|er|re|ère|es|ème|a|o|os|as)|(?<=[NnMD] )(?:os?|r|mes?|lles?)"
)
"""The ends of ordinals and abbreviations, and signs of trade, behind the character before."""


def write_scripts(tree: LexborHTMLParser, source: str) -> None:
    """Write the scripts of a page, the inner ones first; `source` is its HTML."""
    if not MENTION.search(source) or len(tree.css(NESTED)) > MAX_NESTED:
        return
    for node in reversed(tree.css("sup,sub")):
        _write_script(node)


def _write_script(node: LexborNode) -> None:
    text = " ".join(node.text().split())
    before = _character_before(node)
    raised = node.tag == "sup"
    alike = SUPERSCRIPTS if raised else SUBSCRIPTS
    if all(ord(each) in alike for each in text) or (raised and NOTES.fullmatch(text)):
        _translate(node, alike)
    elif (
        MARK.fullmatch(text)
        or (raised and JOINED.fullmatch(f"{before} {text}", 2))
        or not before
        or before in FRACTION_SIGNS
        or _is_over_fraction(node)
    ):
        return
    elif len(text) > MAX_LENGTH or (raised and LABEL.fullmatch(text)) or _is_linked(node):
        node.insert_before(" ")
    else:
        simple = SIMPLE.fullmatch(text)
        node.insert_before(("^" if raised else "_") + ("" if simple else "("))
        if not simple:
            node.insert_after(")")


def _translate(node: LexborNode, alike: dict[int, str]) -> None:
    for each in list(node.traverse(include_text=True)):
        if each.tag == "-text" and each.text_content:
            each.replace_with(each.text_content.translate(alike))


def _is_over_fraction(node: LexborNode) -> bool:
    """Does the line of a fraction follow?"""
    after = (node.next.text_content if node.next is not None else None) or ""
    return after.startswith(tuple(FRACTION_SIGNS))


def _is_linked(node: LexborNode) -> bool:
    """Does it hold a link, or is it all that a link shows?"""
    if node.css_first("a[href]") is not None:
        return True
    alone = node.prev is None and node.next is None
    return alone and node.parent is not None and node.parent.tag == "a"


def _character_before(node: LexborNode) -> str:
    """The character that a node stands directly behind; empty behind a space or the block."""
    place: LexborNode | None = node
    while place is not None and place.prev is None:
        place = place.parent
        if place is None or ROLES.get(place.tag or "", "link") != "link":
            return ""
    before = place.prev if place else None
    said = before.text() if before else ""
    return said[-1:].strip()

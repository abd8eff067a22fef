"""The part of CSS that decides whether text is visible: declarations, lengths, colours, rules."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

Style = Mapping[str, str]
Colour = tuple[int, int, int, float]
"""Red, green and blue from 0 to 255, and opacity from 0 to 1."""

COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.DOTALL)
PROPERTY = re.compile(r"[a-z-]+")
LENGTH = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))(px|pt|pc|em|rem|ex|ch|in|cm|mm|vw|vh|%)?")
PIXELS_PER_UNIT = {
    "px": 1.0, "pt": 4 / 3, "pc": 16.0, "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "in": 96.0,
    "cm": 37.8, "mm": 3.78, "vw": 5.0, "vh": 5.0, "%": 5.0,
}  # fmt: skip
SHARES_OF_PARENT = {"em": 1.0, "%": 0.01, "ex": 0.5, "ch": 0.5}
USUAL_SIZE = 16.0
SHORTHAND_SIZE = re.compile(r"(?:^|\s)(\d*\.?\d+(?:[a-z]+|%)?)(?=\s*/|\s)")
COLOUR_NAMES = {
    "black": "#000", "white": "#fff", "snow": "#fffafa", "ivory": "#fffff0", "azure": "#f0ffff",
    "floralwhite": "#fffaf0", "ghostwhite": "#f8f8ff", "whitesmoke": "#f5f5f5", "red": "#f00",
    "mintcream": "#f5fffa", "lime": "#0f0", "blue": "#00f", "yellow": "#ff0", "aqua": "#0ff",
    "cyan": "#0ff", "fuchsia": "#f0f", "magenta": "#f0f", "silver": "#c0c0c0", "gray": "#808080",
    "grey": "#808080", "maroon": "#800000", "olive": "#808000", "green": "#008000",
    "purple": "#800080", "teal": "#008080", "navy": "#000080", "lightgray": "#d3d3d3",
    "lightgrey": "#d3d3d3", "gainsboro": "#dcdcdc", "transparent": "#0000",
}  # fmt: skip
HEX = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
RGB_CALL = re.compile(r"rgba?\((\d+)[\s,]+(\d+)[\s,]+(\d+)(?:[\s,/]+(\d*\.?\d+)(%?))?\)")
COLOUR = re.compile(r"#[0-9a-f]+\b|rgba?\([^()]*\)|\b[a-z]+\b(?!\()")
IMAGE = re.compile(r"url\(|gradient\(|image")
SCREEN_RULE = re.compile(
    r"@(?:media\s+(?:only\s+)?(?:screen|all)|layer\b[\w\s.-]*|supports\s[^{]*)"
)
BRACE = re.compile(r"[{}]")
SIMPLE_SELECTOR = r"(?:\*|[a-z][\w-]*)?(?:[.#][\w-]+)*"
SELECTOR = re.compile(rf"(?:({SIMPLE_SELECTOR})(?:\s*>\s*|\s+))?({SIMPLE_SELECTOR})", re.IGNORECASE)


class CssRule(NamedTuple):
    """A rule for elements that match `last`, inside one that matches `first` if that is set.

    `weight` is the specificity: counts of ids, classes and tags.
    """

    first: str
    last: str
    style: dict[str, str]
    weight: tuple[int, int, int]


def parse_declarations(text: str) -> dict[str, str]:
    """Parse the declarations of a style attribute or a rule; names and values in lower case."""
    found: dict[str, str] = {}
    for piece in COMMENT.sub("", text).lower().split(";"):
        name, colon, value = piece.partition(":")
        if colon and PROPERTY.fullmatch(name.strip()):
            found[name.strip()] = value.replace("!important", "").strip()
    return found


def to_pixels(value: str) -> float | None:
    """Convert a length to pixels, roughly, with percentages of 500; None if it is no length."""
    found = LENGTH.fullmatch(value.strip())
    return float(found[1]) * PIXELS_PER_UNIT[found[2] or "px"] if found else None


def parse_share(value: str) -> float | None:
    """Parse a number or a percentage as a share of 1; None if it is neither."""
    found = LENGTH.fullmatch(value)
    if not found or found[2] not in (None, "%"):
        return None
    return float(found[1]) / (100 if found[2] else 1)


def font_size(style: Style, inherited: float) -> float:
    """The font size in pixels, given the inherited one; USUAL_SIZE if it is unknown."""
    value = style.get("font-size", "")
    if not value and (found := SHORTHAND_SIZE.search(style.get("font", ""))):
        value = found[1]
    length = LENGTH.fullmatch(value)
    if length and length[2] in SHARES_OF_PARENT:
        return float(length[1]) * SHARES_OF_PARENT[length[2]] * inherited
    if length:
        return to_pixels(value) or 0.0
    return USUAL_SIZE if value and value != "inherit" else inherited


def parse_colour(value: str) -> Colour | None:
    """Parse a colour; None if it is none or unknown."""
    value = COLOUR_NAMES.get(value, value)
    if HEX.fullmatch(value):
        digits = value[1:] if len(value) > len("#rgba") else "".join(d * 2 for d in value[1:])
        red, green, blue, *opaque = bytes.fromhex(digits)
        return red, green, blue, opaque[0] / 255 if opaque else 1.0
    called = RGB_CALL.fullmatch(value.replace("( ", "(").replace(" )", ")"))
    if not called:
        return None
    opacity = float(called[4]) / (100 if called[5] else 1) if called[4] else 1.0
    return int(called[1]), int(called[2]), int(called[3]), opacity


def background_colour(style: Style, inherited: Colour | None) -> Colour | None:
    """The background colour of an element, given the inherited one; None if it is unknown."""
    shorthand = f"{style.get('background', '')} {style.get('background-image', '')}"
    if IMAGE.search(shorthand):
        return None
    value = style.get("background-color") or style.get("background", "")
    if not value or value in ("none", "inherit", "initial", "unset"):
        return inherited
    found = next((known for known in map(parse_colour, COLOUR.findall(value)) if known), None)
    return found if found is None or found[3] else inherited


def parse_rules(sheet: str) -> list[CssRule]:
    """Parse a style sheet into rules, those with the highest specificity last.

    Supported selectors name one element, or one inside another, by tag, classes or id. A rule with
    another selector or under a condition has an empty `last`.
    """
    found: list[CssRule] = []
    for selectors, body in _split_blocks(COMMENT.sub("", sheet)):
        style = {"background": ""} if selectors.startswith("@") else parse_declarations(body)
        for selector in selectors.split(","):
            simple = SELECTOR.fullmatch(selector.strip())
            first, last = (simple[1] or "", simple[2]) if simple else ("", "")
            weight = selector.count("#"), selector.count("."), len(selector.split())
            found.append(CssRule(first, last, style, weight))
    return sorted(found, key=lambda rule: rule.weight)


def _split_blocks(sheet: str) -> Iterator[tuple[str, str]]:
    """Yield selectors and bodies of the blocks; conditions for screens are opened."""
    at = 0
    while (opened := sheet.find("{", at)) >= 0:
        before = sheet[at:opened].rpartition(";")[2].strip("} \t\n\r\f")
        if SCREEN_RULE.fullmatch(before.lower()):
            at = opened + 1
            continue
        at = _find_closing_brace(sheet, opened)
        body = sheet[opened + 1 : at]
        if not before.startswith("@") or ("media" in before and "background" in body):
            yield before, body
        at += 1


def _find_closing_brace(sheet: str, opened: int) -> int:
    """The index of the brace that closes the one at `opened`, or the end of the sheet."""
    depth = 0
    for brace in BRACE.finditer(sheet, opened):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.start()
    return len(sheet)

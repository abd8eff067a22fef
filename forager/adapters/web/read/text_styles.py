"""How words look by the styles of their elements, and whether they can be seen."""

import re
from typing import NamedTuple

from forager.adapters.web.read import css
from forager.adapters.web.read.css import Colour, Style

FAINT = 0.05
SMALLEST = 3.0
FAR = 900.0
NEAR_SHADES = 16
"""Colours that differ by no more in any shade look alike."""
FADES = frozenset({"transform", "-webkit-transform", "transition", "animation", "will-change"})
"""What is transparent beside one of these fades in."""
SIDES = ("left", "right", "top", "bottom", "text-indent", "margin-left", "margin-top")
BOXES = ("width", "height", "max-width", "max-height")
LARGE_ENOUGH = 12.0
CLIP = re.compile(
    r"rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]|inset\(\s*(?:[5-9]\d|100)%|circle\(\s*0"
    r"|opacity\(\s*0*(?:\.0+)?%?\s*\)"
)
SHRUNK = re.compile(r"scale[xy]?\(\s*(?:0+|0*\.0+|0+\.0*)\s*[,)]")
MOVED = re.compile(r"translate(?:3d|[xy])?\(([^()]*)\)")
WHITE: Colour = (255, 255, 255, 1.0)
BLACK: Colour = (0, 0, 0, 1.0)


class Look(NamedTuple):
    """How words look in an element; None for what is not known.

    `within` numbers the style rules whose outer element this one stands in.
    """

    visible: bool = True
    size: float = css.USUAL_SIZE
    colour: Colour | None = None
    background: Colour | None = None
    within: frozenset[int] = frozenset()

    def unseen(self) -> bool:
        """Can words that look so not be seen?"""
        if not self.visible or self.size < SMALLEST:
            return True
        if self.colour is None or self.colour[3] < FAINT:
            return self.colour is not None
        pairs = zip(self.colour[:3], (self.background or ())[:3], strict=False)
        apart = [abs(shade - behind) for shade, behind in pairs]
        return bool(apart) and max(apart) <= NEAR_SHADES

    def inside(self, style: Style) -> "Look":
        """How words look in an element with this style."""
        visibility = style.get("visibility")
        return self._replace(
            visible=visibility not in ("hidden", "collapse") if visibility else self.visible,
            size=css.font_size(style, self.size),
            colour=_colour(style, self.colour),
            background=css.background(style, self.background),
        )


def hides(style: Style) -> bool:
    """Does a style hide the whole element?"""
    if style.get("display") == "none" or style.get("content-visibility") == "hidden":
        return True
    opacity = css.number(style.get("opacity", ""))
    if opacity is not None and opacity < FAINT and FADES.isdisjoint(style):
        return True
    cut = f"{style.get('clip', '')} {style.get('clip-path', '')} {style.get('filter', '')}"
    return bool(CLIP.search(cut)) or _far(style) or _boxed(style)


def dims(style: Style) -> bool:
    """May it make words invisible that are in the element?"""
    if style.get("visibility") in ("hidden", "collapse") or css.colour(style.get("color", "")):
        return True
    return css.font_size(style, css.USUAL_SIZE) < LARGE_ENOUGH


def _far(style: Style) -> bool:
    """Is it moved off the page?"""
    moves = [css.pixels(style[side]) for side in SIDES if side in style]
    transform = style.get("transform", "")
    for moved in MOVED.finditer(transform):
        moves += [css.pixels(part) for part in moved[1].split(",")]
    away = any(move is not None and move <= -FAR for move in moves)
    return SHRUNK.search(transform) is not None or (away and "padding-left" not in style)


def _boxed(style: Style) -> bool:
    """Is it in a box without room?"""
    sizes = [css.pixels(style[side]) for side in BOXES if side in style]
    small = any(size is not None and size <= 1 for size in sizes)
    overflow = (
        f"{style.get('overflow', '')} {style.get('overflow-x', '')} {style.get('overflow-y', '')}"
    )
    return small and ("hidden" in overflow or "clip" in overflow)


def _colour(style: Style, around: Colour | None) -> Colour | None:
    value = style.get("color", "")
    if not value or value in ("inherit", "unset"):
        return around
    shadow = "text-shadow" in style or any(
        "text" in style.get(f"{maker}background-clip", "") for maker in ("", "-webkit-")
    )
    return None if shadow else css.colour(value)

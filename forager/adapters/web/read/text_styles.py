"""How text looks by the styles of its elements, and whether it is visible."""

import re
from typing import NamedTuple

from forager.adapters.web.read import css
from forager.adapters.web.read.css import Colour, Style

MIN_OPACITY = 0.05
MIN_FONT_SIZE = 3.0
OFF_PAGE = 900.0
NEAR_SHADES = 16
"""Colours whose channels differ by at most this much look the same."""
FADE_PROPERTIES = frozenset(
    {"transform", "-webkit-transform", "transition", "animation", "will-change"}
)
"""A transparent element with one of these properties fades in."""
MOVING_PROPERTIES = ("left", "right", "top", "bottom", "text-indent", "margin-left", "margin-top")
BOX_PROPERTIES = ("width", "height", "max-width", "max-height")
LARGE_ENOUGH = 12.0
CLIP = re.compile(
    r"rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]|inset\(\s*(?:[5-9]\d|100)%|circle\(\s*0"
    r"|opacity\(\s*0*(?:\.0+)?%?\s*\)"
)
SHRUNK = re.compile(r"scale[xy]?\(\s*(?:0+|0*\.0+|0+\.0*)\s*[,)]")
MOVED = re.compile(r"translate(?:3d|[xy])?\(([^()]*)\)")
WHITE: Colour = (255, 255, 255, 1.0)
BLACK: Colour = (0, 0, 0, 1.0)


class TextLook(NamedTuple):
    """How text looks in an element; None means unknown.

    `within` holds the numbers of the rules whose outer element contains this one.
    """

    visible: bool = True
    size: float = css.USUAL_SIZE
    colour: Colour | None = None
    background: Colour | None = None
    within: frozenset[int] = frozenset()

    def is_unseen(self) -> bool:
        """Is text with this look invisible?"""
        if not self.visible or self.size < MIN_FONT_SIZE:
            return True
        if self.colour is None or self.colour[3] < MIN_OPACITY:
            return self.colour is not None
        pairs = zip(self.colour[:3], (self.background or ())[:3], strict=False)
        apart = [abs(shade - behind) for shade, behind in pairs]
        return bool(apart) and max(apart) <= NEAR_SHADES

    def apply_style(self, style: Style) -> "TextLook":
        """The look of text in an inner element with this style."""
        visibility = style.get("visibility")
        return self._replace(
            visible=visibility not in ("hidden", "collapse") if visibility else self.visible,
            size=css.font_size(style, self.size),
            colour=_text_colour(style, self.colour),
            background=css.background_colour(style, self.background),
        )


def hides_element(style: Style) -> bool:
    """Does a style hide the whole element?"""
    if style.get("display") == "none" or style.get("content-visibility") == "hidden":
        return True
    opacity = css.parse_share(style.get("opacity", ""))
    if opacity is not None and opacity < MIN_OPACITY and FADE_PROPERTIES.isdisjoint(style):
        return True
    cut = f"{style.get('clip', '')} {style.get('clip-path', '')} {style.get('filter', '')}"
    return bool(CLIP.search(cut)) or _is_off_page(style) or _is_empty_box(style)


def may_hide_text(style: Style) -> bool:
    """May a style make text in the element invisible?"""
    if style.get("visibility") in ("hidden", "collapse") or css.parse_colour(
        style.get("color", "")
    ):
        return True
    return css.font_size(style, css.USUAL_SIZE) < LARGE_ENOUGH


def _is_off_page(style: Style) -> bool:
    """Does a style move the element off the page?"""
    moves = [css.to_pixels(style[side]) for side in MOVING_PROPERTIES if side in style]
    transform = style.get("transform", "")
    for moved in MOVED.finditer(transform):
        moves += [css.to_pixels(part) for part in moved[1].split(",")]
    away = any(move is not None and move <= -OFF_PAGE for move in moves)
    return SHRUNK.search(transform) is not None or (away and "padding-left" not in style)


def _is_empty_box(style: Style) -> bool:
    """Does a style clip the element to an empty box?"""
    sizes = [css.to_pixels(style[side]) for side in BOX_PROPERTIES if side in style]
    small = any(size is not None and size <= 1 for size in sizes)
    overflow = (
        f"{style.get('overflow', '')} {style.get('overflow-x', '')} {style.get('overflow-y', '')}"
    )
    return small and ("hidden" in overflow or "clip" in overflow)


def _text_colour(style: Style, inherited: Colour | None) -> Colour | None:
    value = style.get("color", "")
    if not value or value in ("inherit", "unset"):
        return inherited
    shadow = "text-shadow" in style or any(
        "text" in style.get(f"{maker}background-clip", "") for maker in ("", "-webkit-")
    )
    return None if shadow else css.parse_colour(value)

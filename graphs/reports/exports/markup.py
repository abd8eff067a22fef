"""Builds HTML. Text is escaped unless it is markup already, so no page's text becomes a tag."""

from html import escape

from forager.text.unicode import TURNING_CODES

CONTROL_CHARACTERS = dict.fromkeys(
    [*range(9), 11, 12, *range(14, 32), *range(127, 160), *TURNING_CODES]
)
"""The control characters that HTML forbids, all but tab and line breaks; and what turns text."""

Content = str | None
"""Markup or text; None adds nothing."""


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def join_markup(*content: Content) -> Markup:
    """The pieces joined."""
    return Markup("".join(_escape_content(each) for each in content if each is not None))


def element(name: str, *content: Content, **attributes: str | None) -> Markup:
    """An element. `class_` sets its class; an attribute of None is left out."""
    text = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_escape_text(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{text}>{join_markup(*content)}</{name}>")


def _escape_content(content: str) -> str:
    return content if isinstance(content, Markup) else _escape_text(content)


def _escape_text(text: str) -> str:
    return escape(text.translate(CONTROL_CHARACTERS))

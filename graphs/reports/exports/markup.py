"""Builds HTML. Text is escaped unless it is markup already, so no page's text becomes a tag."""

from html import escape

TURNING = dict.fromkeys([0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
"""Characters that change the order in which text is shown."""
CONTROL_CHARACTERS = dict.fromkeys([*range(9), 11, 12, *range(14, 32), *range(127, 160)]) | TURNING
"""The control characters that HTML forbids, all but tab and line breaks; and the former."""

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

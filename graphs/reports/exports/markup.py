"""HTML in pieces: what is not markup is escaped, so no page's text becomes a tag."""

from html import escape

UNSEEN = dict.fromkeys([*range(9), 11, 12, *range(14, 32), *range(127, 160)])
"""Control characters, which HTML does not allow; without tab and line breaks."""

Content = str | None
"""Markup or text; None leaves nothing."""


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def joined(*content: Content) -> Markup:
    """Pieces one after the other."""
    return Markup("".join(_escaped(each) for each in content if each is not None))


def element(name: str, *content: Content, **attributes: str | None) -> Markup:
    """An element; `class_` names its class, and an attribute of None is not set."""
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_text(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{said}>{joined(*content)}</{name}>")


def _escaped(content: str) -> str:
    return content if isinstance(content, Markup) else _text(content)


def _text(text: str) -> str:
    return escape(text.translate(UNSEEN))

"""Builds HTML. Text is escaped unless it is markup already, so no page's text becomes a tag."""

import re
from html import escape
from urllib.parse import quote, urlsplit

from forager.text.unicode import TURNING_CODES

CONTROL_CHARACTERS = dict.fromkeys(
    [*range(9), 11, 12, *range(14, 32), *range(127, 160), *TURNING_CODES]
)
"""The control characters that HTML forbids, all but tab and line breaks; and what turns text."""

UNPRINTABLE = CONTROL_CHARACTERS | dict.fromkeys(
    [*range(0xD800, 0xE000), 0xFFFE, 0xFFFF, 0x2028, 0x2029]
)
"""The same, and what XML forbids or some readers take for the end of a line."""
WEB = re.compile(r"https?://", re.IGNORECASE)
"""How an address begins that an export links to."""
STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
ADDRESS_SIGNS = "%:/?#[]@!$&'()*+,;=-._~"
MAX_ADDRESS = 2_000
"""Characters of an address that is a link: Word refuses files with longer ones."""

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


def plain_line(text: str) -> str:
    """The text on one line, without control characters."""
    return " ".join(text.split()).translate(UNPRINTABLE).strip()


def web_address(url: str) -> str:
    """The address in ASCII as other programs take it; empty unless it is an http(s) one."""
    address = quote(STRAY_PERCENT.sub("%25", plain_line(url)), safe=ADDRESS_SIGNS)
    try:
        parts = urlsplit(address)
        valid = WEB.match(address) and parts.hostname and (parts.port or True)
    except ValueError:
        return ""
    start = len(f"{parts.scheme}://{parts.netloc}")
    rest = address[start:].replace("[", "%5B").replace("]", "%5D")
    whole = address[:start] + rest
    return whole if valid and len(whole) <= MAX_ADDRESS else ""

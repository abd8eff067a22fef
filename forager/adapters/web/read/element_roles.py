"""The role of an HTML element in the text: block, heading, cell …, or page chrome."""

from typing import Literal

from selectolax.lexbor import LexborNode

Role = Literal[
    "skip", "break", "block", "heading", "list", "item", "term",
    "meaning", "code", "row", "cell", "link", "frame",
]  # fmt: skip
_SKIPPED = """
    audio canvas datalist embed head object script select style svg template textarea title video
"""
_BLOCKS = """
    address article aside blockquote body caption center details dialog dir div dl fieldset
    figcaption figure footer form frameset header hgroup html legend main menu nav noframes noscript
    p search section summary table tbody tfoot thead
"""
_CHROME = """
    breadcrumb breadcrumbs footer masthead menu mainmenu mobile-nav nav nav-path nav-tree navbar
    navbox navfooter navheader navigation navpath nosearch pagination related searchbox side-nav
    sidebar site-footer site-header sphinxfooter sphinxsidebar submenu titlearea topnav
"""
ROLES: dict[str, Role] = {
    **dict.fromkeys(_SKIPPED.split(), "skip"),
    **dict.fromkeys(_BLOCKS.split(), "block"),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "heading"),
    **dict.fromkeys(("pre", "xmp", "listing", "plaintext"), "code"),
    **dict.fromkeys(("br", "hr"), "break"),
    **dict.fromkeys(("ul", "ol"), "list"),
    **dict.fromkeys(("td", "th"), "cell"),
    **dict.fromkeys(("frame", "iframe"), "frame"),
    **dict.fromkeys(("a", "area"), "link"),
    "li": "item",
    "dt": "term",
    "dd": "meaning",
    "tr": "row",
}
ANCHOR_MARKS = frozenset({"¶", "#", "§", "🔗", "\uf0c1"})
"""Texts of links that mark a place in the page and appear under the pointer."""

MAX_ROW_LENGTH = 3000
CONTAINERS = frozenset(
    {"aside", "div", "footer", "form", "header", "nav", "p", "section", "table", "ul"}
)
CHROME_ROLES = frozenset({"navigation", "banner", "contentinfo", "search", "menu", "menubar"})
CHROME_NAMES = frozenset(_CHROME.split())
CHROME_TAGS = frozenset({"nav", "footer"})
CONTENTS_NAMES = frozenset({"contents", "localtoc", "minitoc", "table-of-contents", "toc"})


def is_layout_row(row: LexborNode) -> bool:
    """Does a table row arrange blocks on the page instead of holding data?"""
    if row.css_first("table,h1,h2,h3,h4,h5,h6,pre") is not None:
        return True
    return len(row.text()) > MAX_ROW_LENGTH


def is_chrome(node: LexborNode, name: str) -> bool:
    """Is an element a menu, a site's header or footer, or a table of contents?

    `name` is the file name of the page.
    """
    tag = node.tag
    attributes = node.attributes
    if not attributes and tag not in CHROME_TAGS and tag != "header":
        return False
    names = {*(attributes.get("class") or "").split(), attributes.get("id") or ""}
    if tag in CHROME_TAGS or attributes.get("role") in CHROME_ROLES or names & CHROME_NAMES:
        return node.css_first("h1,main,article,[role=main]") is None
    if tag == "header" or "header" in names:
        has_links = tag == "header" or node.css_first("a[rel],a[accesskey]") is not None
        return has_links and node.css_first("h1,h2,h3,h4,h5,h6") is None
    return bool(names & CONTENTS_NAMES) and all(
        _is_within_page(a, name) for a in node.css("a[href]")
    )


def _is_within_page(link: LexborNode, name: str) -> bool:
    return (link.attributes.get("href") or "").partition("#")[0] in ("", name)

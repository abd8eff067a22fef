"""Turns an HTML tree into blocks in one pass in document order, without recursion.

The role of an element says what it is in the text: a block, a heading, a cell …, or page chrome.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from selectolax.lexbor import LexborNode

from forager.adapters.web.read.described import add_descriptions
from forager.adapters.web.read.markdown_blocks import Block, BlockKind, locate_links
from forager.browsing.safety.address_verbs import link_side_effect, names_file
from forager.browsing.safety.labels import has_change_icon

Role = Literal[
    "skip", "break", "block", "heading", "list", "item", "term",
    "meaning", "terms", "code", "row", "cell", "link", "frame",
]  # fmt: skip
_SKIPPED = """
    audio canvas datalist embed head object script select style svg template textarea title video
"""
_BLOCKS = """
    address article aside blockquote body caption center details dialog dir div fieldset
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
    "dl": "terms",
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


MAX_LINK_TEXT = 300
ICONS = ("class", "data-icon", "href", "xlink:href")
"""Attributes with the name of an icon."""
WRITING = frozenset({"post", "put", "patch", "delete"})
METHODS = frozenset({"method", "turbo-method", "ujs-method"})
CONFIRMING = frozenset({"confirm", "turbo-confirm"})
COMMANDING = frozenset(
    {"onclick", *(start + name for start in ("", "data-") for name in METHODS | CONFIRMING)}
)
"""Attributes with which a link sends something or asks to be confirmed."""
ALPHANUMERIC = re.compile(r"[^\W_]")
EXTERNAL = re.compile(r"(?:https?:)?//", re.I)
LEAF_ROLES = frozenset({"break", "frame", "code", "skip"})
KIND_OF_ROLE: dict[Role, BlockKind] = {
    "heading": "heading",
    "item": "item",
    "term": "term",
    "meaning": "meaning",
}


def collect_blocks(
    root: LexborNode, name: str, described: Mapping[int, str]
) -> tuple[list[Block], list[Block]]:
    """Collect the blocks of the main text, and those of menus and footers.

    `name` is the file name of the page, `described` what is to be added at the end of the block of
    a node. Hidden nodes must have been removed before.
    """
    walk = _BlockCollector(name, described)
    walk.run(root)
    return walk.main, walk.chrome


MAX_TERM = 200


@dataclass(slots=True)
class _Term:
    """What a definition list defines at this place; `told` once its meaning has begun."""

    text: str = ""
    told: bool = False

    def take(self, text: str) -> None:
        """Take a `dt`: another name of the same thing, if nothing was said yet of the last one."""
        named = f"{self.text}, {text}" if self.text and not self.told else text
        self.text, self.told = named[:MAX_TERM], False


class _BlockCollector:
    def __init__(self, name: str, described: Mapping[int, str]) -> None:
        self._described = described
        self._said: list[str] = []
        self.main: list[Block] = []
        self.chrome: list[Block] = []
        self._name = name
        self._out = self.main
        self._chrome_at: int | None = None
        self._pieces: list[str] = []
        self._links: list[tuple[str, str]] = []
        self._kind: BlockKind = "text"
        self._level = 0
        self._depth = 0
        self._row: list[str] | None = None
        self._seen: set[str] = set()
        self._walked = 0
        self._terms: list[_Term] = []

    def run(self, root: LexborNode) -> None:
        pieces = self._pieces
        stack: list[tuple[Iterator[LexborNode], LexborNode, Role | None]] = []
        stack.append((root.iter(include_text=True), root, "block"))
        while stack:
            for node in stack[-1][0]:
                tag = node.tag
                if tag == "-text":
                    text = node.text_content or ""
                    if pieces or not text.isspace():
                        pieces.append(text)
                    continue
                role = ROLES.get(tag or "")
                if self._enter_node(node, role):
                    stack.append((node.iter(include_text=True), node, role))
                    break
            else:
                _, node, role = stack.pop()
                if role is not None and role != "link":
                    self._leave_block(node, role)
        self._flush_text()

    def _enter_node(self, node: LexborNode, role: Role | None) -> bool:
        """Process an opening tag; False if the children need no visit."""
        if role is None or role == "link":
            if self._described:
                self._describe(node)
            return self._enter_inline(node, role)
        if role in LEAF_ROLES:
            self._take_leaf(node, role)
            return False
        self._enter_block(node, role)
        if self._described:
            self._describe(node)
        return True

    def _enter_inline(self, node: LexborNode, role: Role | None) -> bool:
        if role == "link" and (link := _parse_link(node)):
            self._links.append(link)
        if self._walked:
            self._walked -= 1
            return True
        depth = 0
        child = node.first_child
        while child is not None and child.next is None:  # the common case, at a third of the cost
            tag = child.tag
            if tag == "-text":
                text = child.text_content or ""
                if role is None or text.strip() not in ANCHOR_MARKS:
                    self._pieces.append(text)
                return False
            if tag in ROLES:
                break
            depth += 1
            self._describe(child)
            child = child.first_child
        if child is None:
            return False
        self._walked = depth  # these come next, one within the other
        return True

    def _describe(self, node: LexborNode) -> None:
        """Note what the attributes of a node say, outside menus."""
        if self._described and self._chrome_at is None and node.mem_id in self._described:
            self._said.append(self._described[node.mem_id])

    def _take_leaf(self, node: LexborNode, role: Role) -> None:
        if node.tag == "svg":
            self._describe(node)
        if role == "break" and node.tag == "hr":
            self._flush_text()
        elif role == "break":
            self._pieces.append(" ")
        elif role == "frame":
            if source := node.attributes.get("src"):
                self._links.append((source, node.attributes.get("title") or ""))
        elif role == "code":
            self._take_code(node)

    def _enter_block(self, node: LexborNode, role: Role) -> None:
        if self._row is not None:
            self._pieces.append(" ")
            return
        if self._pieces or self._links or self._said:
            self._flush_text()
        if self._chrome_at is None and node.tag in CONTAINERS and is_chrome(node, self._name):
            self._chrome_at, self._out = node.mem_id, self.chrome
        if role in ("list", "terms"):
            self._open_list(role)
        elif role == "row":
            self._row = None if is_layout_row(node) else []
        elif role in KIND_OF_ROLE:
            self._kind = KIND_OF_ROLE[role]
            self._level = int((node.tag or "h1")[1]) if role == "heading" else max(1, self._depth)

    def _leave_block(self, node: LexborNode, role: Role) -> None:
        if self._row is not None:
            self._leave_row(role)
            return
        if self._pieces or self._links or self._said:
            self._flush_text()
        self._kind = "text"
        self._close_list(role)
        if self._chrome_at == node.mem_id:
            self._chrome_at, self._out = None, self.main

    def _open_list(self, role: Role) -> None:
        if role == "list":
            self._depth += 1
        else:
            self._terms.append(_Term())

    def _close_list(self, role: Role) -> None:
        if role == "list":
            self._depth -= 1
        elif role == "terms" and self._terms:
            self._terms.pop()
        elif role == "meaning" and self._terms:
            self._terms[-1].told = True

    def _leave_row(self, role: Role) -> None:
        if self._row is None or role not in ("row", "cell"):
            self._pieces.append(" ")
            return
        if role == "cell":
            self._row.append(self._take_text())
            return
        text = " | ".join(self._row).rstrip(" |").lstrip(" ") if any(self._row) else ""
        self._row = None
        self._emit_block(Block("row", text))

    def _take_text(self) -> str:
        """The text since the last block, with what attributes say; a heading leaves that behind."""
        text = " ".join("".join(self._pieces).split())
        self._pieces.clear()
        if self._said and not (text and self._kind == "heading"):
            text = add_descriptions(text, self._said)
            self._said.clear()
        return text

    def _flush_text(self) -> None:
        text = self._take_text()
        if not text and not self._links:
            return
        kind: BlockKind = (
            "text" if self._kind == "heading" and self._out is self.chrome else self._kind
        )
        if kind == "text" and len(self._links) > 1 and self._out is self.main:
            self._emit_links(Block(kind, text, links=self._links))
        else:
            self._emit_block(Block(kind, text, self._level))
        if text and kind != "heading":
            self._kind = "text"

    def _emit_links(self, block: Block) -> None:
        """Emit a text; a row of links without words between them as a list of links."""
        self._links = []
        if not _is_menu(block):
            self._links = block.links
            self._emit_block(block)
            return
        for link in block.links:
            self._links = [link]
            self._emit_block(Block("item", link[1], 1))

    def _emit_block(self, block: Block) -> None:
        block.links, self._links = self._links, []
        if self._terms:
            if block.kind == "term" and block.text:
                self._terms[-1].take(block.text)
            block.term = next((each.text for each in reversed(self._terms) if each.text), "")
        if self._out is self.chrome:
            block.term = ""
            if block.text in self._seen or _is_menu(block):
                block.text = ""
            self._seen.add(block.text)
        self._out.append(block)

    def _take_code(self, node: LexborNode) -> None:
        for line_break in node.css("br"):
            line_break.replace_with("\n")
        for number in node.css(".linenos,.lineno"):
            number.decompose()
        text = node.text()
        if self._row is not None:
            self._pieces.append(text)
            return
        self._flush_text()
        self._links = [link for a in node.css("a[href]") if (link := _parse_link(a))]
        self._emit_block(Block("code", text.strip("\n").rstrip()))


def _is_menu(block: Block) -> bool:
    """Does a block hold only links and separators? Links are stored apart from the text."""
    end = 0
    for (_, words), at in zip(block.links, locate_links(block), strict=True):
        if at >= 0:
            if _has_words(block.text[end:at]):
                return False
            end = at + len(words)
    return not _has_words(block.text[end:])


def _has_words(text: str) -> bool:
    return bool(ALPHANUMERIC.search(text))


def _parse_link(node: LexborNode) -> tuple[str, str] | None:
    """The href and text of a link; None if it stays within the page or is an internal nofollow.

    None also for one that sends something or asks to be confirmed, as scripts of frameworks do it,
    or that shows nothing but an icon for a change.
    """
    attributes = node.attributes
    href = attributes.get("href")
    if not href or href.startswith("#") or _commands(attributes):
        return None
    if "nofollow" in (attributes.get("rel") or "") and not EXTERNAL.match(href):
        return None
    text = node.text()
    shown = text if _has_words(text) else _link_label(node) or text
    if not _has_words(shown) and has_change_icon(_icon_names(node)):
        return None
    title = attributes.get("title") or attributes.get("aria-label") or ""
    if title and not names_file(href) and _tells_more(href, title, shown):
        shown = title
    return href, " ".join(shown.split())[:MAX_LINK_TEXT]


def _tells_more(href: str, title: str, shown: str) -> bool:
    """Does the title of a link say that it changes something, while its text is neutral?"""
    return bool(link_side_effect(href, (title,))) and not link_side_effect(href, (shown,))


def _commands(attributes: Mapping[str, str | None]) -> bool:
    return not COMMANDING.isdisjoint(attributes) and any(
        _is_command(*pair) for pair in attributes.items()
    )


def _is_command(name: str, value: str | None) -> bool:
    plain, said = name.removeprefix("data-"), (value or "").lower()
    if plain in METHODS:
        return said in WRITING
    return plain in CONFIRMING or (name == "onclick" and "confirm(" in said)


def _icon_names(node: LexborNode) -> str:
    drawn = node.css("i, svg, use, img, span")
    return " ".join(filter(None, (each.attributes.get(name) for each in drawn for name in ICONS)))


def _link_label(node: LexborNode) -> str:
    """The label of a link without words."""
    attributes = node.attributes
    for name in ("alt", "title", "aria-label"):
        if found := attributes.get(name):
            return found
    image = node.css_first("img[alt]")
    return (image.attributes.get("alt") if image else None) or ""

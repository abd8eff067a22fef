"""Removes what a browser would not show, judged by the page's own HTML and CSS.

External style sheets and scripts are not read: text that only they hide stays, and text that only
they reveal is lost.
"""

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from forager.adapters.web.read import css
from forager.adapters.web.read.css import Style
from forager.adapters.web.read.text_styles import (
    BLACK,
    BOX_PROPERTIES,
    WHITE,
    TextLook,
    hides_element,
    may_hide_text,
)

UNREAD_TAGS = "script style template textarea select object audio video canvas desc metadata defs"
"""Elements without text of their own that would add to the text of a link or of code."""
NEVER_SHOWN = ",".join(
    [
        "[hidden],[popover],dialog:not([open]),noembed,noframes,annotation,annotation-xml",
        ".linenos,.linenodiv",
        *(f"{outer} {tag}" for outer in ("a", "pre") for tag in UNREAD_TAGS.split()),
    ]
)
RAW_TEXT = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|textarea|title|xmp|iframe)\b.*?(?:</\1\b|\Z)"
    r"|(?P<noscript><noscript\b[^>]*>.*?(?:</noscript\b[^>]*>|\Z))",
    re.DOTALL | re.IGNORECASE,
)
OWN_COLOURS = frozenset({"button", "mark"})
STYLE_SHEETS = "style:not([media]),style[media=all],style[media=screen]"
MATCH_COST = 20
MAX_WORK = 300_000
"""The limit of matches, and of elements examined divided by MATCH_COST; later rules are ignored."""
NOT_ENTERED = frozenset({"-comment", "script", "style", "template"})
ALWAYS_SHOWN = frozenset({"html", "body"})
"""Elements that are never removed: a page that hides itself waits for a script."""
MAX_RP_LENGTH = 2
TOGGLED_PROPERTIES = frozenset(
    {"display", "visibility", "content-visibility", "opacity", *BOX_PROPERTIES}
)
"""Properties that style sheets use for content that opens at a click."""
INTERACTIVE_STATE = re.compile(r":(?:checked|hover|target|focus|active)")
HIDING_PROPERTY = re.compile(
    r"display|visib|opacity|font|color|background|clip|transform|-\d{3}|overflow", re.IGNORECASE
)
"""Matches every style that may hide something."""


def prune_hidden(tree: LexborHTMLParser) -> list[str]:
    """Remove hidden elements and texts from a tree; returns the link targets in them."""
    return _Pruner(tree).run(tree, tree.root) if tree.root else []


def remove_noscript(source: str) -> str:
    """Remove `noscript` elements, as a browser that runs scripts does."""
    return RAW_TEXT.sub(lambda found: "" if found["noscript"] else found[0], source)


class _Pruner:
    def __init__(self, tree: LexborHTMLParser) -> None:
        self._never = {node.mem_id for node in tree.css(NEVER_SHOWN)}
        self._never |= {node.mem_id for node in tree.css("rp") if len(node.text()) > MAX_RP_LENGTH}
        styled = ((node, node.attributes.get("style") or "") for node in tree.css("[style]"))
        self._own = {
            node.mem_id: css.parse_declarations(text)
            for node, text in styled
            if HIDING_PROPERTY.search(text)
        }
        for node in tree.css("font,body[text],[bgcolor],[background]"):
            self._own[node.mem_id] = _presentational_style(node) | self._own.get(node.mem_id, {})
        sheet = "\n".join(node.text() for node in tree.css(STYLE_SHEETS))
        rules = css.parse_rules(sheet) if HIDING_PROPERTY.search(sheet) else []
        self._rules = [rule for rule in rules if rule.last]
        if tree.css_first("script") is not None or INTERACTIVE_STATE.search(sheet):
            for rule in self._rules:
                for name in TOGGLED_PROPERTIES & rule.style.keys():
                    del rule.style[name]
        # A white background is assumed only if no unread style can set another.
        self._unknown = tree.css_first("link[rel~=stylesheet]") is not None or any(
            "background" in rule.style for rule in rules if not rule.last
        )
        self._outer: dict[int, set[int]] = {}
        self._inner: dict[int, list[int]] = {}

    def run(self, tree: LexborHTMLParser, root: LexborNode) -> list[str]:
        """Remove hidden nodes, if any style may hide something."""
        styles = [*self._own.values(), *(rule.style for rule in self._rules)]
        if not self._never and not any(
            hides_element(style) or may_hide_text(style) for style in styles
        ):
            return []
        self._match_rules(tree)
        return _remove_nodes(list(self._find_unseen(root)))

    def _match_rules(self, tree: LexborHTMLParser) -> None:
        work = 0
        elements = len(tree.css("*")) if self._rules else 0
        for number, rule in enumerate(self._rules):
            outer = tree.css(rule.first) if rule.first else []
            inner = tree.css(rule.last)
            for node in outer:
                self._outer.setdefault(node.mem_id, set()).add(number)
            for node in inner:
                self._inner.setdefault(node.mem_id, []).append(number)
            work += elements // MATCH_COST + len(outer) + len(inner)
            if work > MAX_WORK:
                return

    def _find_unseen(self, root: LexborNode) -> Iterator[LexborNode]:
        """Yield the outermost hidden elements, and the hidden texts."""
        first = TextLook() if self._unknown else TextLook(colour=BLACK, background=WHITE)
        stack: list[tuple[Iterator[LexborNode], TextLook]] = [(iter([root]), first)]
        while stack:
            nodes, inherited = stack[-1]
            for node in nodes:
                if node.tag == "-text":
                    if inherited.is_unseen():
                        yield node
                    continue
                style = self._style_of(node, inherited)
                look = self._look_of(node, style, inherited)
                if self._is_hidden(node, style, look):
                    yield node
                elif node.tag not in NOT_ENTERED:
                    stack.append((node.iter(include_text=True), look))
                    break
            else:
                stack.pop()

    def _is_hidden(self, node: LexborNode, style: Style, look: TextLook) -> bool:
        if node.mem_id in self._never or (node.tag == "a" and not look.visible):
            return True
        return bool(style) and node.tag not in ALWAYS_SHOWN and hides_element(style)

    def _style_of(self, node: LexborNode, look: TextLook) -> dict[str, str]:
        """The style of an element from matching rules and its own attributes."""
        id = node.mem_id
        style: dict[str, str] = {}
        for number in self._inner.get(id, ()):
            rule = self._rules[number]
            if not rule.first or number in look.within:
                style |= rule.style
        return style | self._own.get(id, {})

    def _look_of(self, node: LexborNode, style: Style, inherited: TextLook) -> TextLook:
        if outer := self._outer.get(node.mem_id):
            inherited = inherited._replace(within=inherited.within | outer)
        if self._has_unknown_colours(node):
            inherited = inherited._replace(colour=None, background=None)
        elif node.tag == "a":
            inherited = inherited._replace(colour=None)
        return inherited.apply_style(style) if style else inherited

    def _has_unknown_colours(self, node: LexborNode) -> bool:
        """May an unread style set the colours of an element?"""
        if node.tag in OWN_COLOURS:
            return True
        return self._unknown and not {"class", "id"}.isdisjoint(node.attributes)


def _presentational_style(node: LexborNode) -> dict[str, str]:
    """The style set by presentational attributes such as `bgcolor`."""
    attributes = node.attributes
    values = {
        "color": attributes.get("color" if node.tag == "font" else "text"),
        "background-color": attributes.get("bgcolor"),
        "background": attributes.get("background") and "url()",
        "font-size": attributes.get("size") and f"{css.USUAL_SIZE}px",
    }
    return {name: value.lower() for name, value in values.items() if value}


def _remove_nodes(gone: list[LexborNode]) -> list[str]:
    links = [
        link.attributes.get("href") or ""
        for node in gone
        if node.tag != "-text"
        for link in node.css("a[href]")
        if "nofollow" not in (link.attributes.get("rel") or "")
    ]
    for node in gone:
        node.decompose()
    return [link for link in links if link and not link.startswith("#")]

"""Takes out of a page what a browser does not show, as far as the page itself tells.

Style sheets in files of their own and scripts are not read: what only they hide stays, and what
they bring to light again is lost.
"""

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from forager.adapters.web.read import css
from forager.adapters.web.read.css import Style
from forager.adapters.web.read.text_styles import BLACK, BOXES, WHITE, Look, dims, hides

MUTE = "script style template textarea select object audio video canvas desc metadata defs"
"""Not read anyway, but part of the words of a link or of code, when these are taken together."""
UNSHOWN = ",".join(
    [
        "[hidden],[popover],dialog:not([open]),noembed,noframes,annotation,annotation-xml",
        ".linenos,.linenodiv",
        *(f"{outer} {tag}" for outer in ("a", "pre") for tag in MUTE.split()),
    ]
)
RAW = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|textarea|title|xmp|iframe)\b.*?(?:</\1\b|\Z)"
    r"|(?P<noscript><noscript\b[^>]*>.*?(?:</noscript\b[^>]*>|\Z))",
    re.DOTALL | re.IGNORECASE,
)
OWN_COLOURS = frozenset({"button", "mark"})
SHEETS = "style:not([media]),style[media=all],style[media=screen]"
MATCH_COST = 20
MUCH_WORK = 300_000
"""Elements that match rules, and each so many looked at: beyond it no more rules are applied."""
NOT_ENTERED = frozenset({"-comment", "script", "style", "template"})
ALWAYS_SHOWN = frozenset({"html", "body"})
"""A page that hides all of itself waits for a script."""
LONGEST_RP = 2
TOGGLED = frozenset({"display", "visibility", "content-visibility", "opacity", *BOXES})
"""What a style sheet sets for lists and answers that open at a click."""
MOMENTARY = re.compile(r":(?:checked|hover|target|focus|active)")
TELLING = re.compile(
    r"display|visib|opacity|font|color|background|clip|transform|-\d{3}|overflow", re.IGNORECASE
)
"""What stands in every style that may hide something."""


def prune(tree: LexborHTMLParser) -> list[str]:
    """Take out what is not shown, and give the addresses of the links that it held."""
    return _Pruning(tree).run(tree, tree.root) if tree.root else []


def without_noscript(source: str) -> str:
    """The source as a browser with scripts reads it: what `noscript` holds is no markup to it."""
    return RAW.sub(lambda found: "" if found["noscript"] else found[0], source)


class _Pruning:
    def __init__(self, tree: LexborHTMLParser) -> None:
        self._never = {node.mem_id for node in tree.css(UNSHOWN)}
        self._never |= {node.mem_id for node in tree.css("rp") if len(node.text()) > LONGEST_RP}
        styled = ((node, node.attributes.get("style") or "") for node in tree.css("[style]"))
        self._own = {
            node.mem_id: css.declarations(text) for node, text in styled if TELLING.search(text)
        }
        for node in tree.css("font,body[text],[bgcolor],[background]"):
            self._own[node.mem_id] = _old(node) | self._own.get(node.mem_id, {})
        sheet = "\n".join(node.text() for node in tree.css(SHEETS))
        rules = css.rules(sheet) if TELLING.search(sheet) else []
        self._rules = [rule for rule in rules if rule.last]
        if tree.css_first("script") is not None or MOMENTARY.search(sheet):
            for rule in self._rules:
                for name in TOGGLED & rule.style.keys():
                    del rule.style[name]
        # Where colours may be said that are not known here, a white page is not taken for granted.
        self._unknown = tree.css_first("link[rel~=stylesheet]") is not None or any(
            "background" in rule.style for rule in rules if not rule.last
        )
        self._outer: dict[int, set[int]] = {}
        self._inner: dict[int, list[int]] = {}

    def run(self, tree: LexborHTMLParser, root: LexborNode) -> list[str]:
        """Walk the tree, if anything in it may be hidden."""
        said = [*self._own.values(), *(rule.style for rule in self._rules)]
        if not self._never and not any(hides(style) or dims(style) for style in said):
            return []
        self._match(tree)
        return _taken_out(list(self._unseen(root)))

    def _match(self, tree: LexborHTMLParser) -> None:
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
            if work > MUCH_WORK:
                return

    def _unseen(self, root: LexborNode) -> Iterator[LexborNode]:
        """The outermost elements, and the texts, that cannot be seen."""
        first = Look() if self._unknown else Look(colour=BLACK, background=WHITE)
        stack: list[tuple[Iterator[LexborNode], Look]] = [(iter([root]), first)]
        while stack:
            nodes, around = stack[-1]
            for node in nodes:
                if node.tag == "-text":
                    if around.unseen():
                        yield node
                    continue
                style = self._style(node, around)
                look = self._look(node, style, around)
                if self._gone(node, style, look):
                    yield node
                elif node.tag not in NOT_ENTERED:
                    stack.append((node.iter(include_text=True), look))
                    break
            else:
                stack.pop()

    def _gone(self, node: LexborNode, style: Style, look: Look) -> bool:
        if node.mem_id in self._never or (node.tag == "a" and not look.visible):
            return True
        return node.tag not in ALWAYS_SHOWN and hides(style)

    def _style(self, node: LexborNode, look: Look) -> dict[str, str]:
        """What the page says of an element, the weightiest last."""
        id = node.mem_id
        style: dict[str, str] = {}
        for number in self._inner.get(id, ()):
            rule = self._rules[number]
            if not rule.first or number in look.within:
                style |= rule.style
        return style | self._own.get(id, {})

    def _look(self, node: LexborNode, style: Style, around: Look) -> Look:
        if outer := self._outer.get(node.mem_id):
            around = around._replace(within=around.within | outer)
        if self._painted(node):
            around = around._replace(colour=None, background=None)
        elif node.tag == "a":
            around = around._replace(colour=None)
        return around.inside(style) if style else around

    def _painted(self, node: LexborNode) -> bool:
        """May the colours of an element be said elsewhere?"""
        if node.tag in OWN_COLOURS:
            return True
        return self._unknown and not {"class", "id"}.isdisjoint(node.attributes)


def _old(node: LexborNode) -> dict[str, str]:
    """What attributes from before there were styles say."""
    attributes = node.attributes
    said = {
        "color": attributes.get("color" if node.tag == "font" else "text"),
        "background-color": attributes.get("bgcolor"),
        "background": attributes.get("background") and "url()",
        "font-size": attributes.get("size") and f"{css.USUAL_SIZE}px",
    }
    return {name: value.lower() for name, value in said.items() if value}


def _taken_out(gone: list[LexborNode]) -> list[str]:
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

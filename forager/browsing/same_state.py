"""Do two snapshots show the same state? When in doubt, no."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Literal, NamedTuple

from forager.browsing.element_match import fold_name
from forager.browsing.page import aria
from forager.browsing.page.aria import ITEM_ROLES, Node
from forager.browsing.volatile import mask_counts, mask_volatile, stable_url
from forager.data.word_lists import all_words, match_any, match_words
from forager.domain.browser import Snapshot
from forager.text.page_words import PAGE_WORDS

TROUBLE_WORDS = re.compile(match_words(PAGE_WORDS.trouble))
"""Words in new text on a page which show that the state has changed."""
COOKIE_WORDS = re.compile(match_words(PAGE_WORDS.cookies))
AGREE_BUTTON = re.compile(rf"ok\b|{match_any(all_words(PAGE_WORDS.agreeing))}")
"""Words of a cookie notice, and of the button that dismisses it."""
PASSING_ROLES = frozenset({"status", "timer", "marquee", "log", "progressbar", "tooltip"})
BLOCKING_ROLES = frozenset({"alert", "alertdialog", "dialog"})
FIELD_ROLES = frozenset(
    {"textbox", "searchbox", "spinbutton", "combobox", "listbox", "slider", "checkbox", "radio"}
    | {"switch", "menuitemcheckbox", "menuitemradio"}
)
LINK_ROLES = frozenset({"link", "tab", "menuitem", "treeitem"})
INTERACTIVE_ROLES = LINK_ROLES | FIELD_ROLES | {"button", "option"}
PROSE_ROLES = aria.NAMELESS_ROLES | {
    "paragraph",
    "strong",
    "emphasis",
    "code",
    "time",
    "mark",
    "cell",
}
COMPARED_STATES = ("checked", "selected", "pressed", "expanded", "disabled")
ITEM_NUMBER = re.compile(r"(?:[#№]|no\.? |nr\.? )? ?(\d+)(?:$|[.):] ?)")
NUMBER_HEADERS = frozenset(
    {"", "#", "№", "n°", "no", "no.", "nr", "nr.", "pos", "pos.", "rank", "row"}
)
MIN_ITEMS = 2
"""The fewest items of a list, and the fewest words of a notice."""
MAX_SORTED_DEPTH = 100
"""Below this level of the tree, items keep their order."""
MAX_NEW_WORDS = 40
MAX_NEW_PLACES = 2
"""How many words may be added to a page, and in how many places, without changing its state."""

StateLineKind = Literal["text", "heading", "field", "item", "bar"]
UnnumberedTexts = Mapping[int, str]


class StateLine(NamedTuple):
    """One thing that a page says, normalised."""

    kind: StateLineKind
    says: str


def state_difference(before: Snapshot, now: Snapshot, *, ordered: bool = False) -> str:
    """Why two snapshots do not show the same state; empty if they do.

    These may differ: the order of items (unless `ordered`), their numbering, clocks, visit
    counters, a new notice, and session ids in the URL. These may not: headings, values of fields,
    and the content of lists.
    """
    if (url_before := stable_url(before.url)) != (url_now := stable_url(now.url)):
        return f"The address is {url_now}, not {url_before}."
    if mask_counts(mask_volatile(fold_name(before.title))) != mask_counts(
        mask_volatile(fold_name(now.title))
    ):
        return f"The title is {now.title!r}, not {before.title!r}."
    root_before, root_now = aria.parse_aria(before.tree), aria.parse_aria(now.tree)
    why = _line_difference(
        _PageReader({}, ordered).read_node(root_before),
        _PageReader({}, ordered).read_node(root_now),
    )
    if (
        why
        and (numbers := _unnumbered_texts(root_before))
        and (others := _unnumbered_texts(root_now))
    ):
        return _line_difference(
            _PageReader(numbers, ordered).read_node(root_before),
            _PageReader(others, ordered).read_node(root_now),
        )
    return why


def differ_in_order_only(before: Snapshot, now: Snapshot) -> bool:
    """Do the snapshots differ, and only in the order of items?"""
    return not state_difference(before, now) and bool(state_difference(before, now, ordered=True))


def _line_difference(before: Sequence[StateLine], now: Sequence[StateLine]) -> str:
    """Why the lines differ by more than a notice; empty if they do not."""
    missing, new = Counter(before) - Counter(now), Counter(now) - Counter(before)
    for line in missing:
        return f"The {line.kind} {line.says[:80]!r} is missing."
    for line in new:
        if line.kind != "text":
            return f"The {line.kind} {line.says[:80]!r} was not there before."
        if TROUBLE_WORDS.search(line.says):
            return f"The page says {line.says[:80]!r} now."
    return _addition_fault(before, now)


def _addition_fault(before: Sequence[StateLine], now: Sequence[StateLine]) -> str:
    """Why the added lines are not a notice; empty if they are."""
    places = _added_places(before, now)
    if places is None:
        return "The page is in another order."
    if len(places) > MAX_NEW_PLACES or sum(places) > MAX_NEW_WORDS or len(now) > 2 * len(before):
        return "Too much was added to the page."
    fewest = min(places, default=MIN_ITEMS)
    return "What was added is not a notice." if fewest < MIN_ITEMS else ""


def _added_places(before: Sequence[StateLine], now: Sequence[StateLine]) -> list[int] | None:
    """The number of added words at each place; None if the other lines are in another order."""
    places: list[int] = []
    index, inside = 0, False
    for line in now:
        if index < len(before) and line == before[index]:
            index, inside = index + 1, False
            continue
        if not inside:
            places.append(0)
        places[-1], inside = places[-1] + len(line.says.split()), True
    return places if index == len(before) else None


class _PageReader:
    """Reads what a page says; `numbers` maps nodes to texts without their item's number."""

    def __init__(self, numbers: UnnumberedTexts, ordered: bool) -> None:
        self._numbers = numbers
        self._ordered = ordered

    def read_node(self, node: Node, depth: int = 0) -> list[StateLine]:
        """What a node and its descendants say, with sibling items sorted."""
        if node.role in PASSING_ROLES:
            text = fold_name(node.text_content())
            return [StateLine("bar", text)] if TROUBLE_WORDS.search(text) else []
        if _is_cookie_notice(node):
            return []
        lines = list(self._own_lines(node))
        if node.role in FIELD_ROLES:
            return lines
        if depth > MAX_SORTED_DEPTH:
            return lines + [line for each in node.walk() for line in self._own_lines(each)]
        for kind, run in groupby(node.children, _sibling_kind):
            lines += self._read_siblings(list(run), depth, alike=kind is not None)
        return lines

    def _read_siblings(self, nodes: Sequence[Node], depth: int, *, alike: bool) -> list[StateLine]:
        """Read siblings; similar ones are items, except a single container."""
        if not alike or (len(nodes) == 1 and nodes[0].role == "generic"):
            return [line for node in nodes for line in self.read_node(node, depth + 1)]
        items = [self._read_item(node, depth + 1) for node in nodes]
        return items if self._ordered else sorted(items)

    def _read_item(self, node: Node, depth: int) -> StateLine:
        """All that an item says, in order, as one line."""
        lines = self.read_node(node, depth)
        if node.role in INTERACTIVE_ROLES and len(lines) == 1:
            return lines[0]
        return StateLine("item", " | ".join(line.says for line in lines))

    def _own_lines(self, node: Node) -> Iterator[StateLine]:
        """What a node itself says, without its descendants."""
        states = " ".join(
            f"[{name}={node.states[name]}]" for name in COMPARED_STATES if name in node.states
        )
        if node.role in FIELD_ROLES:
            options = sorted(fold_name(each.name) for each in node.walk() if each.role == "option")
            says = (
                node.role,
                fold_name(aria.node_label(node)),
                repr(aria.node_value(node)),
                states,
                *options,
            )
            yield StateLine("field", " ".join(filter(None, says)))
            return
        kind: StateLineKind = "heading" if node.role == "heading" else "text"
        kind = "bar" if node.role in BLOCKING_ROLES else kind
        name = (
            "" if node.role in ITEM_ROLES and node.children else self._folded_text(node, node.name)
        )
        called = mask_counts(name) if node.role in LINK_ROLES else name
        if called or states or kind == "bar" or node.role == "img":
            role = "" if node.role in PROSE_ROLES else node.role
            yield StateLine(kind, " ".join(filter(None, (role, called, states))))
        if text := self._folded_text(node, node.text):
            yield StateLine("heading" if node.role == "heading" else "text", text)

    def _folded_text(self, node: Node, text: str) -> str:
        return mask_volatile(fold_name(self._numbers.get(id(node), text))) if text else ""


def _sibling_kind(node: Node) -> tuple[str, ...] | None:
    """A key shared by siblings that may change places; None for a node with a fixed place."""
    if node.role in ITEM_ROLES:
        return (node.role,)
    if node.role in INTERACTIVE_ROLES:
        return (node.role,) if aria.node_label(node) else None
    inside = sorted(each.role for each in node.walk() if each is not node)
    return (node.role, *inside) if node.role == "generic" and len(inside) > 1 else None


def _is_cookie_notice(node: Node) -> bool:
    """Is this the innermost node of a cookie notice with a button to agree, and nothing else?"""
    roles = {each.role for each in node.walk()}
    if "button" not in roles or roles & (
        FIELD_ROLES | ITEM_ROLES | {"main", "heading", "fragment"}
    ):
        return False
    agrees = any(
        each.role == "button" and AGREE_BUTTON.match(fold_name(each.name)) for each in node.walk()
    )
    text = fold_name(node.text_content())
    short = len(text.split()) <= MAX_NEW_WORDS
    return (
        agrees
        and short
        and bool(COOKIE_WORDS.search(text))
        and not any(map(_is_cookie_notice, node.children))
    )


def _unnumbered_texts(root: Node) -> dict[int, str]:
    """The texts that begin with an item's number, without that number, by node id."""
    found: dict[int, str] = {}
    for parent in root.walk():
        for role, items in groupby(parent.children, lambda each: each.role):
            if role in ITEM_ROLES:
                found |= _strip_item_numbers(
                    [each for each in items if not _has_column_headers(each)]
                )
    return found


def _strip_item_numbers(items: Sequence[Node]) -> dict[int, str]:
    """The same for the items of one list; empty unless they are numbered consecutively."""
    firsts = [next((e for e in item.walk() if _begins_item(e, item)), item) for item in items]
    texts = [fold_name(first.name or first.text) for first in firsts]
    matches = [ITEM_NUMBER.match(text) for text in texts]
    found_numbers = [int(each[1]) for each in matches if each]
    if (
        len(found_numbers) < len(items)
        or len(found_numbers) < MIN_ITEMS
        or not _count_up(found_numbers, _first_column_header(items[0]))
    ):
        return {}
    return {
        id(first): text[each.end() :]
        for first, text, each in zip(firsts, texts, matches, strict=True)
        if each
    }


def _begins_item(node: Node, item: Node) -> bool:
    return bool(node.name or node.text) and (node is not item or not node.children)


def _has_column_headers(row: Node) -> bool:
    return any(cell.role == "columnheader" for cell in row.children)


def _count_up(numbers: Sequence[int], head: str | None) -> bool:
    """Are these row numbers: consecutive, or ascending below a header that says so?"""
    if head is None:
        return numbers == list(range(1, len(numbers) + 1))
    return head in NUMBER_HEADERS and all(left < right for left, right in pairwise(numbers))


def _first_column_header(item: Node) -> str | None:
    """The header of the first column, if there is one."""
    table = next((each for each in item.ancestors() if each.role in {"table", "grid"}), None)
    heads = [each for each in table.walk() if each.role == "columnheader"] if table else []
    return fold_name(heads[0].name) if heads else None

"""What could be done on a page: fill its forms, search it, follow links, open what is folded."""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple
from urllib.parse import urldefrag, urlsplit

from forager.browsing.page import control_words
from forager.browsing.page.aria import Node, is_fillable, node_label, node_value, to_element
from forager.browsing.safety import address_verbs
from forager.domain.actions import Action, Element
from forager.domain.urls import link_target, page_identity, same_site
from forager.offline import form_filling, search_box
from forager.questions.subquestions import weighted_share
from forager.text.tokens import tokenize

AROUND_WEIGHT = 0.6
"""What a word counts that stands around a link, not in it."""
RESULT_BONUS = 0.3
"""What the first result of a search is worth more than its words say; the n-th has 1/n of that."""
SEARCH_SCORE = 0.5
REPEAT_COST = 0.06
"""What each search takes off the score of the next one."""
FORM_SCORE = 0.9
BEGUN_FORM_SCORE = 0.95
"""A form that was begun is completed first."""
DISMISS_SCORE = 0.9
PAGER_SCORE = 0.15
DISCLOSE_SCORE = 0.7
MAX_FILLS = 2
"""How often a field is filled with the same value; a field that does not keep it is given up."""
LONG_LIST = 8
ITEM_WORDS = 80
LANDMARKS = frozenset({"navigation", "banner", "contentinfo", "complementary", "menubar", "search"})
ITEM_ROLES = frozenset(
    {"listitem", "article", "row", "treeitem", "paragraph", "definition", "term"}
)
DATA_FILE = re.compile(
    r"\.(?:json|csv|tsv|xml|rss|atom|zip|gz|tar|png|jpe?g|gif|svg|mp[34])$", re.I
)
SORT_ROLES = frozenset({"columnheader"})
"""Where links only sort a table."""


class Guess(NamedTuple):
    """An action and its score, 0 to 1."""

    action: Action
    score: float


def guess_actions(  # noqa: PLR0913
    root: Node,
    texts: Sequence[str],
    terms: Mapping[str, float],
    *,
    url: str = "",
    done: Sequence[Action] = (),
    seen: AbstractSet[str] = frozenset(),
) -> tuple[Guess, ...]:
    """Guesses for what is open (`texts`, with the weights of their `terms`), the best first.

    `url` is the page's address, `done` are the actions of the round in order, `seen` the identities
    of addresses that were opened.
    """
    page = _Page(root, tuple(texts), dict(terms), url, tuple(done), seen)
    found = [
        *page.dismiss_overlays(),
        *page.fill_forms(),
        *page.use_search_box(),
        *page.follow_links(),
        *page.disclose_content(),
    ]
    found += page.turn_pages()
    best: dict[tuple[str, str, str], Guess] = {}
    for guess in found:
        key = (guess.action.kind, guess.action.target, guess.action.value)
        if guess.score > 0 and (key not in best or best[key].score < guess.score):
            best[key] = guess
    return tuple(sorted(best.values(), key=lambda guess: -guess.score))


class _Page(NamedTuple):
    root: Node
    texts: tuple[str, ...]
    terms: dict[str, float]
    url: str
    done: tuple[Action, ...]
    seen: AbstractSet[str]

    def dismiss_overlays(self) -> Iterator[Guess]:
        """Buttons that close a dialog, or lead past a page with hardly any content."""
        for node in self.root.walk():
            if node.role in {"dialog", "alertdialog"} and node.ref:
                yield from self._dismiss_within(node)
        asks = any(map(is_fillable, self.root.walk()))
        if (
            not asks
            and len(self.root.text_content().split()) <= control_words.MAX_INTERSTITIAL_WORDS
        ):
            yield from self._dismiss_within(self.root)

    def fill_forms(self) -> Iterator[Guess]:
        """For each way to fill a form, its next field or the button that sends it."""
        for place, way in enumerate(form_filling.find_fillings(self.root, self.texts, self.terms)):
            score = max(0.05, FORM_SCORE * way.fit - REPEAT_COST * place)
            if self._was_sent(way):
                continue
            begun = any(self._just_filled(fill) for fill in way.fills)
            action = self._next_field(way)
            if action and (action.kind == "click" or self._times_done(action) < MAX_FILLS):
                yield Guess(action, BEGUN_FORM_SCORE - 0.01 * place if begun else score)

    def use_search_box(self) -> Iterator[Guess]:
        """The search box, with the first query that was not typed yet."""
        field = search_box.find_search_box(self.root)
        if field is None:
            return
        typed = {action.value for action in self.done if action.kind == "type"}
        fresh = [one for one in search_box.search_tries(self.texts, self.terms) if one not in typed]
        made = sum(action.kind == "type" for action in self.done)
        for place, words in enumerate(fresh[:1]):
            reason = f"search for {words}"
            action = _act_on(field, "type", value=words, submit=True, reason=reason)
            yield Guess(action, max(0.1, SEARCH_SCORE - REPEAT_COST * (made + place)))

    def follow_links(self) -> Iterator[Guess]:
        """Links by their words and those around them; after a search, results are worth more."""
        searched = (
            bool(self.done) and self.done[-1].kind in {"type", "click"} and self._just_searched()
        )
        rank = 0
        offered: set[str] = set()
        for node in self.root.walk():
            target = self._link_target(node)
            if not target or target in offered:
                continue
            offered.add(target)
            score = self._open_share(node)
            if searched and score and not _stands_within(node, LANDMARKS):
                rank += 1
                score += RESULT_BONUS / rank
            yield Guess(_act_on(node, "click", reason=f"relevance {score:.2f}"), min(1.0, score))

    def disclose_content(self) -> Iterator[Guess]:
        """Tabs and buttons that show more, by their words."""
        for node in self.root.walk():
            if node.role not in {"tab", "button", "menuitem"} or not self._not_clicked(node):
                continue
            if "selected" in node.states or "expanded" in node.states:
                continue
            named = self._open_share(node)
            opens = node.role == "tab" or control_words.contains_phrase(
                node.name, control_words.EXPAND
            )
            if named or opens:
                yield Guess(
                    _act_on(node, "click", reason=f"open {node.name}"),
                    max(DISCLOSE_SCORE * named, PAGER_SCORE if opens else 0.0),
                )

    def turn_pages(self) -> Iterator[Guess]:
        """The control for the next page of a long list, or for more of it."""
        if (
            sum(node.role in {"row", "listitem", "article"} for node in self.root.walk())
            < LONG_LIST
        ):
            return
        for node in self.root.walk():
            onward = (
                control_words.is_phrase(node.name, control_words.NEXT)
                or node.name in control_words.NEXT_SIGNS
            )
            if node.role in {"link", "button"} and node.ref and onward and self._may_turn(node):
                yield Guess(_act_on(node, "click", reason="more of the list"), PAGER_SCORE)

    def _dismiss_within(self, scope: Node) -> Iterator[Guess]:
        for known, score in (
            (control_words.REFUSE_CONSENT, DISMISS_SCORE),
            (control_words.CONTINUE, DISMISS_SCORE - 0.05),
        ):
            for node in scope.walk():
                passes = node.role in {"button", "link"} and control_words.is_phrase(
                    node.name, known
                )
                if passes and self._not_clicked(node):
                    yield Guess(_act_on(node, "click", reason="what stands between"), score)

    def _next_field(self, way: form_filling.Filling) -> Action | None:
        """The next field to fill, or the button if all are filled; None if there is no button."""
        left = [fill for fill in way.fills if node_value(fill.field) != fill.value]
        if left:
            fill = left[0]
            kind = "select" if fill.chosen else "type"
            last = len(left) == 1 and not fill.chosen
            return _act_on(
                fill.field, kind, value=fill.value, submit=last, reason=f"filter by {fill.value}"
            )
        return _act_on(way.button, "click", reason="send the form") if way.button else None

    def _was_sent(self, way: form_filling.Filling) -> bool:
        """Was the form sent with these values in this round?"""
        filled = {(act.kind, act.value): place for place, act in enumerate(self.done)}
        places = []
        for fill in way.fills:
            place = filled.get(("select" if fill.chosen else "type", fill.value))
            if place is None and node_value(fill.field) != fill.value:
                return False
            places.append(-1 if place is None else place)
        after = self.done[max(places, default=-1) :] if max(places, default=-1) >= 0 else ()
        return any(act.submit or act.kind == "click" for act in after)

    def _times_done(self, action: Action) -> int:
        """How often this field was filled with this value."""
        same = (action.kind, action.value, action.element and action.element.name)
        return sum(
            (act.kind, act.value, act.element and act.element.name) == same for act in self.done
        )

    def _just_filled(self, fill: form_filling.FieldValue) -> bool:
        """Was this value filled in by the last action, without sending the form?"""
        last = self.done[-1] if self.done else None
        filled = last is not None and last.kind in {"select", "type"} and not last.submit
        return filled and last is not None and last.value == fill.value

    def _just_searched(self) -> bool:
        return any(act.kind == "type" and act.submit for act in self.done[-2:])

    def _link_target(self, node: Node) -> str:
        """The address of a link to an unopened page of the site; empty for any other."""
        if node.role != "link" or not node.ref or not node.url or _stands_within(node, SORT_ROLES):
            return ""
        there = urldefrag(link_target(self.url, node.url)).url
        if not there or DATA_FILE.search(urlsplit(there).path):
            return ""
        if self.url and (not same_site(self.url, there) or _same_page(self.url, there)):
            return ""
        if address_verbs.is_command_address(there):
            return ""
        known = page_identity(there) in self.seen
        return "" if known or not self._not_clicked(node) else there

    def _not_clicked(self, node: Node) -> bool:
        """Has it not been clicked in this round?"""
        return bool(node.ref) and not any(
            act.kind == "click" and act.element and _same_element(act.element, node)
            for act in self.done
        )

    def _may_turn(self, node: Node) -> bool:
        """Is it a button, or a link to an unopened page that is not disabled?"""
        return (
            "disabled" not in node.states and self._link_target(node) != ""
        ) or node.role == "button"

    def _open_share(self, node: Node) -> float:
        """The weighted share of the open terms in a node's words, or for less in its item's."""
        file = node.url.partition("?")[0].rpartition("/")[2]
        named = set(tokenize(f"{node_label(node)} {file}"))
        around = set(tokenize(_item_words(node)))
        return weighted_share(self.terms, named, around, AROUND_WEIGHT)


def _act_on(
    node: Node, kind: str, *, value: str = "", submit: bool = False, reason: str = ""
) -> Action:
    made = {"kind": kind, "target": node.ref, "value": value, "submit": submit, "reason": reason}
    return Action.model_validate({**made, "element": to_element(node)})


def _item_words(node: Node) -> str:
    """The first words of the list item, row or paragraph that a node stands in."""
    item = next((above for above in node.ancestors() if above.role in ITEM_ROLES), None)
    return " ".join(item.text_content().split()[:ITEM_WORDS]) if item else ""


def _stands_within(node: Node, roles: frozenset[str]) -> bool:
    return any(above.role in roles for above in node.ancestors())


def _same_page(one: str, other: str) -> bool:
    return page_identity(urldefrag(one).url) == page_identity(other)


def _same_element(element: Element, node: Node) -> bool:
    return element.role == node.role and element.name == node_label(node)

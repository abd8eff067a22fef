"""Finds an element again on a page that has changed: by role and words, not by position."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import log
from typing import NamedTuple

from forager.browsing.page import aria
from forager.browsing.page.aria import Node
from forager.domain.actions import Element

MIN_SCORE = 0.6
"""The least score at which an element counts as the one described."""
MIN_MARGIN = 0.1
"""The least lead over the second best."""
MIN_SIMILARITY = 0.5
"""The least similarity of the surroundings of elements that have look-alikes."""
CHANGED_COUNT_GRADE = 0.9
CHANGED_FIGURES_GRADE = 0.85
"""Grade of a name in which only a count in brackets, or only figures, have changed."""
SAME_VALUE_BONUS = 0.1
"""Bonus for the same value or URL."""
FIGURE_WEIGHT = 0.1
"""Weight of figures relative to other words, since figures often change."""
GROWTH_ALLOWANCE = 40
"""By how many words an element's surroundings may have grown."""
BRACKETED_NUMBERS = re.compile(r"\s*[(\[]\s*[\d.,+\s]+\s*[)\]]")
NUMBERS = re.compile(r"\d+(?:[.,:]\d+)*")
WORD = re.compile(r"\w+|[^\w\s]+")
LABEL_MARKS = re.compile(r"^[\s*:]+|[\s*:…]+$")

MIN_DISTINCT_WORDS = 3
"""How many equal words around copies of an element make the copies interchangeable."""
FLANK_WORDS = 8
"""How many words on each side of an element are considered."""
LETTER = re.compile(r"[^\W\d_]")

WordCounts = Counter[str]
WordWeight = Callable[[str], float]


class Match(NamedTuple):
    """The element found, or None and the reason."""

    node: Node | None
    why: str = ""


@dataclass(frozen=True)
class SoughtElement:
    """An element as it was described, with what is known from the page where it was seen.

    `around` are the words that set it apart from elements with the same name, `peers` the words
    around those. `figures` is True if the numbers in its name are not distinctive. It was number
    `place` of `copies` elements with equal surroundings.
    """

    element: Element
    url: str = ""
    around: WordCounts = field(default_factory=Counter)
    peers: tuple[WordCounts, ...] = ()
    figures: bool | None = None
    place: int = 0
    copies: int = 1


def match_element(element: Element, root: Node, seen: Node | None = None) -> Match:
    """Find the one element of a page that fits a description; rather none than a wrong one.

    `seen` is its node on the page where it was described. With it, surroundings set the element
    apart from others with the same name, and numbers in its name may change if they are not
    distinctive. If nothing sets it apart, it is found by its place on an unchanged page.
    """
    found = _match_by_content(element, root, seen)
    if found.node is None and seen is not None and (unmoved := _same_place_node(seen, root)):
        return Match(unmoved)
    return found


def _match_by_content(element: Element, root: Node, seen: Node | None) -> Match:
    sought = _sought_element(element, seen)
    same_role = [node for node in root.walk() if node.ref and node.role == element.role]
    graded = [(node, _name_grade(sought, node)) for node in same_role]
    candidates = [(node, grade) for node, grade in graded if grade]
    description = _describe_sought(element)
    if not candidates:
        return Match(None, f"There is no {description}.")
    near = Surroundings([node for node, _ in candidates])
    weigh = _word_weights((*sought.peers, *(near.words_around(node) for node, _ in candidates)))
    scored = [(grade * _place_grade(sought, node, near, weigh), node) for node, grade in candidates]
    ranked = sorted(scored, key=lambda each: -each[0])
    best, node = ranked[0]
    if best < MIN_SCORE:
        return Match(None, f"The surroundings of the {description} have changed.")
    close_nodes = [each for score, each in scored if score > best - MIN_MARGIN]
    if all(_are_interchangeable(node, each) for each in close_nodes):
        return Match(node)
    if 1 < len(close_nodes) == sought.copies and all(
        near.words_around(each) == sought.around for each in close_nodes
    ):
        return Match(close_nodes[sought.place])
    return Match(None, f"{len(close_nodes)} elements could be the {description}.")


def _same_place_node(seen: Node, root: Node) -> Node | None:
    """The node in the same place of the page, if only values of fields have changed."""
    before, now = list([seen, *seen.ancestors()][-1].walk()), list(root.walk())
    if len(before) != len(now) or any(map(_nodes_differ, before, now)):
        return None
    return next(other for one, other in zip(before, now, strict=True) if one is seen)


def _nodes_differ(one: Node, other: Node) -> bool:
    if (one.role, one.name, one.url) != (other.role, other.name, other.url):
        return True
    return one.text != other.text and not aria.is_fillable(one)


def fold_name(text: str) -> str:
    """Normalise a name: case, spaces, Unicode variants, and the marks around a label."""
    return LABEL_MARKS.sub("", " ".join(unicodedata.normalize("NFKC", text).casefold().split()))


def without_counts(text: str) -> str:
    """Remove numbers in brackets."""
    return BRACKETED_NUMBERS.sub("", text)


def without_figures(text: str) -> str:
    """Replace each number by `#`."""
    return NUMBERS.sub("#", without_counts(text))


def count_words(text: str) -> WordCounts:
    """Count the words of a text."""
    return Counter(WORD.findall(fold_name(text)))


def word_similarity(one: WordCounts, other: WordCounts, weigh: WordWeight) -> float:
    """The weighted share of words that two texts have in common (weighted Jaccard), 0 to 1."""
    whole = sum(count * weigh(word) for word, count in (one | other).items())
    common = sum(count * weigh(word) for word, count in (one & other).items())
    return common / whole if whole else 1.0


class Surroundings:
    """The surroundings of elements with the same name."""

    def __init__(self, alike: Sequence[Node]) -> None:
        self._alike = {id(node) for node in alike}
        above = Counter(id(enclosing) for node in alike for enclosing in node.ancestors())
        self._shared = {each for each, count in above.items() if count > 1}
        self._alone = len(alike) == 1

    def words_around(self, node: Node) -> WordCounts:
        """The words of the widest node that encloses it alone, or else the words beside it."""
        *_, widest = [*self.enclosing_nodes(node)] or [node]
        return _words_within(widest, node) or self.flanking_words(node)

    def enclosing_nodes(self, node: Node) -> Iterator[Node]:
        """The nodes that enclose it and none of its look-alikes, the nearest first."""
        for enclosing in node.ancestors():
            if id(enclosing) in self._shared:
                return
            yield enclosing

    def flanking_words(self, node: Node) -> WordCounts:
        """The words beside it, up to the next look-alike, each marked with its side."""
        siblings = node.parent.children if node.parent else [node]
        place = next(index for index, each in enumerate(siblings) if each is node)
        before, after = reversed(siblings[:place]), siblings[place + 1 :]
        marked = (("<", self._words_until_next(before)), (">", self._words_until_next(after)))
        return Counter({mark + word: n for mark, side in marked for word, n in side.items()})

    def best_similarity(self, sought: WordCounts, node: Node, weigh: WordWeight) -> float:
        """The best similarity of its surroundings to the words sought; 1 if none are sought."""
        if not sought:
            return 1.0
        best = word_similarity(sought, self.flanking_words(node), weigh)
        for enclosing in self.enclosing_nodes(node):
            around = _words_within(enclosing, node)
            best = max(best, word_similarity(sought, around, weigh))
            if around.total() > 2 * sought.total() + GROWTH_ALLOWANCE:
                break
        return best

    def _words_until_next(self, siblings: Iterable[Node]) -> WordCounts:
        found: WordCounts = Counter()
        for each in siblings:
            if id(each) in self._alike or id(each) in self._shared or found.total() > FLANK_WORDS:
                break
            found += count_words(each.text_content())
        return found


def _sought_element(element: Element, seen: Node | None) -> SoughtElement:
    if seen is None:
        return SoughtElement(element, around=_item_words(element))
    root = [seen, *seen.ancestors()][-1]
    peers = [node for node in root.walk() if node.ref and node.role == seen.role]
    name = fold_name(element.name)
    twins = [node for node in peers if node is seen or fold_name(aria.node_label(node)) == name]
    plain = without_figures(name)
    figures = sum(without_figures(fold_name(aria.node_label(node))) == plain for node in peers) == 1
    if len(twins) == 1:
        item = next((each for each in seen.ancestors() if each.role in aria.ITEM_ROLES), None)
        return SoughtElement(
            element, seen.url, _words_within(item, seen) if item else WordCounts(), (), figures
        )
    near = Surroundings(twins)
    around = tuple(near.words_around(node) for node in twins)
    own = near.words_around(seen)
    copies = [node for node, words in zip(twins, around, strict=True) if words == own]
    place, count = copies.index(seen), len(copies) if own.total() >= MIN_DISTINCT_WORDS else 1
    return SoughtElement(element, seen.url, own, around, figures, place, count)


def _name_grade(sought: SoughtElement, node: Node) -> float:
    """How well the names agree; 0 if they do not."""
    name, other_name = fold_name(sought.element.name), fold_name(aria.node_label(node))
    if name == other_name:
        return 1.0
    if sought.figures is False or not LETTER.search(name):
        return 0.0
    if without_counts(name) == without_counts(other_name):
        return CHANGED_COUNT_GRADE
    return (
        CHANGED_FIGURES_GRADE
        if sought.figures and without_figures(name) == without_figures(other_name)
        else 0.0
    )


def _place_grade(sought: SoughtElement, node: Node, near: Surroundings, weigh: WordWeight) -> float:
    """How well the ancestors, the surroundings, and the value or URL agree."""
    element = sought.element
    alike = near.best_similarity(sought.around, node, weigh)
    if sought.figures is None:
        alike = max(
            alike, word_similarity(sought.around, _item_words(aria.to_element(node)), weigh)
        )
    if alike < MIN_SIMILARITY:
        return 0.0
    same_url = bool(sought.url) and sought.url == node.url
    same_value = bool(element.value) and element.value == aria.node_value(node)
    own = [_plain_ancestor(each) for each in element.ancestors if not _is_item(each)]
    present = {_plain_ancestor(each) for each in aria.to_element(node).ancestors}
    kept = sum(each in present for each in own) / len(own) if own and not same_url else 1.0
    return alike * (1 + kept) / 2 + (SAME_VALUE_BONUS if same_url or same_value else 0.0)


def _are_interchangeable(one: Node, other: Node) -> bool:
    """Are they the same node, is one inside the other, or do they link to the same page?"""
    if one is other:
        return True
    nested = any(one is each for each in other.ancestors()) or any(
        other is each for each in one.ancestors()
    )
    return nested or (bool(one.url) and one.url == other.url)


def _item_words(element: Element) -> WordCounts:
    """The words of the innermost row or item that contains it, without its own."""
    item = next((each for each in reversed(element.ancestors) if _is_item(each)), "")
    return count_words(item.partition(" ")[2]) - count_words(element.name)


def _words_within(enclosing: Node, node: Node) -> WordCounts:
    return count_words(enclosing.text_content()) - count_words(node.text_content())


def _word_weights(texts: Sequence[WordCounts]) -> WordWeight:
    """A function that weighs words: rare ones most, figures little."""
    found = Counter(word for text in texts for word in text)

    def weigh(word: str) -> float:
        rare = log((len(texts) + 1) / (found[word] + 0.5))
        return max(rare, 0.05) * (FIGURE_WEIGHT if NUMBERS.fullmatch(word.lstrip("<>")) else 1.0)

    return weigh


def _is_item(ancestor: str) -> bool:
    return ancestor.partition(" ")[0] in aria.ITEM_ROLES


def _plain_ancestor(ancestor: str) -> str:
    return without_figures(fold_name(ancestor))


def _describe_sought(element: Element) -> str:
    inside = f" in {element.ancestors[-1]!r}" if element.ancestors else ""
    return f"{element.role} {element.name!r}{inside}"

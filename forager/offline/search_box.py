"""The search box of a page, and what to type into it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from forager.browsing.page import control_words
from forager.browsing.page.aria import Node, is_fillable
from forager.questions import search_queries
from forager.text.tokens import tokenize

QUERY_LENGTHS = (3, 2, 1)
"""Words of a query, try by try: most searches only find pages that have all of them."""
SEARCH_BUTTON_LEVELS = 3
"""Levels from a field up to the element that also holds its button."""


def find_search_box(root: Node) -> Node | None:
    """The most likely search box of a page; None if it has none."""
    rated = [(_search_box_score(node), -place, node) for place, node in enumerate(root.walk())]
    best = max(rated, key=lambda each: each[:2], default=None)
    return best[2] if best and best[0] > 0 else None


def search_tries(texts: Sequence[str], terms: Mapping[str, float]) -> tuple[str, ...]:
    """Queries in the order to try them: the weightiest words of each text, fewer each time."""
    own = [list(_tries_for(text, terms)) for text in texts]
    depth = max(map(len, own), default=0)
    turns = (each[turn] for turn in range(depth) for each in own if turn < len(each))
    return tuple(dict.fromkeys(turns))


def rank_words(text: str, terms: Mapping[str, float]) -> list[str]:
    """The content words of a text: by weight, then names and codes first, then by length.

    Longer words tend to be rarer (Zipf 1935), which helps if nothing else is known of them.
    """
    words = search_queries.distinctive_words(text)
    names = set(" ".join(search_queries.find_names(text)).split())

    def worth(word: str) -> tuple[float, bool, int]:
        known = max((terms.get(term, 0.0) for term in tokenize(word)), default=0.0)
        return known, word in names or _oddly_written(word), len(word)

    return sorted(words, key=worth, reverse=True)


def _tries_for(text: str, terms: Mapping[str, float]) -> Iterator[str]:
    ranked = rank_words(text, terms)
    written = search_queries.distinctive_words(text)
    for count in QUERY_LENGTHS:
        chosen = set(ranked[:count])
        if chosen:
            yield " ".join(word for word in written if word in chosen)
    yield from ranked[1:2]


def _oddly_written(word: str) -> bool:
    """Does the word have a digit, a sign, or a capital letter inside, as no common word has?"""
    return not word.isalpha() or not word[1:].islower()


def _search_box_score(node: Node) -> float:
    """How likely a node is the site's search box; 0 if it cannot be."""
    if not (node.role == "searchbox" or _is_text_field(node)) or not node.ref:
        return 0.0
    if "disabled" in node.states or "readonly" in node.states:
        return 0.0
    said = f"{node.name} {node.placeholder}"
    if control_words.contains_phrase(said, control_words.NOT_SEARCH):
        return 0.0
    landmark = any(above.role == "search" for above in node.ancestors())
    signs = (
        (node.role == "searchbox", 3.0),
        (control_words.contains_phrase(said, control_words.SEARCH), 2.0),
        (landmark, 2.0),
        (_beside_a_button(node), 1.0),
    )
    likely = sum(weight for sign, weight in signs if sign)
    return likely + (0.5 if likely and _in_main(node) else 0.0)


def _is_text_field(node: Node) -> bool:
    if node.role == "combobox":
        return not any(child.role == "option" for child in node.walk())
    return node.role == "textbox"


def _beside_a_button(node: Node) -> bool:
    """Is it the only field near a search button?"""
    for _, above in zip(range(SEARCH_BUTTON_LEVELS), node.ancestors(), strict=False):
        held = list(above.walk())
        if sum(map(is_fillable, held)) > 1:
            return False
        if _has_search_button(held):
            return True
    return False


def _has_search_button(nodes: Iterable[Node]) -> bool:
    return any(
        each.role == "button" and control_words.contains_phrase(each.name, control_words.SEARCH)
        for each in nodes
    )


def _in_main(node: Node) -> bool:
    return any(above.role == "main" for above in node.ancestors())

"""Simplifies a page for an action: keeps the relevant elements and their named ancestors.

Self-MAP (arXiv 2402.15057) keeps a ranker's 50 best elements and their surroundings. Here the ranks
by words and by meaning are combined by reciprocal rank fusion (Cormack et al., SIGIR 2009); another
ranker, such as a cross-encoder, can take its place. Ties keep the page's order, so that the result
is deterministic.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
from rank_bm25 import BM25Okapi

from forager.browsing.page.aria import NAMELESS_ROLES, Node, node_label, node_value
from forager.browsing.page.controls import is_actionable
from forager.domain.documents import Document
from forager.ports import Embedder
from forager.prompts.sections import clip_line
from forager.text.tokens import tokenize

MOST_ELEMENTS = 50
COMPARED = 100
"""How many elements, ranked by words, are also compared by meaning."""
FUSION_CONSTANT = 60
"""The constant of reciprocal rank fusion."""
LONGEST_NAME = 60
"""The most characters of a name."""
RANKED_ANCESTORS = 2
"""How many named ancestors are ranked together with an element."""


class Ranker(Protocol):
    """Scores how relevant texts are to a query."""

    def score_texts(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """One number per text; the greater, the better."""


class FusedRanker:
    """Fuses the ranks of BM25 and, if there is an embedder, of cosine similarity."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def score_texts(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """Sums of reciprocal ranks; texts not compared by meaning have only the one of BM25."""
        words = bm25_scores(query, texts)
        order = np.argsort(-words, kind="stable")
        fused = np.zeros(len(texts))
        fused[order] = 1 / (FUSION_CONSTANT + 1 + np.arange(len(texts)))
        if self._embedder.available and texts:
            compared = order[:COMPARED]
            embedded = self._embedder.embed([query, *(texts[place] for place in compared)])
            near = compared[np.argsort(-(embedded[1:] @ embedded[0]), kind="stable")]
            fused[near] += 1 / (FUSION_CONSTANT + 1 + np.arange(len(near)))
        return [float(each) for each in fused]


def bm25_scores(query: str, texts: Sequence[str]) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """BM25 of each text, shape (len(texts),)."""
    terms = [tokenize(text) for text in texts]
    if not any(terms):
        return np.zeros(len(texts))
    return np.asarray(BM25Okapi(terms).get_scores(tokenize(query)), np.float64)


def simplify_page(
    root: Node, query: str, ranker: Ranker, acted: Node | None = None, most: int = MOST_ELEMENTS
) -> str:
    """Outline the `most` most relevant elements, always including `acted`, and their ancestors.

    One element per line, indented below its named ancestors, in the page's order.
    """
    elements = [node for node in root.walk() if is_actionable(node) and node is not acted]
    left = max(0, most - (acted is not None))
    if len(elements) > left:
        scores = ranker.score_texts(query, [_ranking_text(node) for node in elements])
        best = sorted(range(len(elements)), key=lambda place: (-scores[place], place))
        elements = [elements[place] for place in best[:left]]
    kept = {*elements, *([acted] if acted else [])}
    above = {each for node in kept for each in node.ancestors() if _is_named(each)}
    return "\n".join(_outline_lines(root, kept | above, kept))


def tree_of_links(document: Document) -> Node:
    """The links of a page that was read without a browser, as a tree; a link's id is its ref."""
    root = Node("document", document.title)
    for link in document.links:
        node = Node("link", link.text, ref=str(link.id), url=link.url, parent=root)
        root.children.append(node)
    return root


def _outline_lines(root: Node, shown: set[Node], elements: set[Node]) -> Iterator[str]:
    waiting = [(root, 0)]
    while waiting:
        node, depth = waiting.pop()
        if node in shown:
            yield f"{'  ' * depth}- {_outline_line(node, stands=node in elements)}"
            depth += 1
        waiting += [(child, depth) for child in reversed(node.children)]


def _outline_line(node: Node, *, stands: bool) -> str:
    """An element's role, name and value."""
    name = _clean_text(node_label(node) if stands else node.name)
    held = _clean_text(node_value(node)) if stands else ""
    return f"{node.role}{f' “{name}”' if name else ''}{f' = “{held}”' if held else ''}"


def _ranking_text(node: Node) -> str:
    above = [each.name for each in node.ancestors() if _is_named(each)][:RANKED_ANCESTORS]
    return _clean_text(
        " ".join([node.role, node_label(node), node_value(node), *above]), 2 * LONGEST_NAME
    )


def _is_named(node: Node) -> bool:
    return bool(node.name) and node.role not in NAMELESS_ROLES


def _clean_text(text: str, limit: int = LONGEST_NAME) -> str:
    return clip_line(" ".join(text.split()), limit)

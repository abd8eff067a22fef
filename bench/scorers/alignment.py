"""The best one-to-one alignment, and the F1 of word bags aligned by it.

Alignment by shortest augmenting paths (Jonker and Volgenant 1987); F1 as in DROP (arXiv 1903.00161)
and AssistantBench.
"""

import re
import string
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
Bag = frozenset[str]

PARTS = re.compile("[ -]")
ARTICLES = re.compile(r"\b(?:a|an|the)\b")
SIGNS = str.maketrans("", "", string.punctuation)


def best_total(scores: Sequence[Sequence[float]]) -> float:
    """Return the greatest sum of scores that uses each row and each column at most once.

    The matrix is rectangular and without NaN; an empty one yields 0.
    """
    table = np.array(scores, dtype=np.float64)
    if table.size == 0:
        return 0.0
    table = table if table.shape[0] <= table.shape[1] else table.T
    rows, columns = table.shape
    row_price, column_price = np.zeros(rows), np.zeros(columns)
    owner = np.full(columns, -1, dtype=np.int64)
    for row in range(rows):
        _assign_row(row, -table, row_price, column_price, owner)
    taken = np.flatnonzero(owner >= 0)
    return float(table[owner[taken], taken].sum())


def _assign_row(
    row: int, cost: Floats, row_price: Floats, column_price: Floats, owner: Numbers
) -> None:
    """Assign a column to a row, moving others if needed. Updates prices and owners in place."""
    distance = np.full(len(owner), np.inf)
    before = np.full(len(owner), -1, dtype=np.int64)
    settled = np.zeros(len(owner), dtype=bool)
    current, reached = row, 0.0
    while True:
        path = reached + cost[current] - row_price[current] - column_price
        nearer = ~settled & (path < distance)
        distance[nearer], before[nearer] = path[nearer], current
        column = int(np.where(settled, np.inf, distance).argmin())
        reached = float(distance[column])
        if owner[column] < 0:
            break
        settled[column] = True
        current = int(owner[column])
    row_price[row] += reached
    row_price[owner[settled]] += reached - distance[settled]
    column_price[settled] -= reached - distance[settled]
    while True:
        mover = int(before[column])
        left = np.flatnonzero(owner == mover)
        owner[column] = mover
        if mover == row:
            return
        column = int(left[0])


def span_f1(predicted: Sequence[str], gold: Sequence[str]) -> float:
    """Return the F1 of the best one-to-one alignment, per span of the longer list.

    Neither list may be empty.
    """
    bags, wanted = [word_bag(span) for span in predicted], [word_bag(span) for span in gold]
    scores = [[_bag_f1(one, other) for one in bags] for other in wanted]
    return best_total(scores) / max(len(bags), len(wanted))


def word_bag(span: str) -> Bag:
    """Return the distinct words of a span in lower case, without articles and punctuation.

    Numbers keep their signs.
    """
    return frozenset(word for part in PARTS.split(span) for word in _split_words(part.lower()))


def _split_words(part: str) -> list[str]:
    plain = part if _float_text(part) else part.translate(SIGNS)
    return ARTICLES.sub(" ", _float_text(plain) or plain).split()


def _float_text(word: str) -> str:
    """Return a number as Python writes floats, or an empty string for another word."""
    try:
        return str(float(word))
    except ValueError:
        return ""


def _bag_f1(predicted: Bag, gold: Bag) -> float:
    """Return the F1 of two bags; 0 if the gold has numbers and the prediction none of them."""
    numbers = {word for word in gold if _float_text(word)}
    if numbers and not numbers & predicted:
        return 0.0
    if not predicted or not gold:
        return float(predicted == gold)
    return 2 * len(predicted & gold) / (len(predicted) + len(gold))

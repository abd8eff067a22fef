"""String metrics for free text: gold contained, exact match, token F1 (SQuAD, arXiv 1606.05250)."""

from collections import Counter

from bench.scorers.normal_form import content_words, fold, words
from forager.domain.base import Frozen


class Overlap(Frozen):
    """What an answer has of the gold: all its words in a row, nothing else, and their F1."""

    contained: bool = False
    exact: bool = False
    f1: float = 0.0


def overlap(answer: str, gold: str) -> Overlap:
    """Compare an answer with the gold, word by word; the order counts in all but F1."""
    said, wanted = _words(answer, gold)
    common = sum((Counter(said) & Counter(wanted)).values())
    f1 = 2 * common / (len(said) + len(wanted)) if common else 0.0
    return Overlap(contained=_stands_in(wanted, said), exact=said == wanted, f1=f1)


def _words(answer: str, gold: str) -> tuple[list[str], list[str]]:
    """The words of both; articles and signs count where the gold has nothing else."""
    for split in (content_words, words):
        if wanted := split(gold):
            return split(answer), wanted
    return fold(answer).split(), fold(gold).split()


def _stands_in(wanted: list[str], said: list[str]) -> bool:
    return bool(wanted) and f" {' '.join(wanted)} " in f" {' '.join(said)} "

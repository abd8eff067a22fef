"""String metrics for free text: gold contained, exact match, token F1 (SQuAD, arXiv 1606.05250)."""

from collections import Counter

from bench.scorers.normal_form import content_words, fold_text, split_words
from forager.domain.base import Frozen


class Overlap(Frozen):
    """Whether an answer contains the gold's words in a row, equals them, and its token F1."""

    contained: bool = False
    exact: bool = False
    f1: float = 0.0


def compare_words(answer: str, gold: str) -> Overlap:
    """Compare an answer with the gold word by word; order matters except for F1."""
    answered, wanted = _comparable_words(answer, gold)
    common = sum((Counter(answered) & Counter(wanted)).values())
    f1 = 2 * common / (len(answered) + len(wanted)) if common else 0.0
    return Overlap(contained=_contains_run(wanted, answered), exact=answered == wanted, f1=f1)


def _comparable_words(answer: str, gold: str) -> tuple[list[str], list[str]]:
    """Return the words of both; articles and punctuation count if the gold has nothing else."""
    for split in (content_words, split_words):
        if wanted := split(gold):
            return split(answer), wanted
    return fold_text(answer).split(), fold_text(gold).split()


def _contains_run(wanted: list[str], answered: list[str]) -> bool:
    return bool(wanted) and f" {' '.join(wanted)} " in f" {' '.join(answered)} "

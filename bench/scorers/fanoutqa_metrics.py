"""FanOutQA's loose and strict accuracy (arXiv 2402.14116; zhudotexe/fanoutqa, eval/string.py)."""

import re
from collections.abc import Callable, Iterator

from pydantic import JsonValue

from bench.scorers.lemmas import Lemmatizer
from bench.scorers.normal_form import lemma_text, stem_text
from bench.sets.fanoutqa import Answer
from forager.domain.base import Frozen

Normalize = Callable[[str], str]
"""Returns the normal form of a text."""


class FoundReferences(Frozen):
    """The share of gold strings in an answer (loose), and whether it has all (strict)."""

    loose: float = 0.0
    strict: bool = False
    missing: tuple[str, ...] = ()


def make_normalizer(lemmatizer: Lemmatizer | None) -> Normalize:
    """Return the published normal form with these lemmas, or, without any, nearly that form."""
    if lemmatizer is None:
        return stem_text
    _, repair, lemmatize = lemmatizer
    return lambda text: lemma_text(text, repair, lemmatize)


def score_answer(answer: str, gold: Answer, normalize: Normalize = stem_text) -> FoundReferences:
    """Look for each reference string of the gold; keys of a mapping count as well as values.

    As in the original, a list among the values of a mapping weighs as much as one value, but each
    of its strings that is missing counts: `loose` may be negative. A word boundary is required at
    both ends of a reference, so that `$5` or `5%` is not found between blanks.
    """
    normal = normalize(answer)
    missing = tuple(one for one in list_references(gold) if not _is_found(normalize(one), normal))
    weight = _count_weight(gold)
    loose = (weight - len(missing)) / weight if weight else 0.0
    return FoundReferences(loose=loose, strict=bool(weight) and not missing, missing=missing)


def _is_found(reference: str, normal: str) -> bool:
    return re.search(rf"\b{re.escape(reference)}\b", normal) is not None


def _count_weight(gold: Answer) -> int:
    if isinstance(gold, dict):
        return 2 * len(gold)
    return len(gold) if isinstance(gold, tuple) else 1


def list_references(gold: Answer) -> Iterator[str]:
    """Yield the strings that an answer must contain; booleans become `yes` or `no`."""
    if isinstance(gold, dict):
        yield from gold
        for value in gold.values():
            yield from list_references(value)
    elif isinstance(gold, tuple):
        for item in gold:
            yield from list_references(item)
    else:
        yield _scalar_text(gold)


def as_text(answer: JsonValue | Answer) -> str:
    """Return an answer as text like the original: one item per line, mappings as `key - value`."""
    if isinstance(answer, dict):
        return "\n".join(f"{key} - {as_text(value)}" for key, value in answer.items())
    if isinstance(answer, list | tuple):
        return "\n".join(map(as_text, answer))
    return "" if answer is None else _scalar_text(answer)


def _scalar_text(value: str | float | bool) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)

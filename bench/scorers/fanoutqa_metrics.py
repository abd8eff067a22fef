"""FanOutQA's loose and strict accuracy (arXiv 2402.14116; zhudotexe/fanoutqa, eval/string.py)."""

import re
from collections.abc import Iterator

from pydantic import JsonValue

from bench.scorers.normal_form import fold_text, stem_text
from bench.sets.fanoutqa import Answer
from forager.domain.base import Frozen


class FoundReferences(Frozen):
    """The share of gold strings in an answer (loose), and whether it has all (strict)."""

    loose: float = 0.0
    strict: bool = False
    missing: tuple[str, ...] = ()


def score_answer(answer: str, gold: Answer) -> FoundReferences:
    """Look for each reference string of the gold; keys of a mapping count as well as values.

    Differs from the original in the normal form (see `bench.scorers.normal_form`) and in word
    boundaries: the original requires one at each end of a reference, so that `$5` or `5%` is never
    found between blanks; here only an end that is a letter or a digit needs one. A reference of
    punctuation alone is looked for literally.
    """
    wanted = list(list_references(gold))
    normal, plain = stem_text(answer), fold_text(answer)
    missing = tuple(one for one in wanted if not _contains_reference(one, normal, plain))
    loose = (len(wanted) - len(missing)) / len(wanted) if wanted else 0.0
    return FoundReferences(loose=loose, strict=bool(wanted) and not missing, missing=missing)


def _contains_reference(reference: str, normal: str, plain: str) -> bool:
    wanted = stem_text(reference)
    if not wanted:
        return fold_text(reference) in plain
    return (
        re.search(
            rf"{_word_boundary(wanted[0])}{re.escape(wanted)}{_word_boundary(wanted[-1])}", normal
        )
        is not None
    )


def _word_boundary(sign: str) -> str:
    return r"\b" if re.match(r"\w", sign) else ""


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

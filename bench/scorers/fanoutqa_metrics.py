"""FanOutQA's loose and strict accuracy (arXiv 2402.14116; zhudotexe/fanoutqa, eval/string.py)."""

import re
from collections.abc import Iterator

from pydantic import JsonValue

from bench.scorers.normal_form import fold, stemmed
from bench.sets.fanoutqa import Answer
from forager.domain.base import Frozen


class Found(Frozen):
    """How much of the gold stands in an answer: the share (loose), all of it (strict)."""

    loose: float = 0.0
    strict: bool = False
    missing: tuple[str, ...] = ()


def score(answer: str, gold: Answer) -> Found:
    """Look for each reference string of the gold, of a mapping the keys as well as the values.

    As there, but for the normal form (see bench.scorers.normal_form) and the ends of a reference:
    there must be a word boundary there, so that `$5` or `5%` is never found among blanks; here
    only an end that is a letter or a digit must not stand within a word. A reference of nothing
    but punctuation is looked for as it is.
    """
    wanted = list(references(gold))
    normal, plain = stemmed(answer), fold(answer)
    missing = tuple(one for one in wanted if not _found(one, normal, plain))
    loose = (len(wanted) - len(missing)) / len(wanted) if wanted else 0.0
    return Found(loose=loose, strict=bool(wanted) and not missing, missing=missing)


def _found(reference: str, normal: str, plain: str) -> bool:
    wanted = stemmed(reference)
    if not wanted:
        return fold(reference) in plain
    return (
        re.search(rf"{_edge(wanted[0])}{re.escape(wanted)}{_edge(wanted[-1])}", normal) is not None
    )


def _edge(sign: str) -> str:
    return r"\b" if re.match(r"\w", sign) else ""


def references(gold: Answer) -> Iterator[str]:
    """The strings that an answer has to hold; a truth value is `yes` or `no`."""
    if isinstance(gold, dict):
        yield from gold
        for value in gold.values():
            yield from references(value)
    elif isinstance(gold, tuple):
        for item in gold:
            yield from references(item)
    else:
        yield _scalar(gold)


def as_text(answer: JsonValue | Answer) -> str:
    """An answer in one text, as there: an item a line, `key - value` for a mapping."""
    if isinstance(answer, dict):
        return "\n".join(f"{key} - {as_text(value)}" for key, value in answer.items())
    if isinstance(answer, list | tuple):
        return "\n".join(map(as_text, answer))
    return "" if answer is None else _scalar(answer)


def _scalar(value: str | float | bool) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)

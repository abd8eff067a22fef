"""Answers to a question set: JSON lines with an id and an answer."""

import json
from collections.abc import Collection
from pathlib import Path

from pydantic import Field, JsonValue

from bench.sets.records import FileForm, RawRecord, check_record, read_text
from forager.errors import UsageError
from forager.util.suggest import did_you_mean
from graphs.experiments.scoring import MARK

FORM = FileForm("answers", "line", 'JSON lines such as {"id": "7", "answer": "Oslo"}')


class GivenAnswer(RawRecord):
    """A system's answer: text, or the number, list or objects that were asked for.

    `actions` is the number of actions it took; `verdict` is a judge's, if one was asked.
    """

    id: str = Field(coerce_numbers_to_str=True)
    answer: JsonValue
    actions: int | None = Field(default=None, ge=0)
    verdict: bool | None = None


def load_answers(path: Path, known: Collection[str]) -> dict[str, GivenAnswer]:
    """Load answers by question id; evidence ids in brackets are removed from texts.

    Raises UsageError for an invalid line, a repeated id, or an id that is not in `known`.
    """
    found: dict[str, GivenAnswer] = {}
    for number, line in enumerate(read_text(path, FORM).splitlines(), 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        given = _parse_line(line, where)
        if given.id in found:
            raise UsageError(f"{where} answers {given.id!r} again.", "Delete one of the two.")
        if given.id not in known:
            raise UsageError(
                f"{where} answers {given.id!r}, which is not in the gold file.",
                did_you_mean(given.id, known),
            )
        found[given.id] = given
    return found


def _parse_line(line: str, where: str) -> GivenAnswer:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"{where} is not valid JSON: {error}.", f"Correct it, or {FORM.hint}"
        ) from error
    given = check_record(GivenAnswer, data, where, FORM)
    if not isinstance(given.answer, str):
        return given
    return given.model_copy(update={"answer": MARK.sub("", given.answer).strip()})

"""Answers to a question set: JSON lines with an id and what was answered."""

import json
from collections.abc import Collection
from pathlib import Path

from pydantic import Field, JsonValue

from bench.sets.records import Form, Raw, checked, text_of
from forager.errors import UsageError
from forager.util.suggest import did_you_mean
from graphs.experiments.scoring import MARK

FORM = Form("answers", "line", 'JSON lines such as {"id": "7", "answer": "Oslo"}')


class Given(Raw):
    """What a system answered: text, or the number, list or objects that it was asked for.

    `actions` is how many it took; `verdict` is that of a judge, where one was asked.
    """

    id: str = Field(coerce_numbers_to_str=True)
    answer: JsonValue
    actions: int | None = Field(default=None, ge=0)
    verdict: bool | None = None


def load(path: Path, known: Collection[str]) -> dict[str, Given]:
    """The answers by their question's id; a text loses the ledger's ids in brackets.

    Raises UsageError for a line that is none, that stands twice, or whose question is not known.
    """
    found: dict[str, Given] = {}
    for number, line in enumerate(text_of(path, FORM).splitlines(), 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        given = _given(line, where)
        if given.id in found:
            raise UsageError(f"{where} answers {given.id!r} again.", "Delete one of the two.")
        if given.id not in known:
            raise UsageError(
                f"{where} answers {given.id!r}, which the gold file does not ask.",
                did_you_mean(given.id, known),
            )
        found[given.id] = given
    return found


def _given(line: str, where: str) -> Given:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"{where} is torn or no JSON: {error}.", f"Mend it, or {FORM.hint}"
        ) from error
    given = checked(Given, data, where, FORM)
    if not isinstance(given.answer, str):
        return given
    return given.model_copy(update={"answer": MARK.sub("", given.answer).strip()})

"""Scores of questions in the project's own form: right, whole, partly, abstained."""

import pytest

from bench.runs.set_results import score_rows
from bench.runs.set_rows import SetRow
from bench.runs.set_tasks import SetTask
from bench.sets.set_question import SetQuestion


def make_row(answer: str, status: str) -> SetRow:
    return SetRow(
        set="questions",
        graph="forager",
        graph_hash="0",
        model="offline",
        seed=0,
        id="q",
        turn=1,
        session="s",
        data="d",
        status=status,
        answer=answer,
        actions=0,
        pages=0,
        calls=0,
        tokens_in=0,
        tokens_out=0,
        usd=0.0,
        seconds=0.0,
    )


@pytest.mark.parametrize(
    ("gold", "answer", "status", "scored"),
    [
        (("rape oil", "23"), "Rape oil, 23 metres.", "answered", (1, 1, 0, 0)),
        (("rape oil", "23"), "Rape oil.", "answered", (0, 0, 1, 0)),
        (("23",), "In 1923.", "answered", (1, 0, 0, 0)),
        (("no|nein",), "“Another boat.” [e1]", "answered", (1, 0, 0, 0)),
        (("no|nein",), "**Nein**, nie.", "answered", (1, 1, 0, 0)),
        (("yes",), "No: yes would be wrong.", "answered", (1, 0, 0, 0)),
        (("23",), "", "abstained", (0, 0, 0, 1)),
        ((), "", "abstained", (1, 1, 0, 1)),
        ((), "23", "answered", (0, 0, 0, 0)),
    ],
)
def test_an_answer_is_scored(
    gold: tuple[str, ...], answer: str, status: str, scored: tuple[int, ...]
) -> None:
    asked = SetQuestion[tuple[str, ...]](id="q", text="What?", gold=gold)
    [result] = score_rows(
        "questions", [SetTask(id="q", questions=(asked,))], [make_row(answer, status)]
    )
    assert tuple(result.scores.values()) == scored
    assert list(result.scores) == ["right", "whole", "partly", "abstained"]

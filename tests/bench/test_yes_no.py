"""The script that fits what says Yes and what says No."""

import json
from pathlib import Path

from bench.ranker.yes_no import fit, read_rows
from forager.answers.lead_words import answer_yes_or_no


def _question(number: int, said: str, answer: str) -> str:
    quote = f"Macro {number} {said} be nested in files."
    row = {
        "site": f"s{number % 5}",
        "kind": "yesno",
        "question": f"Can macro {number} be nested in files?",
        "answer": [answer],
        "pages": [{"quote": quote}],
    }
    return json.dumps(row)


def test_the_fitted_weights_tell_yes_from_no(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    told = [("can", "yes"), ("cannot", "no")]
    lines = [_question(number, *told[number % 2]) for number in range(60)]
    path.write_text("\n".join([*lines, _question(99, "may", "to a depth of 3")]))
    rows = list(read_rows([path]))
    assert len(rows) == 60, "what is not a plain yes or no is left out"
    weights = fit(rows)
    for said, answer in (("can", "Yes"), ("cannot", "No")):
        found = answer_yes_or_no("Can a map be folded?", f"A map {said} be folded.", weights)
        assert found
        assert found[0] == answer

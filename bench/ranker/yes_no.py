"""Yes or No: fits the weights of `forager/answers/lead_words.py`.

    python -m bench.ranker.yes_no QUESTIONS.jsonl … [--out forager/data/yes_no.json]

reports how often the gold quotes of questions for yes or no are read right, each site with weights
fitted to other sites.
"""

import argparse
import logging
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from bench.ranker.asked_words import FOLDS, read_asked
from bench.ranker.logistic import fit_logistic, sign_table
from bench.ranker.weights_file import write_weights
from forager.answers.lead_words import answer_yes_or_no, yes_no_signs
from forager.answers.likelihood import SignWeights

LOG = logging.getLogger(__name__)
RIDGE = 4.0
STEPS = 12
LEAST: Final = math.log(0.7 / 0.3)
"""A side is taken if it is at least 0.7 likely."""


class Row(NamedTuple):
    """A question for yes or no, its gold quote, and whether it says yes."""

    site: str
    question: str
    sentence: str
    yes: bool


def read_rows(paths: Sequence[Path]) -> Iterator[Row]:
    """The questions that are answered with a plain yes or no."""
    for path in paths:
        for row in read_asked([path]):
            answer = row.answers[0].lower() if row.kind == "yesno" else ""
            if answer in {"yes", "no"}:
                yield Row(row.site, row.question, row.sentence, answer == "yes")


def fit(rows: Sequence[Row]) -> SignWeights:
    """The weights that fit these rows."""
    signs = [yes_no_signs(row.question, row.sentence) for row in rows]
    names = sorted({name for has in signs for name in has})
    right = np.array([float(row.yes) for row in rows])
    values = fit_logistic(sign_table(signs, names), right, RIDGE, STEPS)
    found = {name: round(float(value), 3) for name, value in zip(names, values, strict=True)}
    return SignWeights(least=round(LEAST, 3), signs=found)


def report(rows: Sequence[Row]) -> None:
    """Print how often Yes and No are said, and how often that is right."""
    sites = sorted({row.site for row in rows})
    said: dict[str, list[bool]] = {"Yes": [], "No": []}
    for turn in range(FOLDS):
        own = set(sites[turn::FOLDS])
        weights = fit([row for row in rows if row.site not in own])
        for row in (row for row in rows if row.site in own):
            if found := answer_yes_or_no(row.question, row.sentence, weights):
                said[found[0]].append(row.yes is (found[0] == "Yes"))
    for answer, right in said.items():
        LOG.info("%s: %d of %d, right %.2f", answer, len(right), len(rows), np.mean(right))


def main() -> None:
    """Read the command line, report, and write the weights with their hash if asked to."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("questions", nargs="+", type=Path)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    rows = list(read_rows(arguments.questions))
    report(rows)
    if arguments.out:
        write_weights(
            arguments.out,
            about="log-odds that a sentence answers Yes: the sum of its signs",
            made_by="bench.ranker.yes_no",
            questions=len(rows),
            **fit(rows).model_dump(),
        )


if __name__ == "__main__":
    main()

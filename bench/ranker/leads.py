"""Which words of a sentence answer: fits the weights of `forager/answers/lead_words.py`.

    python -m bench.ranker.leads QUESTIONS.jsonl … --squad SQUAD.json \
        --out forager/data/lead_words.json

reports how often the words picked from the sentence of the gold quote are the gold answer, by kind
of question, each site with weights fitted to other sites and read by a reader trained on others.
"""

import argparse
import logging
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.ranker.asked_words import FOLDS, Asked, is_right, site_folds
from bench.ranker.logistic import Doubles, fit_logistic, sign_table
from bench.ranker.train_reader import cross_read, read_examples
from bench.ranker.weights_file import write_weights
from forager.answers.lead_words import find_candidates, find_signs, find_words
from forager.answers.likelihood import SignWeights
from forager.answers.reading import Reading

LOG = logging.getLogger(__name__)
STEPS = 12
RIDGE = 2.0
LEAST: Final = 0.7
"""The log-odds from which words are taken."""
Held = dict[str, list[bool | None]]
ReadRow = tuple[Asked, Reading]


class Table(NamedTuple):
    """The signs of all candidates, which of them are right, and the question of each."""

    signs: Doubles
    right: Doubles
    of: NDArray[np.int64]
    names: list[str]


def tabulate(rows: Sequence[ReadRow]) -> Table:
    """The candidates of all sentences."""
    made: list[tuple[int, dict[str, float], bool]] = []
    for number, (row, read) in enumerate(rows):
        every = find_candidates(row.question, row.sentence, read)
        signs = find_signs(row.question, row.sentence, every, read)
        for each, has in zip(every, signs, strict=True):
            made.append((number, has, is_right(row.sentence[each.start : each.end], row.answers)))
    names = list(dict.fromkeys(name for _, has, _ in made for name in has))
    table = sign_table([has for _, has, _ in made], names)
    right = np.array([float(hit) for _, _, hit in made])
    return Table(table, right, np.array([number for number, _, _ in made]), names)


def fit(signs: Doubles, right: Doubles) -> Doubles:
    """The weights of the signs."""
    return fit_logistic(signs, right, RIDGE, STEPS)


def as_weights(table: Table, values: Doubles) -> SignWeights:
    """The weights by the names of their signs."""
    signs = {name: round(float(value), 3) for name, value in zip(table.names, values, strict=True)}
    return SignWeights(least=LEAST, signs=signs)


def measure(rows: Sequence[ReadRow], held: Held, weights: SignWeights) -> None:
    """Whether the words of each question are right, by kind; None where none are taken."""
    for row, read in rows:
        found = find_words(row.question, row.sentence, read, weights)
        held[row.kind].append(None if found is None else is_right(found.text, row.answers))


def measure_by_site(rows: Sequence[ReadRow], held: Held) -> SignWeights:
    """The same with weights that are fitted to other sites; those that are fitted to all."""
    folds = site_folds(row for row, _ in rows)
    table = tabulate(rows)
    fold_of = np.array([folds[rows[number][0].site] for number in table.of])
    for turn in range(FOLDS):
        others = fold_of != turn
        weights = as_weights(table, fit(table.signs[others], table.right[others]))
        measure([each for each in rows if folds[each[0].site] == turn], held, weights)
    return as_weights(table, fit(table.signs, table.right))


def report(held: Held) -> None:
    """Print by kind how many questions there are, how many have words, how many of them right."""
    for kind, every in [
        *sorted(held.items()),
        ("all", [hit for own in held.values() for hit in own]),
    ]:
        taken = [hit for hit in every if hit is not None]
        share = sum(taken) / (len(taken) or 1)
        LOG.info("%-12s %5d, words for %4d, right %.2f", kind, len(every), len(taken), share)


def main() -> None:
    """Read the command line, report, and write the weights with their hash."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("questions", type=Path, nargs="+")
    parser.add_argument("--squad", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    examples, squad = read_examples(arguments.questions, arguments.squad)
    readings = cross_read(examples, squad)
    rows = [(each.row, read) for each, read in zip(examples, readings, strict=True)]
    held: Held = defaultdict(list)
    weights = measure_by_site(rows, held)
    report(held)
    write_weights(
        arguments.out,
        about="log-odds that words of a sentence answer a question: the sum of its signs",
        made_by="bench.ranker.leads",
        questions=len(rows),
        **weights.model_dump(),
    )


if __name__ == "__main__":
    main()

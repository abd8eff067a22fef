"""Which words of a sentence answer: fits the weights of `forager/answers/lead_words.py`.

    python -m bench.ranker.leads QUESTIONS.jsonl … --out forager/data/lead_words.json

reports how often the words picked from the sentence of the gold quote are the gold answer, by kind
of question, each site with weights fitted to other sites. Without `--out` it reports on the
weights in the tree.
"""

import argparse
import json
import logging
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.ranker.logistic import Doubles, fit_logistic, sign_table
from bench.ranker.weights_file import write_weights
from forager.answers.lead_words import (
    WEIGHTS,
    Candidate,
    find_candidates,
    find_signs,
    find_words,
)
from forager.answers.likelihood import SignWeights
from forager.text.quotes import split_sentences

LOG = logging.getLogger(__name__)
FOLDS = 5
STEPS = 12
RIDGE = 2.0
LEAST: Final = 0.0
"""The log-odds from which words are taken."""
ADDED = 14
"""Words that hold the answer are right if they have at most this many characters more."""
Held = dict[str, list[bool | None]]
MARKS = " .,;:\"'“”‘’`()"


class Asked(NamedTuple):
    """A question, the sentence of its gold quote that answers, and its answers."""

    site: str
    kind: str
    question: str
    sentence: str
    answers: tuple[str, ...]


def read_asked(lines: Sequence[str]) -> Iterator[Asked]:
    """The questions whose answer stands in a sentence of their quote; of yes or no, all."""
    for row in map(json.loads, lines):
        if not row.get("answerable", True) or not row.get("pages"):
            continue
        quote = row["pages"][0]["quote"]
        spans = [quote[start:end] for start, end in split_sentences(quote)]
        answers = tuple(each for said in row["answer"] for each in said.split("|"))
        kind = row.get("kind") or row.get("type")
        if kind == "yesno":
            answers = answers[:1]
            said: str | None = quote
        else:
            folded = [fold(each) for each in answers]
            said = next((each for each in spans if any(a in fold(each) for a in folded)), None)
        if said:
            site = row.get("site") or row["sites"][0]
            yield Asked(site, kind, row["question"], said, answers)


def fold(text: str) -> str:
    """In lower case, without outer marks and repeated white space."""
    return " ".join(text.lower().split()).strip(MARKS)


def is_right(words: str, answers: Sequence[str]) -> bool:
    """Are some words an answer, or do they hold one and little else?"""
    said = fold(words)
    return any(
        each == said or (each in said and len(said) <= len(each) + ADDED)
        for each in map(fold, answers)
        if each
    )


class Table(NamedTuple):
    """The signs of all candidates, which of them are right, and the question of each."""

    signs: Doubles
    right: Doubles
    of: NDArray[np.int64]
    names: list[str]


def tabulate(rows: Sequence[Asked]) -> Table:
    """The candidates of all sentences."""
    made: list[tuple[int, dict[str, float], bool]] = []
    for number, row in enumerate(rows):
        every: list[Candidate] = find_candidates(row.question, row.sentence)
        signs = find_signs(row.question, row.sentence, every)
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


def measure(rows: Sequence[Asked], held: Held, weights: SignWeights) -> None:
    """Whether the words of each question are right, by kind; None where none are taken."""
    for row in rows:
        found = find_words(row.question, row.sentence, weights)
        held[row.kind].append(None if found is None else is_right(found.text, row.answers))


def measure_by_site(rows: Sequence[Asked], held: Held) -> SignWeights:
    """The same with weights that are fitted to other sites; those that are fitted to all."""
    sites = sorted({row.site for row in rows})
    folds = {site: place % FOLDS for place, site in enumerate(sites)}
    spoken = [row for row in rows if row.kind != "yesno"]
    table = tabulate(spoken)
    fold_of = np.array([folds[spoken[number].site] for number in table.of])
    for turn in range(FOLDS):
        others = fold_of != turn
        weights = as_weights(table, fit(table.signs[others], table.right[others]))
        measure([row for row in rows if folds[row.site] == turn], held, weights)
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
    """Read the command line, report, and write the weights with their hash if asked to."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("questions", type=Path, nargs="+")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    lines = [line for path in arguments.questions for line in path.read_text().splitlines()]
    rows = list(read_asked(lines))
    held: Held = defaultdict(list)
    if arguments.out is None:
        measure(rows, held, WEIGHTS)
        report(held)
        return
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

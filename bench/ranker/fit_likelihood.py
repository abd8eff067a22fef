"""Fits how likely a question is answered, given its best passages; prints what it is worth.

    python -m bench.ranker.fit_likelihood GROUPS.json --out forager/data/likelihood.json

The groups are those of `bench.ranker.candidates` on sites that the cross-encoder was not trained
on. Every figure is of a site that the logistic regression did not see (folds by site).
"""

import argparse
import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.ranker.logistic import Doubles, fit_logistic
from bench.ranker.weights_file import write_weights
from forager.adapters.memory.embeddings.embedder import MODEL_FOLDER
from forager.adapters.memory.embeddings.minilm import CrossEncoder
from forager.ports import RatedPassage
from forager.ranking.scoring import RATING_LIMIT, RATING_WEIGHT, rate_passages

LOG = logging.getLogger(__name__)
CANDIDATES, QUOTED = 12, 5
KEPT = 0.98, 0.95, 0.92, 0.9, 0.85
STEPS, RIDGE = 30, 1.0


def features(group: dict[str, Any], rater: CrossEncoder) -> tuple[list[float], bool]:
    """Rating and terms of the best of the passages that would be quoted; is one of them right?"""
    found = [each for each in group["candidates"] if each["score"] > 0][:CANDIDATES]
    passages = [RatedPassage(each["heading"], each["before"], each["text"]) for each in found]
    rated = rate_passages(group["question"], passages, rater)
    order = np.argsort([-each["score"] for each in found] - RATING_WEIGHT * rated, kind="stable")
    quoted = order[:QUOTED]
    best = quoted[rated[quoted].argmax()]
    return [float(rated[best]), found[best]["terms"]], any(found[i]["label"] for i in quoted)


def fit(rows: Doubles, right: Doubles) -> Doubles:
    """The weights of the signals; the bias comes last."""
    return fit_logistic(np.column_stack([rows, np.ones(len(rows))]), right, RIDGE, STEPS)


def chances(rows: Doubles, weights: Doubles) -> Doubles:
    """The probability of each row."""
    result: Doubles = 1 / (1 + np.exp(-(rows @ weights[:-1] + weights[-1])))
    return result


def area_under_curve(chance: Doubles, positive: NDArray[np.bool_]) -> float:
    """The share of pairs in which the positive one is more likely; ties count half."""
    above = chance[positive][:, None] - chance[~positive][None, :]
    return float((above > 0).mean() + (above == 0).mean() / 2)


def calibration(chance: Doubles, right: NDArray[np.bool_]) -> list[tuple[float, float, int]]:
    """For each tenth: the mean probability, the share that is right, how many."""
    tenth = np.minimum((chance * 10).astype(int), 9)
    return [
        (float(chance[tenth == i].mean()), float(right[tenth == i].mean()), int((tenth == i).sum()))
        for i in range(10)
        if (tenth == i).any()
    ]


def report(chance: Doubles, right: NDArray[np.bool_], none: NDArray[np.bool_]) -> None:
    """Print what the probability tells apart, at several thresholds, and how true it is."""
    bins = calibration(chance, right)
    error = sum(abs(mean - share) * count for mean, share, count in bins) / len(chance)
    near = area_under_curve(chance[right | none], right[right | none])
    LOG.info("%d questions, %d without an answer", len(right), none.sum())
    LOG.info("right where there is an answer: %.3f", right[~none].mean())
    LOG.info(
        "AUC right against rest %.3f, against none %.3f", area_under_curve(chance, right), near
    )
    LOG.info("calibration error %.3f", error)
    for mean, share, count in bins:
        LOG.info("  said %.2f, right %.2f (%d)", mean, share, count)
    for kept in KEPT:
        least = np.quantile(chance[right], 1 - kept)
        taken = chance >= least
        LOG.info(
            "keeps %.2f at %.2f: wrong among answered %.3f, none told %.2f",
            *(kept, least, 1 - right[taken].mean(), 1 - taken[none].mean()),
        )


def predict_by_site(rows: Doubles, right: NDArray[np.bool_], sites: Sequence[str]) -> Doubles:
    """Each site's probabilities, by weights that are fitted to the others."""
    place = np.array(sites)
    found = np.zeros(len(rows))
    for site in set(sites):
        found[place == site] = chances(
            rows[place == site], fit(rows[place != site], right[place != site])
        )
    return found


def main() -> None:
    """Read the command line, report, and write the weights with a card."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("groups", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    rater = CrossEncoder(MODEL_FOLDER)
    read = json.loads(arguments.groups.read_text())
    groups = [each for each in read if any(one["score"] > 0 for one in each["candidates"])]
    made = [features(group, rater) for group in groups]
    rows, right = np.array([row for row, _ in made]), np.array([hit for _, hit in made])
    none = np.array([not group["answerable"] for group in groups])
    report(predict_by_site(rows, right, [group["site"] for group in groups]), right, none)
    weights = [round(float(each), 4) for each in fit(rows, right)]
    write_weights(
        arguments.out,
        about="log-odds that a question is answered: rating * r + terms * t + bias, where r is "
        f"the rating (-{RATING_LIMIT:g} to {RATING_LIMIT:g}) and t the share of terms",
        made_by="bench.ranker.fit_likelihood",
        questions=len(rows),
        sites=sorted({group["site"] for group in groups}),
        **dict(zip(("rating", "terms", "bias"), weights, strict=True)),
    )


if __name__ == "__main__":
    main()

"""Trains what reads the words of a sentence that answer, on the states of the cross-encoder.

    python -m bench.ranker.train_reader QUESTIONS.jsonl … --squad SQUAD.json \
        --leave-out SITE,… --out forager/data/reader.npz

Two layers score each token as the begin, as the end and as a part of the answer (Devlin et al.
2019, section 4.2, arXiv 1810.04805); the cross-encoder stays as it is. Reports how often the
likeliest words are right, each site read by what was trained on others.
"""

import argparse
import logging
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.ranker.asked_words import FOLDS, Asked, is_right, read_asked, site_folds
from bench.ranker.squad import SquadQuestion, read_articles
from forager.adapters.memory.embeddings.embedder import MODEL_FOLDER
from forager.adapters.memory.embeddings.minilm import PassageModel, TokenReader
from forager.answers.reading import Reading
from forager.ports import RatedPassage, ReadTokens, Vectors
from forager.text.quotes import split_sentences

LOG = logging.getLogger(__name__)
INNER, EPOCHS, BATCH = 64, 10, 64
RATE, DECAY, DROPPED = 2e-3, 1e-3, 0.2
INSIDE_WEIGHT = 0.2
"""What the score of each token counts beside those of the begin and the end."""
SHARES = (0.05, 0.1, 0.2, 0.3)

Floats = NDArray[np.float32]
Weights = dict[str, Floats]


class Example(NamedTuple):
    """A question and a sentence that answers it, and its tokens with their states and labels."""

    row: Asked
    text: str
    spans: NDArray[np.int32]
    states: Vectors
    labels: Floats


def read_squad(path: Path, seed: int = 0) -> Iterator[tuple[Asked, RatedPassage]]:
    """The sentences that answer questions of SQuAD, every other one with what stands before it."""
    chance = random.Random(seed)
    for article in read_articles(path):
        for paragraph in article.paragraphs:
            for asked in paragraph.qas:
                if not asked.is_impossible and (
                    found := _squad_row(article.title, paragraph.context, asked, chance)
                ):
                    yield found


def _squad_row(
    title: str, text: str, asked: SquadQuestion, chance: random.Random
) -> tuple[Asked, RatedPassage] | None:
    spans = [
        (start, end)
        for each in asked.answers[:1]
        for start, end in split_sentences(text)
        if start <= each.answer_start and each.answer_start + len(each.text) <= end
    ]
    if not spans:
        return None
    start, end = spans[0]
    said = tuple(sorted({each.text for each in asked.answers}))
    row = Asked(f"squad/{title}", "squad", asked.question, text[start:end], said)
    place = (title.replace("_", " "), text[:start]) if chance.random() < 1 / 2 else ("", "")
    return row, RatedPassage(*place, text[start:end])


def read_examples(questions: Sequence[Path], squad: Path) -> tuple[list[Example], list[Example]]:
    """Those of these files but the ones for Yes or No, and those of SQuAD."""
    rows = [row for row in read_asked(questions) if row.kind != "yesno"]
    own = make_examples([(row, RatedPassage("", "", row.sentence)) for row in rows])
    return own, make_examples(list(read_squad(squad)))


def make_examples(rows: Sequence[tuple[Asked, RatedPassage]]) -> list[Example]:
    """The states of the sentences in which an answer is found."""
    model = PassageModel(MODEL_FOLDER)
    found: list[Example] = []
    for row, passage in rows:
        [state] = model.encode(row.question, [passage])
        labels = _label(passage.text, row.answers, state.spans)
        if labels.any():
            found.append(Example(row, passage.text, state.spans, state.hidden, labels))
    return found


def _label(text: str, answers: Sequence[str], spans: NDArray[np.int32]) -> Floats:
    """1 where an answer begins, where it ends, and where it is; shape (tokens, 3)."""
    labels = np.zeros((len(spans), 3), np.float32)
    lower = text.lower()
    for answer in filter(None, (each.lower().strip() for each in answers)):
        start = lower.find(answer)
        while start >= 0:
            end = start + len(answer)
            held = np.flatnonzero((spans[:, 0] < end) & (spans[:, 1] > start))
            if len(held):
                labels[held[0], 0] = labels[held[-1], 1] = 1
                labels[held, 2] = 1
            start = lower.find(answer, start + 1)
    return labels


def train(examples: Sequence[Example], seed: int = 0) -> Weights:
    """The weights of the two layers, by Adam on batches of sentences (Kingma & Ba 2015)."""
    chance = np.random.default_rng(seed)
    states = np.concatenate([each.states for each in examples])
    mean, scale = states.mean(axis=0), states.std(axis=0) + 1e-6
    size = states.shape[1]
    weights: Weights = {
        "inner": chance.normal(0, size**-0.5, (size, INNER)).astype(np.float32),
        "shift": np.zeros(INNER, np.float32),
        "outer": chance.normal(0, INNER**-0.5, (INNER, 3)).astype(np.float32),
        "bias": np.zeros(3, np.float32),
    }
    adam = _Adam(weights, EPOCHS * -(-len(examples) // BATCH))
    for _ in range(EPOCHS):
        order = chance.permutation(len(examples))
        for start in range(0, len(order), BATCH):
            batch = [examples[place] for place in order[start : start + BATCH]]
            kept = (chance.random((sum(len(each.spans) for each in batch), INNER)) > DROPPED) / (
                1 - DROPPED
            )
            adam.step(_slopes(weights, batch, (mean, scale), kept.astype(np.float32)))
    inner = weights["inner"] / scale[:, None]
    shift = weights["shift"] - mean @ inner
    return weights | {"inner": inner, "shift": shift}


def _slopes(
    weights: Weights, batch: Sequence[Example], norm: tuple[Floats, Floats], kept: Floats
) -> Weights:
    """The gradient of the loss: softmax cross-entropy of begin and end, binary of the inside."""
    inputs = (np.concatenate([each.states for each in batch]) - norm[0]) / norm[1]
    inner = np.maximum(inputs @ weights["inner"] + weights["shift"], 0) * kept
    scores = inner @ weights["outer"] + weights["bias"]
    slopes, start = np.zeros_like(scores), 0
    for each in batch:
        own = slice(start, start + len(each.spans))
        for side in (0, 1):
            chance = np.exp(scores[own, side] - scores[own, side].max())
            chance /= chance.sum()
            told = chance * each.labels[:, side]
            slopes[own, side] = chance - told / max(told.sum(), 1e-9)
        inside = 1 / (1 + np.exp(-scores[own, 2])) - each.labels[:, 2]
        slopes[own, 2] = INSIDE_WEIGHT * inside
        start = own.stop
    slopes /= len(batch)
    back = (slopes @ weights["outer"].T) * kept * (inner > 0)
    return {
        "inner": inputs.T @ back,
        "shift": back.sum(axis=0),
        "outer": inner.T @ slopes,
        "bias": slopes.sum(axis=0),
    }


class _Adam:
    """Changes the weights in place; the rate falls to nothing."""

    def __init__(self, weights: Weights, steps: int) -> None:
        self._weights, self._steps, self._step = weights, steps, 0
        self._mean = {name: np.zeros_like(each) for name, each in weights.items()}
        self._square = {name: np.zeros_like(each) for name, each in weights.items()}

    def step(self, slopes: Weights) -> None:
        rate = RATE * (1 - self._step / self._steps)
        self._step += 1
        for name, slope in slopes.items():
            mean, square = self._mean[name], self._square[name]
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            moved = mean / (1 - 0.9**self._step)
            moved /= np.sqrt(square / (1 - 0.999**self._step)) + 1e-8
            weight = self._weights[name]
            decay = DECAY * weight if weight.ndim > 1 else np.float32(0)
            weight -= np.float32(rate) * (moved + decay)


def cross_read(examples: Sequence[Example], more: Sequence[Example]) -> list[Reading]:
    """What is seen in each example by a reader trained on `more` and on other sites."""
    folds = site_folds([each.row for each in examples])
    found: dict[int, Reading] = {}
    for fold in range(FOLDS):
        others = [each for each in examples if folds[each.row.site] != fold]
        reader = TokenReader(train([*others, *more]))
        for place, each in enumerate(examples):
            if folds[each.row.site] == fold:
                tokens = ReadTokens(each.spans, reader.score(each.states))
                found[place] = Reading(each.text, tokens)
    return [found[place] for place in range(len(examples))]


def report(examples: Sequence[Example], readings: Sequence[Reading]) -> None:
    """Print how often the likeliest words are right, of all and of those read most surely."""
    told: list[tuple[float, bool]] = []
    for example, reading in zip(examples, readings, strict=True):
        for start, end in reading.likeliest(1):
            right = is_right(example.text[start:end], example.row.answers)
            told.append((reading.signs(start, end)["read"], right))
    told.sort(reverse=True)
    for share in (*SHARES, 1.0):
        some = [right for _, right in told[: round(share * len(told))]]
        LOG.info("the surest %.2f of %d: right %.3f", share, len(examples), np.mean(some))


def main() -> None:
    """Read the command line, report, and write the weights."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("questions", type=Path, nargs="+")
    parser.add_argument("--squad", type=Path, required=True)
    parser.add_argument("--leave-out", default="", metavar="SITE,…")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    examples, squad = read_examples(given.questions, given.squad)
    report(examples, cross_read(examples, squad))
    kept = [each for each in examples if each.row.site not in given.leave_out.split(",")]
    weights = train([*kept, *squad])
    np.savez_compressed(
        given.out,
        inner=weights["inner"].astype(np.float16),
        shift=weights["shift"],
        outer=weights["outer"],
        bias=weights["bias"],
    )


if __name__ == "__main__":
    main()

"""Which sentence of the quotes answers, and how likely: fits the weights of `answers/lead.py`.

    python -m bench.ranker.lead_sentences QUESTIONS.jsonl … --sites FOLDER --out WEIGHTS.json
        [--likelihood WEIGHTS.json] [--only A]

reports how often the sentence chosen has the answer, each site with weights fitted to other sites;
with `--likelihood`, also how well it is told whether the one chosen by the weights in the tree
answers. The sites must be such as the cross-encoder was not trained on.
"""

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench.ranker.candidates import (
    Asked,
    find_page,
    fold,
    indexed_sites,
    make_part,
    says,
    sites_parser,
)
from bench.ranker.fit_likelihood import report as report_chances
from bench.ranker.logistic import Doubles, fit_choice, fit_logistic, sign_table
from bench.ranker.weights_file import write_weights
from forager.adapters.memory.embeddings.embedder import MODEL_FOLDER, LocalEmbedder
from forager.answers.lead import Quote, find_sentences, find_signs, weigh_best
from forager.answers.likelihood import SignWeights, to_probability
from forager.domain.documents import Document
from forager.evidence.passages import find_passage_span
from forager.ports import Embedder, Rater
from forager.ranking import scoring
from forager.ranking.index import Index
from forager.text.quotes import Span, split_sentences

LOG = logging.getLogger(__name__)
COMPARED, SPANS = 24, 5
RIDGE = 3.0
STEPS = 15
LEAD_RIDGE, LEAD_STEPS = 1.0, 30
AROUND = 1000
SURE = 4
"""Characters of an answer that does not stand in a sentence by chance."""


class Choice(NamedTuple):
    """The sentences of a question: their signs, and which of them answer.

    `lead` are the signs of how likely the one that would be chosen answers, `lead_right` says
    whether it does; none does if the question is not `answerable`.
    """

    site: str
    question: str
    answerable: bool
    signs: list[dict[str, float]]
    right: list[bool]
    lead: dict[str, float]
    lead_right: bool


def make_choice(
    row: Asked, documents: Sequence[Document], index: Index, embedder: Embedder, rater: Rater
) -> Choice | None:
    """The sentences of the spans that would be quoted; None if there are none."""
    part = make_part(row, index)
    score = scoring.score_units(index, part, row.question, embedder, COMPARED)
    spans = scoring.choose_spans(index, [scoring.scores_to_odds(score)], SPANS)
    quotes = [
        Quote(
            index.place_text(int(index.page[first]), int(index.heading[first])),
            index.span_text(first, last),
            scoring.odds_to_score(mass),
        )
        for first, last, mass in spans
    ]
    if not quotes:
        return None
    every = find_sentences(quotes, part.text)
    gold = _gold_texts(row, documents)
    right = [_is_right(row, quotes[number].text[slice(*span)], gold) for number, span in every]
    signs = find_signs(part, quotes, every, rater)
    kept = [place for place, answers in enumerate(right) if answers is not None]
    place, lead = weigh_best(part, quotes, every, signs)
    return Choice(
        row.site,
        row.question,
        row.answerable,
        [signs[place] for place in kept],
        [bool(right[place]) for place in kept],
        lead,
        lead_right=right[place] is not False,
    )


def _is_right(row: Asked, sentence: str, gold: Sequence[str]) -> bool | None:
    """Does a sentence answer? None if it has the words of the answer, but stands elsewhere."""
    if not row.answerable:
        return False
    text = fold(sentence)
    answers = [each for each in row.answer if each not in {"yes", "no"}]
    quoted = any(text in quote or quote in text for quote in gold)
    said = all(says(text, each) for each in answers)
    if quoted or not answers or not said:
        return quoted and said
    return None if all(len(each) >= SURE for each in answers) else False


def _gold_texts(row: Asked, documents: Sequence[Document]) -> list[str]:
    """The sentences that the quotes of a question touch, folded."""
    found: list[str] = []
    for page in row.pages:
        _, document = find_page(page.path, documents)
        span = find_passage_span(document.text, page.quote) if document else None
        if document and span:
            found += _touched(document.text, span)
    return found


def _touched(text: str, span: Span) -> Iterator[str]:
    first = max(0, span[0] - AROUND)
    for start, end in split_sentences(text[first : span[1] + AROUND]):
        if start + first < span[1] and end + first > span[0]:
            yield fold(text[start + first : end + first])


def fit(choices: Sequence[Choice]) -> SignWeights:
    """The weights of the signs, by conditional logistic regression."""
    names = sorted({name for choice in choices for has in choice.signs for name in has})
    answered = [choice for choice in choices if any(choice.right)]
    tables = [sign_table(choice.signs, names) for choice in answered]
    found = fit_choice(tables, [np.array(choice.right) for choice in answered], RIDGE, STEPS)
    return _named_weights(names, found)


def _named_weights(names: Sequence[str], found: Doubles) -> SignWeights:
    rounded = (round(float(each), 4) for each in found)
    return SignWeights(signs=dict(zip(names, rounded, strict=True)))


def _best(choice: Choice, weights: SignWeights) -> int:
    return int(np.argmax([weights.log_odds(signs) for signs in choice.signs]))


def report(choices: Sequence[Choice]) -> None:
    """Print the share of right sentences, each site with weights fitted to the others."""
    sites = sorted({choice.site for choice in choices})
    hits: dict[str, list[float]] = {"as fitted": [], "score and rating": [], "rating": []}
    for site in sites:
        own = [choice for choice in choices if choice.site == site]
        fitted = fit([choice for choice in choices if choice.site != site])
        for name, weights in (
            ("as fitted", fitted),
            ("score and rating", SignWeights(signs={"score": 1.0, "rating": 0.05})),
            ("rating", SignWeights(signs={"rating": 1.0})),
        ):
            hits[name] += [float(choice.right[_best(choice, weights)]) for choice in own]
    held = np.mean([any(choice.right) for choice in choices])
    LOG.info("%d questions; one of the sentences answers for %.2f", len(choices), held)
    for name, every in hits.items():
        LOG.info("%-18s %.3f +- %.3f", name, np.mean(every), np.std(every) / len(every) ** 0.5)


def fit_likelihood(choices: Sequence[Choice]) -> SignWeights:
    """The weights of the signs of how likely a lead answers, by logistic regression."""
    names = sorted(choices[0].lead)
    right = np.array([float(choice.lead_right) for choice in choices])
    table = sign_table([choice.lead for choice in choices], names)
    return _named_weights(names, fit_logistic(table, right, LEAD_RIDGE, LEAD_STEPS))


def report_likelihood(choices: Sequence[Choice]) -> None:
    """Print how well it is told whether a lead answers, each site by weights of the others."""
    chance = np.zeros(len(choices))
    for site in {choice.site for choice in choices}:
        weights = fit_likelihood([choice for choice in choices if choice.site != site])
        for place, choice in enumerate(choices):
            if choice.site == site:
                chance[place] = to_probability(weights.log_odds(choice.lead))
    right = np.array([choice.lead_right for choice in choices])
    report_chances(chance, right, np.array([not choice.answerable for choice in choices]))


def main() -> None:
    """Read the command line, report, and write the weights with their hash."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = sites_parser(__doc__)
    parser.add_argument("--likelihood", type=Path, help="the file of how likely a lead answers")
    given = parser.parse_args()
    embedder = LocalEmbedder(MODEL_FOLDER)
    assert embedder.rater  # noqa: S101
    choices: list[Choice] = []
    for asked, documents, index in indexed_sites(
        given.questions, given.sites, given.only, embedder.matcher
    ):
        made = [make_choice(row, documents, index, embedder, embedder.rater) for row in asked]
        choices += [choice for choice in made if choice]
    answered = [choice for choice in choices if choice.answerable]
    report(answered)
    about = "log-odds that a sentence answers, beside the others' of the quotes"
    _write(given.out, about, len(answered), fit(answered))
    if given.likelihood:
        report_likelihood(choices)
        about = "log-odds that the sentence that leads an answer is right"
        _write(given.likelihood, about, len(choices), fit_likelihood(choices))


def _write(path: Path, about: str, questions: int, weights: SignWeights) -> None:
    made_by = "bench.ranker.lead_sentences"
    write_weights(path, about=about, made_by=made_by, questions=questions, signs=weights.signs)


if __name__ == "__main__":
    main()

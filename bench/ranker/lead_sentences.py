"""Which sentence of the quotes answers: fits the weights of `forager/answers/lead.py`.

    python -m bench.ranker.lead_sentences QUESTIONS.jsonl … --sites FOLDER --out WEIGHTS.json
        [--only A]

reports how often the sentence chosen has the answer, each site with weights fitted to other sites.
The sites must be such as the cross-encoder was not trained on.
"""

import logging
from collections.abc import Iterator, Sequence
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
from bench.ranker.logistic import fit_choice, sign_table
from bench.ranker.weights_file import write_weights
from forager.adapters.memory.embeddings.embedder import MODEL_FOLDER, LocalEmbedder
from forager.answers.lead import Quote, find_sentences, find_signs
from forager.answers.likelihood import SignWeights
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
AROUND = 1000
SURE = 4
"""Characters of an answer that does not stand in a sentence by chance."""


class Choice(NamedTuple):
    """The sentences of a question: their signs, and which of them answer."""

    site: str
    question: str
    signs: list[dict[str, float]]
    right: list[bool]


def make_choice(
    row: Asked, documents: Sequence[Document], index: Index, embedder: Embedder, rater: Rater
) -> Choice | None:
    """The sentences of the spans that would be quoted; None if none of them is known to answer."""
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
    return Choice(
        row.site,
        row.question,
        [signs[place] for place in kept],
        [bool(right[place]) for place in kept],
    )


def _is_right(row: Asked, sentence: str, gold: Sequence[str]) -> bool | None:
    """Does a sentence answer? None if it has the words of the answer, but stands elsewhere."""
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
    weights = fit_choice(tables, [np.array(choice.right) for choice in answered], RIDGE, STEPS)
    found = (round(float(each), 4) for each in weights)
    return SignWeights(signs=dict(zip(names, found, strict=True)))


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


def main() -> None:
    """Read the command line, report, and write the weights with their hash."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    given = sites_parser(__doc__).parse_args()
    embedder = LocalEmbedder(MODEL_FOLDER)
    assert embedder.rater  # noqa: S101
    choices: list[Choice] = []
    for asked, documents, index in indexed_sites(
        given.questions, given.sites, given.only, embedder.matcher
    ):
        made = [
            make_choice(row, documents, index, embedder, embedder.rater)
            for row in asked
            if row.answerable
        ]
        choices += [choice for choice in made if choice]
    report(choices)
    write_weights(
        given.out,
        about="log-odds that a sentence answers, beside the others' of the quotes",
        made_by="bench.ranker.lead_sentences",
        questions=len(choices),
        signs=fit(choices).signs,
    )


if __name__ == "__main__":
    main()

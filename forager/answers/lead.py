"""The lead of an answer: for each sub-question the words of a quote that answer it.

The sentence is chosen by a conditional logistic regression (McFadden 1974) over five signs, and
how likely it answers is told by a logistic regression; `bench.ranker.lead_sentences` fits both.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import groupby
from typing import Final, NamedTuple

import numpy as np

from forager.answers.lead_words import (
    asks_yes_or_no,
    find_candidates,
    find_words,
    kind_of,
    measured_nouns,
    rate_candidates,
)
from forager.answers.likelihood import read_sign_weights, to_probability
from forager.answers.reading import Reading
from forager.domain.answers import Lead, LeadKind
from forager.domain.state import Evidence, Passage, SubQuestion
from forager.evidence.passages import table_columns
from forager.ports import RatedPassage, Rater
from forager.prompts.sections import escape_citations
from forager.questions.list_intent import asks_how, parse_list_intent
from forager.questions.repetition import repeats_question
from forager.questions.required_terms import names_another, term_share
from forager.questions.subquestions import weighted_share
from forager.ranking.index import PLACE_MARK, place_line
from forager.ranking.scoring import CHARACTERS_BEFORE, rate_for_part, read_for_part
from forager.text.answer_types import STATED_DEFAULT, asks_default
from forager.text.needed_kinds import lacks_needed
from forager.text.quotes import Span, split_sentences
from forager.text.sentences import (
    BLOCK_MARK,
    CELL_SEPARATOR,
    HEADING,
    Block,
    split_blocks,
    table_at,
)
from forager.text.tables import Row, opens_with_names, parse_row, read_table
from forager.text.tokens import keywords, tokenize

LINE_END: Final = re.compile(r"\n")
IN_BRACKETS: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
AFTER_HEAD: Final = re.compile(r"\s(?:of|in|for|per)\s.*")
LEAST_WORDS, MOST_WORDS = -4.0, 4.0
"""Log-odds; the first is also that of a sentence without any words that may answer."""


class Quote(NamedTuple):
    """A quote, where it stands, and its score for the question."""

    place: str
    text: str
    score: float


class Sentence(NamedTuple):
    """The number of a quote, and a sentence of it."""

    quote: int
    span: Span


class Choice(NamedTuple):
    """A sentence of the quotes, and the log-odds that it answers, if there was a rater."""

    sentence: Sentence
    log_odds: float | None


WEIGHTS: Final = read_sign_weights("lead_sentence")
LIKELIHOOD: Final = read_sign_weights("lead_likelihood")


def find_sentences(quotes: Sequence[Quote], question: str) -> list[Sentence]:
    """The sentences of each quote but its headings and what repeats the question.

    A quote of nothing else is one. What is said first of a term of a definition list begins with
    the term. If the question names what a row of a table is about, no other row is one; if it asks
    who did something or what it costs, only those with a name or money are, and of a thing with a
    name only those that do not tell of another one, unless all do.
    """
    every = [
        Sentence(number, span)
        for number, quote in enumerate(quotes)
        for span in _sentences(quote.text, question, _term_end(quote))
    ]
    every = [
        each
        for each in every
        if not lacks_needed(
            question, quotes[each.quote].text[slice(*each.span)], quotes[each.quote].place
        )
    ] or every
    others = [names_another(question, quote.place, quote.text) for quote in quotes]
    every = [each for each in every if not others[each.quote]] or every
    asked = set(tokenize(question))
    subjects = [_row_subject(quotes[number].text[slice(*span)]) for number, span in every]
    if any(subject and subject <= asked for subject in subjects):
        return [
            sentence
            for sentence, subject in zip(every, subjects, strict=True)
            if not subject or subject <= asked
        ]
    return every


def choose_sentence(
    part: SubQuestion, quotes: Sequence[Quote], rater: Rater | None, given: Sentence | None = None
) -> Choice:
    """The sentence that most likely answers; without a rater the one with most of the words.

    If a sentence is given, it is that one, and its log-odds.
    """
    every = find_sentences(quotes, part.asked)
    if given is not None:
        every = every if given in every else [*every, given]
        if rater is None:
            return Choice(given, None)
        found = weigh(part, quotes, every, find_signs(part, quotes, every, rater), given)
        return Choice(given, LIKELIHOOD.log_odds(found))
    if rater is None:
        worth = [
            quotes[number].score + _word_share(part, quotes[number].text[slice(*span)])
            for number, span in every
        ]
        return Choice(every[int(np.argmax(worth))], None)
    place, signs = weigh_best(part, quotes, every, find_signs(part, quotes, every, rater))
    return Choice(every[place], LIKELIHOOD.log_odds(signs))


def weigh_best(
    part: SubQuestion,
    quotes: Sequence[Quote],
    every: Sequence[Sentence],
    signs: Sequence[Mapping[str, float]],
) -> tuple[int, dict[str, float]]:
    """The place of the sentence that most likely answers, and the signs of how likely it does."""
    place = int(np.argmax([WEIGHTS.log_odds(each) for each in signs]))
    return place, weigh(part, quotes, every, signs, every[place])


def weigh(
    part: SubQuestion,
    quotes: Sequence[Quote],
    every: Sequence[Sentence],
    signs: Sequence[Mapping[str, float]],
    sentence: Sentence,
) -> dict[str, float]:
    """The signs of how likely one of the sentences answers.

    They are its rating, the score of its quote below the best one's, the share of the terms that
    its quote has, and the log of its share in the odds of all sentences.
    """
    worth = np.array([WEIGHTS.log_odds(each) for each in signs])
    place = every.index(sentence)
    quote = quotes[sentence.quote]
    return {
        "bias": 1.0,
        "rating": signs[place]["rating"],
        "score": signs[place]["score"],
        "terms": term_share((quote.place, quote.text), part),
        "share": float(worth[place] - np.logaddexp.reduce(worth)),
    }


def find_signs(
    part: SubQuestion, quotes: Sequence[Quote], every: Sequence[Sentence], rater: Rater
) -> list[dict[str, float]]:
    """The size of each sentence's signs: the score of its quote below the best one's, its rating,
    the share of the terms that it has, whether its section is what is asked about, the log-odds of
    its answering words, and whether it states a default that is asked for."""
    passages = [_to_rate(quotes[number], span) for number, span in every]
    rated, seen = rate_for_part(part, passages, rater), _read(part, passages, rater)
    best = max(quote.score for quote in quotes)
    headed = [float(_is_headed(quote.place, part.asked)) for quote in quotes]
    texts = [quotes[number].text[slice(*span)] for number, span in every]
    default = asks_default(part.asked)
    return [
        {
            "score": quotes[number].score - best,
            "rating": float(rating),
            "terms": weighted_share(part.terms, frozenset(tokenize(text))),
            "heading": headed[number],
            "words": _answering_words(part.asked, text, read),
            "default": float(default and STATED_DEFAULT.search(text) is not None),
        }
        for (number, _), rating, text, read in zip(every, rated, texts, seen, strict=True)
    ]


def _read(part: SubQuestion, passages: Sequence[RatedPassage], rater: Rater) -> list[Reading]:
    found = read_for_part(part, passages, rater)
    return [Reading(each.text, tokens) for each, tokens in zip(passages, found, strict=True)]


def _is_headed(place: str, question: str) -> bool:
    """Is the section of a place, without what it has in brackets, all in the question?"""
    words = keywords(IN_BRACKETS.sub("", place.rpartition(PLACE_MARK)[2]))
    return bool(words) and set(words) <= set(keywords(question))


def _answering_words(question: str, text: str, read: Reading) -> float:
    """The log-odds of the words of a sentence that most likely answer, within limits."""
    if asks_yes_or_no(question) or asks_how(question):
        return 0.0
    found = rate_candidates(question, text, find_candidates(question, text, read), read)
    return min(max(found, default=LEAST_WORDS), MOST_WORDS)


def _row_subject(text: str) -> set[str]:
    """The words of the first cell of a row; empty if the text is none."""
    if not CELL_SEPARATOR.search(text):
        return set()
    cells = parse_row(text, 0, len(text)).cells
    return set(tokenize(text[slice(*cells[0])])) if cells else set()


def _word_share(part: SubQuestion, text: str) -> float:
    asked = set(tokenize(part.asked))
    return len(asked & set(tokenize(text))) / (len(asked) or 1)


def _to_rate(quote: Quote, span: Span) -> RatedPassage:
    """A sentence with what stands before it; a row with the header of its table instead."""
    table = table_at(quote.text, span[0])
    header = _header_row(quote.text, table) if table else None
    columns = [quote.text[slice(*cell)] for cell in header.cells] if header else []
    before = " | ".join(columns) if table else quote.text[: span[0]]
    return RatedPassage(quote.place, before[-CHARACTERS_BEFORE:], quote.text[slice(*span)])


def _sentences(text: str, question: str, term_end: int) -> list[Span]:
    headers = table_headers(text)
    spans = [
        span
        for span in split_sentences(text)
        if not HEADING.match(text, span[0])
        and not repeats_question(text[slice(*span)], question)
        and span[1] > term_end
        and not any(start <= span[0] < end for start, end in headers)
    ]
    if spans and term_end:
        spans[0] = (0, spans[0][1])
    return spans or [(0, len(text))]


def table_headers(text: str) -> list[Span]:
    """The header rows of the tables of a quote: they name what rows say, and say nothing."""
    tables = (block for block in split_blocks(text) if block.kind == "table")
    rows = (_header_row(text, table) for table in tables)
    return [(row.start, row.end) for row in rows if row]


def _header_row(text: str, table: Block) -> Row | None:
    """The header row of a table of a quote, if it has one.

    A quote may end after few rows, which do not tell. Where it begins before its table, the first
    row of the quote is that of the table.
    """
    names, rows = read_table(text, table.lines)
    begun = bool(text[: table.start].strip())
    return rows[0] if names or (begun and opens_with_names(text, rows)) else None


def _term_end(quote: Quote) -> int:
    """Where the lines at the start of a quote end that say its term; 0 if it begins with none."""
    if HEADING.match(quote.text):
        return 0
    term = tokenize(quote.place.rpartition(PLACE_MARK)[2])
    ends = (found.start() for found in LINE_END.finditer(quote.text))
    return next((end for end in ends if term and tokenize(quote.text[:end]) == term), 0)


MORE_QUOTES: Final = "More quotes:"
"""The line of an answer after which its further quotes stand."""
MIN_ITEMS = 2


class Said(NamedTuple):
    """Where a sentence, a list or code stands in a quote, and what it is as a lead."""

    start: int
    end: int
    kind: LeadKind = "sentence"


def find_lead(
    part: SubQuestion,
    entries: Sequence[Evidence],
    rater: Rater | None,
    *,
    compared: tuple[str, Span] | None = None,
) -> Lead:
    """The words of the sentence that most likely answers a part; all of it if none are found, or if
    it more likely does not answer.

    Of a part that fills a cell of a comparison, the sentence is what is `compared` there: a span of
    the quote with this id.
    """
    quotes = [
        Quote(
            place_line(item.passage.title, item.passage.section),
            item.passage.text,
            item.passage.scores.get(part.id, 0.0),
        )
        for item in entries
    ]
    ids = [item.id for item in entries]
    given = Sentence(ids.index(compared[0]), compared[1]) if compared else None
    (number, span), log_odds = choose_sentence(part, quotes, rater, given)
    item, said, text = entries[number], Said(*span), quotes[number].text
    said = (None if compared else _steps_or_list(part.text, text, said)) or said
    kind, start, end = said.kind, said.start, said.end
    read = _read(part, [_to_rate(quotes[number], span)], rater)[0] if rater else None
    words = ""
    if kind == "sentence" and (cell := find_asked_cell(part.asked, item.passage, (start, end))):
        start, end = cell
        kind = kind_of(text[start:end])
    elif (
        kind == "sentence"
        and (compared or log_odds is None or log_odds >= 0)
        and (found := find_words(part.asked, text[start:end], read))
    ):
        kind, words = found.kind, found.text
        start, end = said.start + found.start, said.start + found.end
    return Lead(
        part=part.text,
        kind="comparison" if compared and kind != "yes_no" else kind,
        text=words or text[start:end],
        quote=item.id,
        start=start,
        end=end,
        sentence_start=said.start,
        sentence_end=said.end,
        confidence=None if log_odds is None else round(to_probability(log_odds), 3),
    )


def find_asked_cell(question: str, quote: Passage, row: Span) -> Span | None:
    """The cell of a row whose column a question asks for, if it names one column best of all.

    Columns whose cell is in the question are what it asks about.
    """
    names = column_names(quote, row)
    if not names or asks_yes_or_no(question) or asks_how(question):
        return None
    asked = set(tokenize(question))
    sought = asked | set(tokenize(measured_nouns(question)))
    cells = parse_row(quote.text, *row).cells
    found = [
        (len(words), cell)
        for words, cell in zip(map(_head_words, names), cells, strict=False)
        if words
        and words <= sought
        and tokenize(quote.text[slice(*cell)])
        and not _is_asked(quote.text[slice(*cell)], asked)
    ]
    most = max((count for count, _ in found), default=0)
    best = [cell for count, cell in found if count == most]
    return best[0] if len(best) == 1 else None


def column_names(quote: Passage, row: Span) -> tuple[str, ...]:
    """The columns of the table with a row of a quote: they stand in the quote, or its section ends
    with them."""
    table = table_at(quote.text, row[0])
    if table is None:
        return ()
    header = _header_row(quote.text, table)
    if header:
        return tuple(quote.text[slice(*cell)] for cell in header.cells)
    return table_columns(quote.section)


def _head_words(name: str) -> set[str]:
    """The words of a column's name without brackets and what follows "of" and the like."""
    return set(tokenize(AFTER_HEAD.sub("", IN_BRACKETS.sub("", name))))


def _is_asked(words: str, asked: AbstractSet[str]) -> bool:
    """Are all words in the question?"""
    tokens = set(tokenize(words))
    return bool(tokens) and tokens <= asked


def lead_lines(leads: Sequence[Lead], quotes: Mapping[str, str]) -> list[str]:
    """The lines that say the leads, each cited; leads of the same sentence share their lines.

    `quotes` are the texts of the quotes by id.
    """
    return [
        line
        for group in same_sentence(leads)
        for line in _sentence_lines(group, quotes[group[0].quote])
    ]


def same_sentence(leads: Sequence[Lead]) -> list[tuple[Lead, ...]]:
    """The leads in order, those of the same sentence together at the place of the first."""
    places = [(lead.quote, lead.sentence_start, lead.sentence_end) for lead in leads]
    order = sorted(range(len(leads)), key=lambda place: places.index(places[place]))
    grouped = groupby(order, key=lambda place: places[place])
    return [tuple(leads[place] for place in group) for _, group in grouped]


def lead_words(leads: Sequence[Lead]) -> str:
    """The answering words of leads of one sentence, in one line; empty if it is all they have."""
    told = (" ".join(lead.text.split()) for lead in leads if not is_whole(lead))
    return "; ".join(dict.fromkeys(told))


def is_whole(lead: Lead) -> bool:
    """Is the whole sentence the answer?"""
    said = (lead.sentence_start, lead.sentence_end)
    return lead.kind != "yes_no" and (lead.start, lead.end) == said


def text_around(quote: str, leads: Sequence[Lead]) -> list[str]:
    """The stretches of a quote before, between and after the sentences of its leads."""
    stretches, start = list[str](), 0
    for lead in sorted(leads, key=lambda lead: lead.sentence_start):
        stretches.append(quote[start : lead.sentence_start])
        start = max(start, lead.sentence_end)
    return [*stretches, quote[start:]]


def quote_lines(text: str) -> Iterator[str]:
    """The paragraphs, items and lines of a quote, without headings and the marks of blocks."""
    lines = (line for line in text.split("\n") if not HEADING.match(line))
    plain = (" ".join(BLOCK_MARK.sub("", line).split()) for line in lines)
    yield from (line for line in plain if line)


def _sentence_lines(leads: Sequence[Lead], quote: str) -> Iterator[str]:
    said = lead_words(leads)
    first = f"{said}: " if said else ""
    for line in quote_lines(quote[leads[0].sentence_start : leads[0].sentence_end]):
        yield f"{escape_citations(f'{first}“{line}”')} [{leads[0].quote}]"
        first = ""


def _steps_or_list(question: str, text: str, said: Said) -> Said | None:
    """The code or list that a sentence is in or announces, if the question asks how something is
    done; or a list of its quote, if it asks for one."""
    how = asks_how(question)
    if not how and not parse_list_intent(question):
        return None
    found = [each for each in split_blocks(text) if _is_list(each) or (how and each.kind == "code")]
    if text[: said.end].rstrip().endswith(":"):
        meant = [each for each in found if each.start >= said.end][:1]
    else:
        meant = [each for each in found if each.start < said.end and said.start < each.end]
    if how:
        return Said(meant[0].start, found[-1].end, "steps") if meant else None
    listed = next(iter(meant or found), None)
    return Said(listed.start, listed.end, "list") if listed else None


def _is_list(block: Block) -> bool:
    return block.kind == "items" and len(block.lines) >= MIN_ITEMS

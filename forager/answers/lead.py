"""The lead of an answer: for each sub-question the words of a quote that answer it."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from forager.answers.lead_sentence import Quote, choose_sentence
from forager.answers.lead_words import asks_how, find_words
from forager.answers.likelihood import answer_probability
from forager.domain.answers import Lead, LeadKind
from forager.domain.state import Evidence, SubQuestion
from forager.ports import Rater
from forager.prompts.escaping import escape_citations
from forager.questions.list_intent import parse_list_intent
from forager.ranking.index import place_line
from forager.text.blocks import BLOCK_MARK, Block, split_blocks
from forager.text.sentences import HEADING

MORE_QUOTES: Final = "More quotes:"
"""The line of an answer after which its further quotes stand."""
MIN_ITEMS = 2


class Said(NamedTuple):
    """Where a sentence, a list or code stands in a quote, and what it is as a lead."""

    start: int
    end: int
    kind: LeadKind = "sentence"


def find_lead(
    part: SubQuestion, entries: Sequence[Evidence], rater: Rater | None, *, compared: bool = False
) -> Lead:
    """The words of the sentence that most likely answers a part; all of it if none are found."""
    item, said = _best_sentence(part, entries, rater)
    text = item.passage.text
    said = _steps_or_list(part.text, text, said) or said
    kind, start, end = said.kind, said.start, said.end
    words = ""
    if kind == "sentence" and (found := find_words(part.text, text[start:end])):
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
        confidence=round(answer_probability(part, [item], rater), 3) if rater else None,
    )


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


def _best_sentence(
    part: SubQuestion, entries: Sequence[Evidence], rater: Rater | None
) -> tuple[Evidence, Said]:
    quotes = [
        Quote(
            place_line(item.passage.title, item.passage.section),
            item.passage.text,
            item.passage.scores.get(part.id, 0.0),
        )
        for item in entries
    ]
    chosen = choose_sentence(part, quotes, rater)
    return entries[chosen.quote], Said(*chosen.span)

"""How an answer is laid out: its leads with their sentences first, its further quotes last."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from forager.answers.citation_check import CITATION_GROUP, EVIDENCE_ID
from forager.answers.conflicts import LEAD as DISAGREEMENT
from forager.answers.lead import MORE_QUOTES, is_whole, lead_lines, lead_words, same_sentence
from forager.domain.answers import Lead, Quote
from graphs.reports.quote_blocks import BETWEEN_CELLS, QuoteBlock, quote_blocks

SECTION_SEPARATOR = " › "


class LeadSentence(NamedTuple):
    """The words that answer `parts`, empty if the sentence does, and the lines of the sentence.

    `number` is that of its citation, `columns` the header of the table that a row is from.
    """

    parts: tuple[str, ...]
    words: str
    number: int
    blocks: tuple[QuoteBlock, ...]
    columns: tuple[str, ...]


class AnswerLayout(NamedTuple):
    """The lines before the leads, the leads, the lines after them, and the numbers of the rest."""

    before: tuple[str, ...]
    leads: tuple[LeadSentence, ...]
    after: tuple[str, ...]
    more: tuple[int, ...]


def lay_out_answer(
    text: str, citations: Sequence[Quote], leads: Sequence[Lead], sections: Mapping[str, str]
) -> AnswerLayout:
    """Lay out an answer; `sections` are the headings over the quotes, by id."""
    numbers = {item.id: number for number, item in enumerate(citations, 1)}
    quotes = {item.id: item.quote for item in citations}
    leads = [lead for lead in leads if lead.quote in quotes]
    said = {_without_citations(line) for line in lead_lines(leads, quotes)}
    before: list[str] = []
    after: list[str] = []
    more: dict[int, None] = {}
    led = folded = False
    for line in filter(str.strip, text.splitlines()):
        if leads and line.strip() == MORE_QUOTES:
            folded = True
        elif _without_citations(line) in said:
            led = True
        elif folded and not line.startswith(DISAGREEMENT):
            more |= dict.fromkeys(numbers[id] for id in EVIDENCE_ID.findall(line) if id in numbers)
        else:
            (after if led else before).append(line)
    if not led:
        return AnswerLayout((*before, *after), (), (), ())
    told = tuple(_lead_sentence(group, quotes, numbers, sections) for group in same_sentence(leads))
    return AnswerLayout(tuple(before), told, tuple(after), tuple(more))


def _lead_sentence(
    leads: Sequence[Lead],
    quotes: Mapping[str, str],
    numbers: Mapping[str, int],
    sections: Mapping[str, str],
) -> LeadSentence:
    first = leads[0]
    marks = [(lead.start, lead.end) for lead in leads if not is_whole(lead)]
    within = first.sentence_start, first.sentence_end
    heading = sections.get(first.quote, "").rsplit(SECTION_SEPARATOR, 1)[-1]
    return LeadSentence(
        parts=tuple(dict.fromkeys(lead.part.rstrip(" ,;") for lead in leads)),
        words=lead_words(leads),
        number=numbers[first.quote],
        blocks=tuple(quote_blocks(quotes[first.quote], marks or [within], within)),
        columns=tuple(heading.split(BETWEEN_CELLS)) if BETWEEN_CELLS in heading else (),
    )


def _without_citations(line: str) -> str:
    return CITATION_GROUP.sub("", line).strip()

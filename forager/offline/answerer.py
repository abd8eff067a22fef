"""Writes an answer by quoting the ledger: leads and further quotes, or a table."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from forager.answers import answer_table, conflicts
from forager.answers.answer_table import ComparedCell, WrittenTable
from forager.answers.lead import MORE_QUOTES, find_lead, lead_lines, quote_lines, text_around
from forager.domain.answers import Lead
from forager.domain.state import Evidence, SubQuestion
from forager.ports import Embedder, Rater
from forager.prompts.sections import escape_citations
from forager.questions.required_terms import MIN_ADDED_SHARE, added_share, keep_mentioning
from forager.questions.subquestions import distinct_texts
from forager.ranking.scoring import odds_shares

HAS_WORDS = re.compile(r"[^\W_]")


class OfflineAnswer(NamedTuple):
    """The text, empty if the ledger does not say; what stayed open; table and leads, if any."""

    text: str
    open: list[str]
    table: WrittenTable = WrittenTable()
    leads: Sequence[Lead] = ()


def write_answer(  # noqa: PLR0913
    question: str,
    parts: Sequence[SubQuestion],
    ledger: Sequence[Evidence],
    embedder: Embedder,
    *,
    citations: int,
    least: float,
    open: Sequence[str] = (),
) -> OfflineAnswer:
    """Begin with the lead of each part; then give further quotes.

    At most `citations` entries are quoted, and one more for each further sub-question. A part is
    open if no entry scores `least` for it; it has no lead, nor have those judged `open` before.
    The leads of a comparison are the cells of its table.
    """
    left = _open_questions(parts, ledger, least)
    made = answer_table.table_by_rule(question, parts, ledger, least)
    if made and made.text:
        return OfflineAnswer(made.text, made.open, table=made.table)
    if len(left) == len({part.text for part in parts}):
        return OfflineAnswer("", left)
    count = citations + len({part.text for part in parts}) - 1
    chosen = choose_entries(parts, keep_mentioning(ledger, parts), count)
    chosen = conflicts.newest_first(chosen)
    told = [part for part in parts if part.text not in {*left, *open}]
    if made:
        cited = {id for _, id, _ in made.cells}
        beside = [item for item in ledger if item.id in cited and item not in chosen]
        leads = _cell_leads(made.cells, [*chosen, *beside], embedder.rater)
    else:
        leads = _find_leads(told, chosen, embedder.rater)
    texts = {item.id: item.passage.text for item in ledger}
    lines = [*lead_lines(leads, texts), *_more_lines(leads, chosen)]
    if made:
        return OfflineAnswer("\n".join(lines), made.open, table=made.table, leads=leads)
    return OfflineAnswer("\n".join(lines), left, leads=leads)


def _find_leads(
    parts: Sequence[SubQuestion], chosen: Sequence[Evidence], rater: Rater | None
) -> list[Lead]:
    """The lead of each part; of one that is looked up on several sites, the most likely one.

    Those that it names come first.
    """
    leads: dict[str, Lead] = {}
    standing = conflicts.without_superseded(chosen)
    for part in sorted(parts, key=lambda each: each.weight < 1):
        if part.weight < 1 and part.text in leads:
            continue
        bearing = [item for item in standing if item.passage.scores.get(part.id, 0.0) > 0]
        if not bearing:
            continue
        lead = find_lead(part, bearing, rater)
        known = leads.get(part.text)
        if known is None or (lead.confidence or 0.0) > (known.confidence or 0.0):
            leads[part.text] = lead
    return [leads[text] for text in distinct_texts(parts) if text in leads]


def _cell_leads(
    cells: Sequence[ComparedCell], entries: Sequence[Evidence], rater: Rater | None
) -> list[Lead]:
    """A lead for each cell of a comparison, in its own words."""
    leads = []
    for part, id, span in cells:
        bearing = [
            item for item in entries if item.id == id or item.passage.scores.get(part.id, 0.0) > 0
        ]
        leads.append(find_lead(part, bearing, rater, compared=(id, span)))
    return leads


def _more_lines(leads: Sequence[Lead], chosen: Sequence[Evidence]) -> list[str]:
    """The further quotes under their heading, what stands around each lead first."""
    first = {lead.quote for lead in leads}
    ordered = sorted(chosen, key=lambda item: item.id not in first)
    lines = [line for item in ordered for line in quote_entry(item, leads)]
    return [MORE_QUOTES, *lines] if leads and lines else lines


def _open_questions(
    parts: Sequence[SubQuestion], ledger: Sequence[Evidence], least: float
) -> list[str]:
    """The texts of the parts for which no entry that has their required terms scores `least`."""
    best = {part.text: 0.0 for part in parts}
    for part in parts:
        bearing = (item for item in ledger if added_share(item, part) >= MIN_ADDED_SHARE)
        scores = [item.passage.scores.get(part.id, 0.0) for item in bearing]
        best[part.text] = max([best[part.text], *scores])
    return [text for text, score in best.items() if score < least]


def choose_entries(
    parts: Sequence[SubQuestion], ledger: Sequence[Evidence], count: int
) -> list[Evidence]:
    """At most `count` entries, best first, by their shares of the odds of all parts."""
    weights = {part.id: part.weight for part in parts}
    held = odds_shares([item.passage.scores for item in ledger])
    values = [sum(weights.get(part, 0) * share for part, share in of.items()) for of in held]
    order = sorted(range(len(ledger)), key=lambda place: -values[place])
    return [ledger[place] for place in order[:count]]


def quote_entry(item: Evidence, leads: Sequence[Lead] = ()) -> Iterator[str]:
    """A line for each paragraph, item or line of an entry, with its id; the first has its place.

    What the leads say is left out, and lines of nothing but signs.
    """
    passage = item.passage
    place = ", ".join(dict.fromkeys(name for name in (passage.title, passage.section) if name))
    around = text_around(passage.text, [lead for lead in leads if lead.quote == item.id])
    lines = (line for text in around for line in quote_lines(text))
    for line in filter(HAS_WORDS.search, lines):
        yield f"{escape_citations(f'{place}: “{line}”' if place else f'“{line}”')} [{item.id}]"
        place = ""

"""Discloses conflicts between sources in an answer: both quotes, side by side.

Nothing decides which of them is right. A page that gives itself a newer date is preferred to one
with an older date; a page without a date is neither newer nor older.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from forager.answers.citation_check import CITATION_GROUP, EVIDENCE_ID
from forager.domain.state import Evidence, SubQuestion
from forager.evidence.agreement import find_clash
from forager.prompts.sections import escape_citations
from forager.text.quotes import split_sentences
from forager.text.sentences import BLOCK_MARK

LEAD = "Sources disagree:"
MOST_PAIRS = 3
LONGEST_QUOTE = 300
"""Quotes up to this many characters are shown whole; of longer ones only the sentence at issue."""
CUT = "…"


class DisclosedText(NamedTuple):
    """An answer's text that discloses its conflicts, and the ids that it cites."""

    text: str
    cited: tuple[str, ...]


def disclose_conflicts(
    text: str, cited: Sequence[str], ledger: Iterable[Evidence], parts: Sequence[SubQuestion]
) -> DisclosedText:
    """Append a line for each conflict of cited evidence that the text does not mention itself."""
    entries = {item.id: item for item in ledger}
    pairs = _undisclosed_pairs(text, cited, entries)[:MOST_PAIRS]
    lines = [_conflict_line(entries[one], entries[other], parts) for one, other in pairs]
    added = [id for pair in pairs for id in pair]
    return DisclosedText("\n".join([text, *lines]), tuple(dict.fromkeys((*cited, *added))))


def newest_first(chosen: Sequence[Evidence]) -> list[Evidence]:
    """Keep the order, but move evidence ahead of older evidence that it contradicts."""
    order = list(chosen)
    for item in chosen:
        before = [
            place
            for place, other in enumerate(order)
            if other.id in item.conflicts and newer_of(item, other) is item
        ]
        place = order.index(item)
        if before and before[0] < place:
            order.insert(before[0], order.pop(place))
    return order


def without_superseded(chosen: Sequence[Evidence]) -> list[Evidence]:
    """The evidence that none of the other evidence contradicts and is newer than."""
    return [
        item
        for item in chosen
        if not any(
            other.id in item.conflicts and newer_of(item, other) is other for other in chosen
        )
    ]


def newer_of(one: Evidence, other: Evidence) -> Evidence | None:
    """The evidence whose page gives itself the newer date; None if that is unknown."""
    left, right = one.passage.dated, other.passage.dated
    if not left or not right or left.startswith(right) or right.startswith(left):
        return None
    return one if left > right else other


def _undisclosed_pairs(
    text: str, cited: Sequence[str], entries: Mapping[str, Evidence]
) -> list[tuple[str, str]]:
    """The pairs of conflicting evidence, at least one cited, that no sentence cites together."""
    if not text:
        return []
    together = [set(ids) for ids in _ids_by_sentence(text)]
    pairs: dict[frozenset[str], tuple[str, str]] = {}
    for id in cited:
        for other in entries[id].conflicts if id in entries else ():
            pairs.setdefault(frozenset((id, other)), (id, other))
    return [
        _newer_first(entries[one], entries[other])
        for one, other in pairs.values()
        if other in entries and not any({one, other} <= ids for ids in together)
    ]


def _newer_first(one: Evidence, other: Evidence) -> tuple[str, str]:
    """The pair of ids, the newer one first if that is known."""
    return (other.id, one.id) if newer_of(one, other) is other else (one.id, other.id)


def _ids_by_sentence(text: str) -> Iterator[list[str]]:
    """The ids that each sentence cites; citations may follow its full stop."""
    for line in text.split("\n"):
        ends = [end for _, end in split_sentences(line)]
        done = 0
        for end in ends:
            group = CITATION_GROUP.match(line, end)
            stop = group.end() if group else end
            yield EVIDENCE_ID.findall(" ".join(CITATION_GROUP.findall(line[done:stop])))
            done = stop


def _conflict_line(one: Evidence, other: Evidence, parts: Sequence[SubQuestion]) -> str:
    said = _conflicting_quotes(one, other, parts)
    quoted = "; ".join(
        _quote_with_source(item, words) for item, words in zip((one, other), said, strict=True)
    )
    if newer_of(one, other) is one:
        why = f"[{one.id}] is newer by the dates on the pages, and is preferred."
    else:
        why = "Neither is preferred: the dates do not show which is newer."
    return f"{LEAD} {quoted}. {why}"


def _quote_with_source(item: Evidence, words: str) -> str:
    passage = item.passage
    place = " ".join((passage.title or passage.url).split())
    date = f", dated {passage.dated}" if passage.dated else ""
    said = escape_citations(f"“{words}” ({place}{date})")
    return f"{said} [{item.id}]"


def _conflicting_quotes(
    one: Evidence, other: Evidence, parts: Sequence[SubQuestion]
) -> tuple[str, str]:
    """Both quotes; of long ones the sentences that contradict each other, or the beginnings."""
    whole = _plain_text(one.passage.text), _plain_text(other.passage.text)
    if max(map(len, whole)) <= LONGEST_QUOTE:
        return whole
    for part in parts:
        if found := find_clash(one.passage, other.passage, part):
            return _shorten_quote(_plain_text(found.one)), _shorten_quote(_plain_text(found.other))
    return _shorten_quote(whole[0]), _shorten_quote(whole[1])


def _plain_text(text: str) -> str:
    return " ".join(BLOCK_MARK.sub("", text).split())


def _shorten_quote(text: str) -> str:
    if len(text) <= LONGEST_QUOTE:
        return text
    return (
        text[: text.rfind(" ", 0, LONGEST_QUOTE) if " " in text[:LONGEST_QUOTE] else LONGEST_QUOTE]
        + CUT
    )

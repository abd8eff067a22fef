"""Rounds that found nothing of what is open: when further ones are not worth their cost."""

from collections.abc import Sequence

from forager.domain.state import Evidence, State, SubQuestion
from forager.questions.required_terms import mentions_required
from forager.questions.subquestions import open_sub_questions

BEARING_SCORE = 0.5
"""The least score of an entry that bears on a part."""


def dry_reason(state: State, most: int, *, absent_only: bool = False) -> str:
    """Why the last rounds speak against another one; empty if they do not.

    `most` dry rounds are enough where words of every open look-up are on no page of its site, one
    more elsewhere, unless `absent_only`.
    """
    open = open_sub_questions(state.survey, state.verdict)
    if not most or not open or (state.verdict is None and state.evidence):
        return ""
    dry = _count_dry_rounds(state, open)
    absent = _absent_terms(state, open)
    if absent and dry >= most:
        return f"no page has {', '.join(absent)}, and {dry} rounds found nothing"
    return f"{dry} rounds in a row found nothing" if dry > most and not absent_only else ""


def _count_dry_rounds(state: State, open: Sequence[SubQuestion]) -> int:
    """How many rounds there were since the last entry that bears on an open part."""
    bearing = (item.round for item in state.evidence if _bears_on_any(item, open))
    return state.draw.round - max((0, *bearing))


def _bears_on_any(item: Evidence, open: Sequence[SubQuestion]) -> bool:
    return not item.dropped and any(
        item.passage.scores.get(part.id, 0.0) >= BEARING_SCORE and mentions_required(item, part)
        for part in open
    )


def _absent_terms(state: State, open: Sequence[SubQuestion]) -> tuple[str, ...]:
    """The required words of the open look-ups; none if one of them may be on a page."""
    if not all(part.unknown and part.site in state.survey.whole for part in open):
        return ()
    return tuple(dict.fromkeys(term for part in open for term in part.unknown))

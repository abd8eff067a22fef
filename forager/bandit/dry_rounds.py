"""Dry rounds, which found nothing for any open sub-question: when another is not worth its cost."""

from collections.abc import Sequence

from forager.domain.state import Evidence, State, SubQuestion
from forager.questions.required_terms import mentions_required
from forager.questions.subquestions import open_sub_questions

BEARING_SCORE = 0.5
"""The least score with which an entry bears on a sub-question."""


def dry_reason(state: State, most: int, *, absent_only: bool = False) -> str:
    """Why another round is not worth its cost, after the last ones; empty if it is.

    `most` dry rounds in a row are enough if every open sub-question has a required word that is on
    no page of its site. Otherwise one more is needed, and with `absent_only` none are enough.
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
    """The rounds since the last entry that bears on an open sub-question."""
    bearing = (item.round for item in state.evidence if _bears_on_any(item, open))
    return state.draw.round - max((0, *bearing))


def _bears_on_any(item: Evidence, open: Sequence[SubQuestion]) -> bool:
    return not item.dropped and any(
        item.passage.scores.get(part.id, 0.0) >= BEARING_SCORE and mentions_required(item, part)
        for part in open
    )


def _absent_terms(state: State, open: Sequence[SubQuestion]) -> tuple[str, ...]:
    """The required words that no page has; none if any open sub-question may still be answered."""
    if not all(part.unknown and part.site in state.survey.whole for part in open):
        return ()
    return tuple(dict.fromkeys(term for part in open for term in part.unknown))

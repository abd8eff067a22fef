"""Adds a site to a survey that already exists.

Sub-questions of the new site get new ids; existing ids stay, so that evidence and verdicts remain
valid.
"""

from collections.abc import Iterable

from forager.bandit.arms import merge_arms
from forager.domain.state import Arm, State, SubQuestion, Survey
from forager.questions.subquestions import ID_NUMBER, next_number


def add_site_survey(
    state: State, survey: Survey, arms: Iterable[Arm]
) -> tuple[Survey, tuple[Arm, ...]]:
    """Merge a new site's survey and arms into those of `state`.

    The new sub-questions are looked up from the current round on.
    """
    first = next_number(state.survey.parts) - 1
    names = {part.id: _shift_id(part.id, first) for part in survey.parts}
    since = max(1, state.draw.round)
    parts = tuple(
        part.model_copy(update={"id": names[part.id], "since": since}) for part in survey.parts
    )
    known = {arm.url: arm for arm in state.arms}
    for arm in arms:
        renamed = _rename_sub_questions(arm, names)
        known[arm.url] = merge_arms(known.get(arm.url), renamed)
    return _join_surveys(state.survey, survey, parts), tuple(known.values())


def _join_surveys(old: Survey, new: Survey, parts: tuple[SubQuestion, ...]) -> Survey:
    return Survey(
        parts=(*old.parts, *parts),
        pages=old.pages | new.pages,
        whole=(*old.whole, *new.whole),
        notes=(*old.notes, *new.notes),
        faults=(*old.faults, *new.faults),
        forms=(*old.forms, *new.forms),
    )


def _shift_id(id: str, first: int) -> str:
    """The id with its number raised by `first`, so that it is unique in the state."""
    found = ID_NUMBER.match(id)
    return f"p{int(found[1]) + first}{id[found.end() :]}" if found else f"{id}+{first}"


def _rename_sub_questions(arm: Arm, names: dict[str, str]) -> Arm:
    scores = {names.get(part, part): score for part, score in arm.scores.items()}
    return arm.model_copy(update={"part": names.get(arm.part, arm.part), "scores": scores})

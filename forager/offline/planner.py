"""Splits a question into look-ups, and rewrites those that waited for the result of another."""

from forager.questions import dependencies
from forager.questions.dependencies import WaitingSubQuestion
from forager.questions.followups import without_context
from forager.questions.split import split_question
from forager.questions.subquestions import PlannedLookup
from forager.text.answer_types import default_keyword


def plan_look_ups(
    question: str, context: str, waited: WaitingSubQuestion | None
) -> tuple[list[PlannedLookup], str]:
    """The look-ups of a question, and the context they share.

    `context` is what a follow-up depends on; it is not looked up again. If a look-up `waited`, only
    that one is rewritten with the result it needed; none is if the quotes do not say it clearly.
    """
    if waited:
        result = dependencies.find_result(waited, question)
        rewritten = dependencies.insert_result(waited.ask, result) if result else ""
        return ([PlannedLookup(ask=rewritten)] if rewritten else []), ""
    found = split_question(without_context(question, context))
    cells = found.cells or (("", ""),) * len(found.asked)
    needs = (0,) * len(cells) if found.cells else dependencies.find_dependencies(found.asked)
    look_ups = [
        PlannedLookup(ask=ask, search=default_keyword(ask), needs=needed, row=row, column=column)
        for ask, needed, (row, column) in zip(found.asked, needs, cells, strict=True)
    ]
    return look_ups, f"{context} {found.context}".strip()

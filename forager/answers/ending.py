"""How a run ends: its status, what is open, and why; the last judgement binds."""

from collections.abc import Sequence
from typing import NamedTuple

from forager.answers.closed_pages import decisive_page
from forager.budget import exhausted_limit
from forager.domain.answers import NearestQuote, Status
from forager.domain.state import Evidence, State, SubQuestion
from forager.questions.required_terms import mentions_required
from forager.questions.subquestions import distinct_texts, open_sub_questions, standing_verdict
from forager.text.answer_types import missing_kinds

NO_LIMIT = "The pages that were read do not say."
MODEL_SILENT = "The language model gave no usable answer; the quotes were chosen by rule."


class Ending(NamedTuple):
    """The status, the reason for it (empty if answered), and what is open, in words."""

    status: Status
    reason: str
    open: tuple[str, ...]


def settle_ending(  # noqa: PLR0913
    state: State,
    text: str,
    open: Sequence[str],
    quoted: Sequence[Evidence] = (),
    *,
    by_rule: bool = False,
    quotes_alone: bool = False,
) -> Ending:
    """The ending of a run whose answer has this text and names this as open.

    It is `answered` only if the last judgement left nothing open either, and if no rule had to
    write the answer for a model (`by_rule`). Where rules chose all quotes and the text is nothing
    else (`quotes_alone`), it is no part of an answer unless a quote covers a sub-question. Where a
    page that could not be read matches a sub-question clearly better than what is `quoted`, the
    reason names it, and the status is not `answered`.
    """
    left = tuple(dict.fromkeys((*open, *left_open(state))))
    limit = _limit_reached(state)
    decisive = decisive_page(state, quoted)
    shut = f" {decisive[1].told}" if decisive else ""
    if not text:
        left = left or distinct_texts(state.survey.parts) or (state.asked,)
        status: Status = "partial" if limit else "abstained"
    elif by_rule:
        return Ending("partial", f"{MODEL_SILENT}{shut} {pages_read(state)}", left)
    elif left:
        vain = quotes_alone and not limit and _nothing_is_covered(state)
        status = "abstained" if vain else "partial"
    elif decisive:
        return Ending("partial", f"{decisive[1].told} {pages_read(state)}", (decisive[0].text,))
    else:
        return Ending("answered", "", ())
    return Ending(status, f"{_cause(state, limit)}{shut} {pages_read(state)}", left)


def left_open(state: State) -> tuple[str, ...]:
    """What the last judgement leaves open, in words.

    It is the critic's; in a graph without one the reflector's on an attempt that it finds
    adequate, or else the aggregator's.
    """
    if state.verdict is not None:
        return distinct_texts(open_sub_questions(state.survey, standing_verdict(state)))
    if state.lessons and state.lessons[-1].outcome == "adequate":
        return ()
    return state.feedback.open


def _nothing_is_covered(state: State) -> bool:
    verdict = standing_verdict(state)
    return verdict is not None and not verdict.covered


def pages_read(state: State) -> str:
    """How many pages were read, of how many known ones; one sentence."""
    quoted = {item.passage.url for item in state.evidence}
    read = len({step.page.url for step in state.steps if step.page} | quoted)
    if not read:
        return "No page was read."
    known = sum(state.survey.pages.values())
    of = f" of {known:,}" if known > read else ""
    return f"Pages read: {read}{of}."


def nearest_quote(state: State, ledger: Sequence[Evidence]) -> NearestQuote | None:
    """The quote that comes closest to what is open, and why it does not answer it, if any."""
    open = set(left_open(state))
    parts = [part for part in state.survey.parts if not open or part.text in open]
    rated = [
        (item.passage.scores.get(part.id, 0.0), place, part)
        for place, item in enumerate(ledger)
        for part in parts or state.survey.parts
    ]
    if not rated:
        return None
    _, place, part = max(rated, key=lambda each: each[0])
    passage = ledger[place].passage
    return NearestQuote(
        id=ledger[place].id,
        url=passage.url,
        title=passage.title,
        quote=passage.text,
        why=_why_not(ledger[place], part, state),
    )


def _why_not(item: Evidence, part: SubQuestion, state: State) -> str:
    """The name or the kind of value that a quote lacks; else what the critic said."""
    if part.unknown and not mentions_required(item, part):
        return f"It does not mention {' or '.join(part.unknown)}."
    if kinds := missing_kinds(part.text, item.passage.text):
        return f"It gives no {' or '.join(kinds)}."
    if state.verdict and state.verdict.reason and not state.verdict.reason.startswith("open: "):
        return state.verdict.reason
    return "It does not say what is asked."


def _limit_reached(state: State) -> str:
    """The limit of the question's budget that ended the run; empty if none did."""
    budget = state.question.budget
    if limit := exhausted_limit(budget, state.spend):
        return limit
    return "rounds" if budget.rounds is not None and state.draw.round >= budget.rounds else ""


def _cause(state: State, limit: str) -> str:
    """Why the run ended with something open, in a sentence."""
    if limit:
        return f"The budget of {limit} is spent."
    if not state.draw.urls and state.draw.reason:
        return f"{state.draw.reason[0].upper()}{state.draw.reason[1:]}."
    return NO_LIMIT

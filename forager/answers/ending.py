"""How a run ends: its status, what is open, and why; the last judgement binds.

A page that could not be read although it seems to answer better than the quotes is such a reason.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from forager.bandit.posterior import ALL_RETIRED
from forager.budget import exhausted_limit
from forager.domain.answers import NearestQuote, Status
from forager.domain.documents import ASKS_FOR_LOGIN
from forager.domain.state import Evidence, State, SubQuestion
from forager.domain.survey import ClosedPage
from forager.domain.urls import page_identity
from forager.errors import CLOSED_STATUSES
from forager.questions.required_terms import mentions_required
from forager.questions.subquestions import (
    distinct_texts,
    open_sub_questions,
    standing_verdict,
    weighted_share,
)
from forager.text.answer_types import asks_for_kind, missing_kinds
from forager.text.languages import detect_language
from forager.text.tokens import tokenize

MAX_KEPT = 40
WORDED = re.compile(r"[^\W_]")
"""In a quote that says anything at all."""
LEAST_FIT = 0.4
"""The share of a sub-question's weighted terms that a closed page's name must hold."""
NAMED = 0.8
"""The same of a page that seems to be about the very thing asked."""
LEAST_MISSING = 0.2
"""The share of them that it holds and neither the quotes nor the name of a read page do."""


def best_matching(
    closed: Iterable[ClosedPage], parts: Sequence[SubQuestion]
) -> tuple[ClosedPage, ...]:
    """The closed pages that match a part best, at most `MAX_KEPT`."""
    fits = [(max((_fit(page, part) for part in parts), default=0.0), page) for page in closed]
    ordered = sorted(fits, key=lambda each: -each[0])
    return tuple(page for fit, page in ordered if fit > 0)[:MAX_KEPT]


def decisive_page(
    state: State, quoted: Sequence[Evidence]
) -> tuple[SubQuestion, ClosedPage] | None:
    """The closed page that matches a part clearly better than what was quoted or read, if any."""
    bearing = [item for item in quoted if _may_say(item, state.survey.parts)]
    read = {page_identity(item.passage.url) for item in bearing}
    closed = [page for page in _closed_pages(state) if page_identity(page.url) not in read]
    names = _names_of_read_pages(state, {page_identity(page.url) for page in closed})
    found = [
        (fit, part, page)
        for page in closed
        for part in state.survey.parts
        if (fit := _fit(page, part)) >= LEAST_FIT
        and weighted_share(
            part.terms, _name_terms(page) - names - _quoted_terms(bearing, page, part)
        )
        >= LEAST_MISSING
    ]
    return max(found, key=lambda each: each[0])[1:] if found else None


def _closed_pages(state: State) -> Iterator[ClosedPage]:
    """Those that the survey met, and those that the run tried to open."""
    yield from state.survey.closed
    for step in state.steps:
        if step.closed:
            yield step.closed
        if step.page and step.page.note == ASKS_FOR_LOGIN:
            title = (step.page.title,) if step.page.title else ()
            target = step.action.target if step.action.kind == "visit" else step.page.url
            yield ClosedPage(url=target, why=CLOSED_STATUSES[401], texts=title)


def _names_of_read_pages(state: State, closed: AbstractSet[str]) -> set[str]:
    """The terms of the titles and addresses of pages that were read."""
    pages = [step.page for step in state.steps if step.page and step.page.note != ASKS_FOR_LOGIN]
    return {
        term
        for page in pages
        if page_identity(page.url) not in closed
        for term in tokenize(f"{page.title} {_path(page.url)}")
    }


def _fit(page: ClosedPage, part: SubQuestion) -> float:
    return weighted_share(part.terms, _name_terms(page))


def _name_terms(page: ClosedPage) -> set[str]:
    return set(tokenize(" ".join((*page.texts, _path(page.url)))))


def _quoted_terms(quoted: Sequence[Evidence], page: ClosedPage, part: SubQuestion) -> set[str]:
    """The terms of other pages' quotes, without texts of links to the page, which say nothing."""
    if _fit(page, part) >= NAMED and not asks_for_kind(part.text):
        return set()  # a quote cannot be seen to say more than the name of the page
    found: set[str] = set()
    others = (item.passage for item in quoted if not _is_of(item, page))
    for passage in others:
        text = passage.text
        for link in filter(None, page.texts):
            text = text.replace(link, " ")
        found.update(tokenize(f"{passage.title} {passage.section} {text} {_path(passage.url)}"))
    return found


def _may_say(item: Evidence, parts: Sequence[SubQuestion]) -> bool:
    """Does a quote hold much of what a part is about, and a thing of the kind that it asks for?"""
    terms = set(tokenize(item.passage.text))
    return any(
        weighted_share(part.terms, terms) >= LEAST_FIT
        and not missing_kinds(part.text, item.passage.text)
        for part in parts
    )


def _is_of(item: Evidence, page: ClosedPage) -> bool:
    return page_identity(item.passage.url) == page_identity(page.url)


def _path(url: str) -> str:
    split = urlsplit(url)
    return unquote(f"{split.path} {split.query}")


KIND_NAMES = {"measure": "measurement", "share": "percentage", "count": "number"}
"""What a reader calls types of answer whose own names say less."""
NO_LIMIT = "The pages that were read do not say."
OTHER_LANGUAGE = "The pages are in another language than the question: ask in theirs."
STOPPED = "The run was stopped."
ROUNDS_USED = "all rounds are used"
"""How the reason begins of a draw that takes no arm as no round is left."""
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
    reason names it, and the status is not `answered`. Where nothing was quoted, a limit that is
    spent makes `partial` of `abstained`, unless pages were read in vain: more of the limit may then
    find no more either.
    """
    left = tuple(dict.fromkeys((*open, *left_open(state))))
    limit = _limit_reached(state)
    decisive = decisive_page(state, quoted)
    shut = f" {decisive[1].told}" if decisive else ""
    if not text:
        left = left or distinct_texts(state.survey.parts) or (state.asked,)
        status: Status = "partial" if limit and not _was_sought_in_vain(state) else "abstained"
    elif by_rule:
        return Ending("partial", f"{MODEL_SILENT}{shut} {pages_read(state)}", left)
    elif left:
        vain = quotes_alone and _nothing_is_covered(state)
        status = "abstained" if vain else "partial"
    elif decisive:
        return Ending("partial", f"{decisive[1].told} {pages_read(state)}", (decisive[0].text,))
    else:
        return Ending("answered", "", ())
    return Ending(status, f"{_cause(state, limit)}{shut} {pages_read(state)}".strip(), left)


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


def _was_sought_in_vain(state: State) -> bool:
    """Were pages read, and was no part of an answer seen on them?"""
    if not _count_read(state):
        return False
    return not state.evidence if state.verdict is None else _nothing_is_covered(state)


def _nothing_is_covered(state: State) -> bool:
    verdict = standing_verdict(state)
    return verdict is not None and not verdict.covered


def pages_read(state: State) -> str:
    """How many pages were read, of how many known ones; one sentence."""
    read = _count_read(state)
    if not read:
        return "No page was read."
    known = sum(state.survey.pages.values())
    of = f" of {known:,}" if known > read else ""
    return f"Pages read: {read}{of}."


def _count_read(state: State) -> int:
    quoted = {item.passage.url for item in state.evidence}
    return len({step.page.url for step in state.steps if step.page} | quoted)


def nearest_quote(state: State, ledger: Sequence[Evidence]) -> NearestQuote | None:
    """The quote that comes closest to what is open, and why it does not answer it, if any."""
    open = set(left_open(state))
    parts = [part for part in state.survey.parts if not open or part.text in open]
    rated = [
        (item.passage.scores.get(part.id, 0.0), place, part)
        for place, item in enumerate(ledger)
        for part in parts or state.survey.parts
        if WORDED.search(item.passage.text)
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
        return f"The nearest passage does not mention {' or '.join(part.unknown)}."
    if kinds := missing_kinds(part.text, item.passage.text):
        *others, last = (KIND_NAMES.get(kind, kind) for kind in kinds)
        lacking = " or ".join(filter(None, (", ".join(others), last)))
        return f"The nearest passage mentions no {lacking}."
    if state.verdict and state.verdict.reason and not state.verdict.reason.startswith("open: "):
        return state.verdict.reason
    return "The nearest passage does not say what is asked."


def _limit_reached(state: State) -> str:
    """The limit of the question's budget that ended the run; empty if none did."""
    budget = state.question.budget
    if limit := exhausted_limit(budget, state.spend):
        return limit
    used = budget.rounds is not None and state.draw.round >= budget.rounds
    return "rounds" if used and not state.draw.reason.startswith(ALL_RETIRED) else ""


def _cause(state: State, limit: str) -> str:
    """Why the run ended with something open, in words; empty if there was nothing to read."""
    if limit:
        return f"The budget of {limit} is spent."
    told = NO_LIMIT if _count_read(state) else ""
    if not state.draw.urls and state.draw.reason:
        told = f"{state.draw.reason[0].upper()}{state.draw.reason[1:]}."
    return f"{told} {OTHER_LANGUAGE}" if _quotes_another_language(state) else told


def _quotes_another_language(state: State) -> bool:
    """Are the quotes in another language than the question?"""
    asked = detect_language(state.asked, "")
    quoted = detect_language(" ".join(item.passage.text for item in state.evidence), "")
    return bool(asked and quoted) and asked != quoted

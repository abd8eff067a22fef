"""Pages that could not be read although they seem to answer better than the quotes do."""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from urllib.parse import unquote, urlsplit

from forager.domain.documents import ASKS_FOR_LOGIN
from forager.domain.state import Evidence, State, SubQuestion
from forager.domain.survey import ClosedPage
from forager.domain.urls import page_identity
from forager.errors import CLOSED_STATUSES
from forager.questions.subquestions import weighted_share
from forager.text.answer_types import asks_for_kind, missing_kinds
from forager.text.tokens import tokenize

MAX_KEPT = 40
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

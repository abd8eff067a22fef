"""How the calls of the Web and the Search port are recorded."""

from collections.abc import Sequence

from forager.adapters.recording.document_tape import PageForm
from forager.adapters.recording.port_recording import (
    CallDescription,
    RecordedCall,
    RecordedCalls,
    ResultForm,
)
from forager.domain.state import SubQuestion
from forager.domain.survey import Hit, Ranking, SearchResults, SiteSurvey, TermStatistics
from forager.ports import Blobs


def web_calls(blobs: Blobs) -> RecordedCalls:
    """The recorded methods of the Web port; a replay stores pages in `blobs`."""
    return {
        "open": RecordedCall(_describe_open, PageForm(blobs)),
        "survey": RecordedCall(_describe_survey, ResultForm(SiteSurvey)),
        "term_statistics": RecordedCall(_describe_terms, ResultForm(TermStatistics)),
        "rank": RecordedCall(_describe_rank, ResultForm(tuple[Hit, ...])),
    }


def _describe_open(url: str) -> CallDescription:
    return CallDescription(f"open {url}", f"The page {url}")


def _describe_survey(site: str, pages: int, seeds: Sequence[str] = ()) -> CallDescription:
    key = " ".join(("survey", site, str(pages), *seeds))
    return CallDescription(key, f"A survey of {site}, {pages} pages,")


def _describe_terms(site: str, text: str) -> CallDescription:
    return CallDescription(f"terms {site} {text}", f"The question to {site}")


def _describe_rank(
    question: str,
    parts: Sequence[SubQuestion],
    top: int,
    method: Ranking = "hybrid",
    also: Sequence[str] = (),
) -> CallDescription:
    asked = " | ".join(f"{part.id} {part.site} {part.query}" for part in parts)
    key = " ".join((f"rank {method} {top} {question} | {asked}", *also))
    return CallDescription(key, "The ranking for these sub-questions")


def _describe_search(query: str, count: int, site: str = "") -> CallDescription:
    return CallDescription(f"search {count} {site} {query}", f"A search for {query!r}")


SEARCH_CALLS: RecordedCalls = {"search": RecordedCall(_describe_search, ResultForm(SearchResults))}

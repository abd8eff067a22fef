"""How the calls of the Web, the Search and the Tools port are recorded."""

import json
from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from forager.adapters.recording.document_tape import PageForm
from forager.adapters.recording.port_recording import (
    CallDescription,
    RecordedCall,
    RecordedCalls,
    ResultForm,
)
from forager.domain.actions import ApiRequest, ToolDescription
from forager.domain.state import SubQuestion
from forager.domain.survey import Hit, Ranking, SearchResults, SiteSurvey, TermStatistics
from forager.ports import Blobs


def web_calls(blobs: Blobs) -> RecordedCalls:
    """The recorded methods of the Web port; a replay stores pages in `blobs`."""
    return {
        "open": RecordedCall(_describe_open, PageForm(blobs)),
        "send": RecordedCall(_describe_request, PageForm(blobs)),
        "survey": RecordedCall(_describe_survey, ResultForm(SiteSurvey)),
        "term_statistics": RecordedCall(_describe_terms, ResultForm(TermStatistics)),
        "rank": RecordedCall(_describe_rank, ResultForm(tuple[Hit, ...])),
    }


def _describe_open(url: str) -> CallDescription:
    return CallDescription(f"open {url}", f"The page {url}")


def _describe_request(request: ApiRequest) -> CallDescription:
    return CallDescription(
        f"send {request.line} {request.body}".strip(), f"The request {request.line}"
    )


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


def tool_calls(blobs: Blobs) -> RecordedCalls:
    """The recorded methods of the Tools port; a replay stores results in `blobs`."""
    return {
        "describe": RecordedCall(_describe_tool, ResultForm(ToolDescription)),
        "call": RecordedCall(_describe_tool_call, PageForm(blobs)),
    }


def _describe_tool(server: str, tool: str) -> CallDescription:
    return CallDescription(f"tool {server} {tool}", f"The tool {tool} of {server}")


def _describe_tool_call(
    server: str, tool: str, arguments: Mapping[str, JsonValue]
) -> CallDescription:
    key = f"call {server} {tool} {json.dumps(arguments, sort_keys=True)}"
    return CallDescription(key, f"This call of the tool {tool} of {server}")

"""How the calls of the Search port are recorded."""

from forager.adapters.recording.port_recording import (
    CallDescription,
    RecordedCall,
    RecordedCalls,
    ResultForm,
)
from forager.domain.survey import SearchResults


def _describe_search(query: str, count: int, site: str = "") -> CallDescription:
    return CallDescription(f"search {count} {site} {query}", f"A search for {query!r}")


SEARCH_CALLS: RecordedCalls = {"search": RecordedCall(_describe_search, ResultForm(SearchResults))}

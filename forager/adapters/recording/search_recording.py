"""The calls of the Search port as a recording has them."""

from forager.adapters.recording.port_recording import Call, Calls, Description, Form
from forager.domain.survey import SearchResults


def _search(query: str, count: int, site: str = "") -> Description:
    return Description(f"search {count} {site} {query}", f"A search for {query!r}")


SEARCH_CALLS: Calls = {"search": Call(_search, Form(SearchResults))}

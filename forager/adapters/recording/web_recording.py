"""The calls of the Web port as a recording has them."""

from collections.abc import Sequence

from forager.adapters.recording.document_tape import PageForm
from forager.adapters.recording.port_recording import Call, Calls, Description, Form
from forager.domain.state import SubQuestion
from forager.domain.survey import Hit, Ranking, SiteSurvey, TermStatistics
from forager.ports import Blobs


def web_calls(blobs: Blobs) -> Calls:
    """The methods of the port; pages are stored when they are played back."""
    return {
        "open": Call(_open, PageForm(blobs)),
        "survey": Call(_survey, Form(SiteSurvey)),
        "term_statistics": Call(_terms, Form(TermStatistics)),
        "rank": Call(_rank, Form(tuple[Hit, ...])),
    }


def _open(url: str) -> Description:
    return Description(f"open {url}", f"The page {url}")


def _survey(site: str, pages: int, seeds: Sequence[str] = ()) -> Description:
    key = " ".join(("survey", site, str(pages), *seeds))
    return Description(key, f"A survey of {site}, {pages} pages,")


def _terms(site: str, text: str) -> Description:
    return Description(f"terms {site} {text}", f"The question to {site}")


def _rank(
    question: str,
    parts: Sequence[SubQuestion],
    top: int,
    method: Ranking = "hybrid",
    also: Sequence[str] = (),
) -> Description:
    asked = " | ".join(f"{part.id} {part.site} {part.query}" for part in parts)
    key = " ".join((f"rank {method} {top} {question} | {asked}", *also))
    return Description(key, "The ranking for these parts")

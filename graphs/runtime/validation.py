"""Is this a question that can be asked?"""

from collections.abc import Iterable
from urllib.parse import urlsplit

from forager.adapters.web.fetch.address_guard import Guard
from forager.domain.state import Question
from forager.domain.urls import canonical
from forager.errors import AddressError, QuestionError
from forager.settings import Settings
from graphs.runtime.recordings import recording_folder

MAX_CHARACTERS = 4000
MAX_SITES = 20


def check_question(question: Question) -> Question:
    """The question in one line, its sites in one spelling. Raises QuestionError, AddressError."""
    text = " ".join(question.text.split())
    if not text:
        raise QuestionError("There is no question.", "Write what you want to know.")
    if len(text) > MAX_CHARACTERS:
        raise QuestionError(
            f"The question has {len(text):,} characters; at most {MAX_CHARACTERS:,} are read.",
            "Ask in fewer words.",
        )
    if len(question.sites) > MAX_SITES:
        raise QuestionError(
            f"{len(question.sites)} sites are too many.", f"Name at most {MAX_SITES}."
        )
    sites = dict.fromkeys(map(site_address, question.sites))
    return question.model_copy(update={"text": text, "sites": tuple(sites)})


def site_address(site: str) -> str:
    """A site as an address, by https where it does not say, and then of a host that looks like one.

    Raises AddressError.
    """
    if "://" in site:
        return canonical(site)
    address = canonical(f"https://{site.strip()}")
    host = urlsplit(address).hostname or ""
    if "." not in host and ":" not in host and host != "localhost":
        raise AddressError(
            f"{site.strip()!r} is neither a host nor an address.",
            "Write it as docs.example, or as https://docs.example/folder.",
        )
    return address


def refuse_private_sites(sites: Iterable[str], settings: Settings, model: str) -> None:
    """Raise AddressError for sites at private addresses that the settings do not allow.

    Names are not looked up; sites of a recorded run are not asked.
    """
    if recording_folder(model):
        return
    guard = Guard(settings.allow_private)
    for site in sites:
        guard.demand(site_address(site))

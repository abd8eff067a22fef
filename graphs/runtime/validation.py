"""Checks a question before it is asked."""

from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from forager.adapters.models.model_lines import recording_folder
from forager.adapters.web.fetch.address_guard import AddressGuard
from forager.domain.state import Question
from forager.domain.urls import canonical_url
from forager.errors import AddressError, QuestionError
from forager.questions.named_sites import find_addresses, without_addresses
from forager.settings import Settings

MAX_CHARACTERS = 4000
MAX_SITES = 20
MAX_HINTS = 20
MAX_HINT_CHARACTERS = 1000
MAX_FORBIDDEN = 200


def check_question(question: Question) -> Question:
    """The question on one line, its sites in one spelling. Raises QuestionError, AddressError.

    Where no sites are named, the addresses in the text are, and are taken out of it.
    """
    text, named = " ".join(question.text.split()), question.sites
    if not named and (named := find_addresses([text])):
        text = without_addresses(text) or text
    if not text:
        raise QuestionError("The question is empty.", "Write what you want to know.")
    if len(text) > MAX_CHARACTERS:
        raise QuestionError(
            f"The question has {len(text):,} characters.", f"Use at most {MAX_CHARACTERS:,}."
        )
    if len(named) > MAX_SITES:
        raise QuestionError(f"The question names {len(named)} sites.", f"Name at most {MAX_SITES}.")
    _refuse_excess(question)
    sites = dict.fromkeys(map(site_address, named))
    return question.model_copy(update={"text": text, "sites": tuple(sites)})


def _refuse_excess(question: Question) -> None:
    """Raise QuestionError for more or longer hints and forbidden addresses than a question has."""
    if len(question.hints) > MAX_HINTS or len(question.forbidden) > MAX_FORBIDDEN:
        raise QuestionError(
            "There are too many hints or forbidden addresses.",
            f"Use at most {MAX_HINTS} hints and {MAX_FORBIDDEN} forbidden addresses.",
        )
    if (longest := max(map(len, question.hints), default=0)) > MAX_HINT_CHARACTERS:
        raise QuestionError(
            f"The hint has {longest:,} characters.", f"Use at most {MAX_HINT_CHARACTERS:,}."
        )
    if max(map(len, question.forbidden), default=0) > MAX_CHARACTERS:
        raise QuestionError(f"A forbidden address has more than {MAX_CHARACTERS:,} characters.")


def site_address(site: str) -> str:
    """A site as an address, with https where no scheme is given, for numbers and localhost http.

    Those are servers of one's own, which seldom have a certificate. Raises AddressError for what is
    neither an address nor looks like a host.
    """
    if "://" in site:
        return canonical_url(site)
    named = site.strip()
    several = len(named.partition("/")[0].split()) > 1
    address = "" if several else canonical_url(f"https://{named}")
    host = urlsplit(address).hostname or ""
    if "." not in host and ":" not in host and host != "localhost":
        raise AddressError(
            f"{named!r} is neither a host nor an address.",
            "Write it as docs.example, or as https://docs.example/folder.",
        )
    return address if _is_named(host) else canonical_url(f"http://{site.strip()}")


def _is_named(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return host != "localhost"
    return False


def refuse_private_sites(sites: Iterable[str], settings: Settings, model: str) -> None:
    """Raise AddressError for sites at private addresses that the settings do not allow.

    Host names are not resolved. A replayed run asks no site, so all are allowed.
    """
    if recording_folder(model):
        return
    guard = AddressGuard(settings.allow_private)
    for site in sites:
        guard.check_url(site_address(site))

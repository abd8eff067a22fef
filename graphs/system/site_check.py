"""Looks up the hosts of a question before it is asked: which one fails, and what would mend it."""

import asyncio
from collections.abc import Collection, Iterable, Iterator
from difflib import get_close_matches
from typing import NamedTuple
from urllib.parse import urlsplit

from forager.adapters.models.model_lines import recording_folder
from forager.adapters.web.fetch.address_guard import AddressGuard
from forager.domain.state import Question
from forager.errors import ConnectError, PrivateAddressError, WebError
from forager.util.concurrency import run_concurrently
from graphs.runtime.validation import check_question, site_address
from graphs.sessions.service import Sessions

LOOKUP_SECONDS = 2.0
"""A host that takes longer to look up is left to the run, which waits for it."""
LIKE = 0.85
"""How much a host resembles one that was read before, to be taken for it misspelt."""
ENDINGS = ("com", "org", "net", "edu", "gov", "info", "io", "dev", "app", "eu", "de", "fr", "uk")
ENDING_LIKE = 0.6


WELL_KNOWN = frozenset(
    {
        *("docs.python.org", "www.python.org", "pypi.org", "docs.djangoproject.com", "numpy.org"),
        *("pandas.pydata.org", "pytorch.org", "developer.mozilla.org", "nodejs.org", "react.dev"),
        *("www.typescriptlang.org", "doc.rust-lang.org", "docs.rs", "go.dev", "www.postgresql.org"),
        *("dev.mysql.com", "www.sqlite.org", "git-scm.com", "docs.github.com", "kubernetes.io"),
        *("docs.docker.com", "learn.microsoft.com", "docs.aws.amazon.com", "wiki.archlinux.org"),
        *(
            "www.debian.org",
            "www.gnu.org",
            "www.kernel.org",
            "en.wikipedia.org",
            "de.wikipedia.org",
        ),
        *("zh.wikipedia.org", "stackoverflow.com", "github.com", "arxiv.org", "www.w3.org"),
    }
)
"""Hosts that many people ask about, for one that is misspelt before any site was read."""


class SiteFault(NamedTuple):
    """A site whose host cannot be read: why, and the hosts to allow or the address to ask instead.

    `private` are those of all sites that were looked up together. It and `instead` are empty where
    they would not help.
    """

    site: str
    what: str
    mend: str
    private: tuple[str, ...] = ()
    instead: str = ""


async def find_site_fault(sessions: Sessions, question: Question, model: str) -> SiteFault | None:
    """The first site of a question whose host is unknown, or private and not allowed.

    Raises QuestionError and AddressError for a question that cannot be asked at all.
    """
    return await find_fault_of(sessions, check_question(question).sites, model)


async def find_fault_of(sessions: Sessions, sites: Iterable[str], model: str) -> SiteFault | None:
    """The first of these sites with a fault, a private one before others, with all such hosts."""
    sites = tuple(sites)
    if recording_folder(model) or not sites:
        return None
    guard = AddressGuard(sessions.context.settings.allow_private)
    known = await _hosts_read(sessions)
    faults = await run_concurrently(_find_fault(site, guard, known) for site in sites)
    found = [fault for fault in faults if fault]
    if not found:
        return None
    hosts = tuple(dict.fromkeys(host for fault in found for host in fault.private))
    first = next((fault for fault in found if fault.private), found[0])
    return first._replace(private=hosts)


async def _hosts_read(sessions: Sessions) -> frozenset[str]:
    """The hosts of sessions that opened pages."""
    lines = (each.line for each in await sessions.listing.search())
    sites = (site for line in lines if line.pages for site in line.sites)
    return frozenset(urlsplit(site_address(site)).hostname or "" for site in sites)


async def _find_fault(site: str, guard: AddressGuard, known: Collection[str]) -> SiteFault | None:
    parts = urlsplit(site)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        async with asyncio.timeout(LOOKUP_SECONDS):
            await guard.resolve(host, port)
    except PrivateAddressError as error:
        return SiteFault(site, error.what, error.mend, private=(error.host,))
    except ConnectError as error:
        if host in known:  # its pages may be kept, though the network is away
            return None
        other = await _similar_host(host, port, guard, known)
        instead = parts._replace(netloc=parts.netloc.replace(host, other)).geturl() if other else ""
        return SiteFault(site, error.what, error.mend, instead=instead)
    except TimeoutError:
        return None
    return None


async def _similar_host(host: str, port: int, guard: AddressGuard, known: Collection[str]) -> str:
    """A host that was read before and is spelt nearly the same, or a likely one that exists."""
    for hosts in (known, () if host in WELL_KNOWN else WELL_KNOWN):
        if close := get_close_matches(host, hosts, n=1, cutoff=LIKE):
            return close[0]
    likely = list(_respell(host))
    exist = await run_concurrently(_exists(each, port, guard) for each in likely)
    return next((each for each, there in zip(likely, exist, strict=True) if there), "")


def _respell(host: str) -> Iterator[str]:
    """The host with a common ending that is spelt nearly the same, and without `www`."""
    name, _, ending = host.rpartition(".")
    for other in get_close_matches(ending, ENDINGS, n=2, cutoff=ENDING_LIKE):
        if other != ending:
            yield f"{name}.{other}"
    if host.startswith("www"):
        yield host.removeprefix("www").removeprefix(".")


async def _exists(host: str, port: int, guard: AddressGuard) -> bool:
    try:
        async with asyncio.timeout(LOOKUP_SECONDS):
            await guard.resolve(host, port)
    except (WebError, TimeoutError):
        return False
    return True

"""Which addresses mean one page, and which belong to one site; all are canonical."""

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import urljoin, urlsplit, urlunsplit

from forager.forbidding import forbidden
from forager.state import Page, State, Step

INDEX = re.compile(r"/(?:index\.(?:x?html?|php|aspx?|jsp)|default\.(?:html?|aspx?))$")


@lru_cache(maxsize=65536)
def identity(url: str) -> str:
    """What the addresses of one page share: sorted parameters, an index page is its folder."""
    parts = urlsplit(url)
    if not parts.query:
        return urlunsplit(parts._replace(path=INDEX.sub("/", parts.path)))
    return urlunsplit(parts._replace(query="&".join(sorted(parts.query.split("&")))))


def tried(steps: Iterable[Step]) -> set[str]:
    """The identities of the pages that were opened, or could not be."""
    found = set()
    for step in steps:
        if step.action.kind == "visit":
            found.add(identity(step.action.target))
        if step.page:
            found.add(identity(step.page.url))
    return found


def at_hand(state: State) -> tuple[Page, ...]:
    """The pages that are read again without a load: those of earlier turns, as they were then.

    Of earlier sessions those that their site's map has word for word as they were.
    """
    turns = {identity(page.url) for turn in state.past for page in turn.pages}
    same = {(identity(arm.url), arm.blob) for arm in state.arms}
    return tuple(
        page
        for page in state.recall.pages
        if (identity(page.url) in turns or (identity(page.url), page.blob) in same)
        and not forbidden(state.question.forbidden, page.url)
    )


def opened(state: State) -> set[str]:
    """The identities of the pages that a run has tried, or has at hand."""
    return tried(state.steps) | {identity(page.url) for page in at_hand(state)}


@lru_cache(maxsize=65536)
def same_site(root: str, url: str) -> bool:
    """Same host, but for `www.`, and same port; http and https are one."""
    return host(root) == host(url)


@lru_cache(maxsize=65536)
def host(url: str) -> tuple[str, int | None]:
    """What the addresses of one site share: the host but for `www.`, and a port of its own."""
    parts = urlsplit(url)
    port = parts.port
    return (parts.hostname or "").removeprefix("www."), None if port in (80, 443) else port


def linked(page: str, href: str) -> str:
    """Where a link of a page leads on the web; empty for a script, a mail, or no address at all."""
    try:
        there = urljoin(page, href)
        on_web = urlsplit(there).scheme in {"http", "https"} and bool(host(there)[0])
    except ValueError:
        return ""
    return there if on_web else ""

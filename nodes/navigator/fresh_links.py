"""The links of a page that a walk may follow."""

from collections.abc import Sequence

from forager.bandit import warm_start
from forager.browsing.safety.address_verbs import is_command_address, link_side_effect
from forager.domain.documents import Document, Link
from forager.domain.state import State
from forager.domain.url_rules import forbidding_entry
from forager.domain.urls import page_identity, same_site, tried_or_at_hand


def fresh_links(state: State, page: Document) -> tuple[Link, ...]:
    """The first link to each page of the sites that was not tried, now or in vain before."""
    seen = tried_or_at_hand(state) | warm_start.fruitless_pages(state.arms)
    links: list[Link] = []
    for link in page.links:
        fresh = page_identity(link.url) not in seen and not is_command_address(link.url)
        if fresh and may_open(state, link.url):
            seen.add(page_identity(link.url))
            links.append(link)
    return tuple(links)


def harmless_first(links: Sequence[Link]) -> tuple[tuple[Link, ...], ...]:
    """The links that only lead to pages, then those that may change something."""
    risky = {link.id for link in links if link_side_effect(link.url, (link.text,))}
    return (
        tuple(link for link in links if link.id not in risky),
        tuple(link for link in links if link.id in risky),
    )


def may_open(state: State, url: str) -> bool:
    """Is the address on a site that was asked, and not forbidden?"""
    sites = state.question.sites or tuple(state.survey.pages)
    inside = any(same_site(site, url) for site in sites)
    return inside and not forbidding_entry(state.question.forbidden, url)

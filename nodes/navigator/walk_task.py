"""What the choice among links and the choice on a whole site have in common: task and links."""

from collections.abc import Sequence
from typing import Any

from forager.bandit import warm_start
from forager.bandit.hints import hint_sections
from forager.browsing.safety.address_verbs import is_command_address, link_side_effect
from forager.domain.documents import Document, Link
from forager.domain.experience import Snippet
from forager.domain.state import State
from forager.domain.urls import forbidding_entry, page_identity, same_site, tried_or_at_hand
from forager.experience import examples
from forager.offline.navigator import LinkRanker
from forager.ports import Reply, Task
from forager.prompts.sections import Section, list_items, text_section
from forager.questions.subquestions import (
    has_notes,
    merge_weights,
    open_texts,
    parts_to_pursue,
)
from nodes.navigator.params import NavigatorParams


class WalkTask(Task[Reply]):
    """Choose what to open next; `noted` if a model that had read pages wrote what is open."""

    ROLE = "navigator"

    question: str
    open: tuple[str, ...]
    noted: bool = False
    lessons: tuple[str, ...] = ()
    trail: tuple[str, ...] = ()
    terms: dict[str, float]
    least: float
    examples: tuple[Snippet, ...] = ()
    hints: tuple[str, ...] = ()

    def situation(self) -> tuple[Section, ...]:
        """The question and what is open first, then what was tried."""
        return (
            text_section("Question", self.question),
            Section(
                title="Still open", items=list_items(self.open), tokens=300, material=self.noted
            ),
            *hint_sections(self.hints),
            Section(title="Lessons", items=list_items(self.lessons, newest=True), tokens=300),
            *examples.example_sections(self.examples),
            Section(title="Opened so far", items=list_items(self.trail, newest=True), tokens=250),
        )

    def ranker(self) -> LinkRanker:
        """Rates links by what is open."""
        return LinkRanker(
            question=self.question,
            open=self.open,
            terms=self.terms,
            examples=self.examples,
            hints=self.hints,
        )


def walk_inputs(state: State, params: NavigatorParams) -> dict[str, Any]:
    """The fields of a WalkTask."""
    open = open_texts(state)
    return {
        "question": state.asked,
        "open": open,
        "noted": has_notes(open, state.survey.parts),
        "lessons": state.recall.lessons,
        "trail": tuple(step.page.title or step.page.url for step in state.steps if step.page),
        "terms": merge_weights(parts_to_pursue(state)),
        "least": params.least,
        "examples": state.recall.snippets,
        "hints": state.question.hints,
    }


def fresh_links(state: State, page: Document) -> tuple[Link, ...]:
    """The first link to each page of the sites that was neither tried now nor in vain before."""
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
    """Is the address on a site of the question, and not forbidden?"""
    sites = state.question.sites or tuple(state.survey.pages)
    inside = any(same_site(site, url) for site in sites)
    return inside and not forbidding_entry(state.question.forbidden, url)

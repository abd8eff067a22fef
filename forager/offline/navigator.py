"""What to do next, without a model: which link, search result, query or browser action."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urldefrag

from forager.bandit.hints import hint_bonus
from forager.browsing.action_text import describe_action
from forager.browsing.page.aria import Node, node_by_ref, node_label, to_element
from forager.browsing.safety.address_verbs import is_command_address
from forager.browsing.search_targets import PastSearch, SearchTarget
from forager.browsing.shown_page import BrowserPath, ShownPage
from forager.domain.actions import Action, Element
from forager.domain.documents import Link
from forager.domain.experience import Snippet
from forager.domain.survey import SearchResult
from forager.domain.urls import forbidding_entry, link_target, page_identity, same_site
from forager.experience.examples import clicked_elements, example_bonus
from forager.offline.browser_actions import Guess, guess_actions
from forager.ports import Embedder
from forager.questions.search_queries import same_query
from forager.questions.subquestions import weighted_share
from forager.text.tokens import tokenize

READ_PAGE, GIVE_UP = -1, -2
"""What may be chosen instead of a link: the prompt names these numbers."""
MAX_EMBEDDED = 30
"""Links compared by embeddings, after words have sorted them."""
SIMILARITY_WEIGHT = 0.5
NO_PROVIDER = "no search provider is available"
NOTHING_LEFT = "nothing is left to try"
LINK_ROLES = frozenset({"link", "tab", "treeitem"})
"""Elements clicked again because an example clicked them: none of these can send a form."""


class LinkChoice(NamedTuple):
    """The id of a link, READ_PAGE or GIVE_UP, and why."""

    choice: int
    reason: str


@dataclass(frozen=True, kw_only=True)
class LinkRanker:
    """Rates links for what is open, given as texts and as weights of their index terms."""

    question: str
    open: tuple[str, ...]
    terms: Mapping[str, float]
    examples: tuple[Snippet, ...] = ()
    hints: tuple[str, ...] = ()

    def rate(self, link: Link) -> float:
        """The weighted share of the open terms in a link's text, or for half in its surroundings.

        Hints and examples that speak for the link add to it.
        """
        named = set(tokenize(f"{link.text} {link.url.rpartition('/')[2]}"))
        around = set(tokenize(link.context))
        share = weighted_share(self.terms, named, around) + hint_bonus(self.hints, named, around)
        click = Action(kind="visit", target=link.url, element=Element(role="link", name=link.text))
        return share + example_bonus(self.examples, self.question, click, link.url)

    def choose(
        self, links: Sequence[Link], embedder: Embedder, *, least: float, unread: bool
    ) -> LinkChoice:
        """An unread page is read first; then the best link, if it is rated at least `least`.

        Words rate all links, embeddings the best of them once more.
        """
        if unread:
            return LinkChoice(READ_PAGE, "not read yet")
        rated = sorted(((self.rate(link), -link.id, link) for link in links), reverse=True)
        rated = rated[:MAX_EMBEDDED]
        if embedder.available and rated:
            texts = [f"{link.text}. {link.context}" for _, _, link in rated]
            asked = embedder.embed([" ".join(self.open) or self.question])
            similar = (embedder.embed(texts) @ asked.T)[:, 0]
            rated = [
                (score + SIMILARITY_WEIGHT * float(near), place, link)
                for (score, place, link), near in zip(rated, similar, strict=True)
            ]
        if not rated or max(rated)[0] < least:
            return LinkChoice(GIVE_UP, "no link is relevant to what is open")
        score, _, link = max(rated)
        return LinkChoice(link.id, f"relevance {score:.2f}")


class SearchStep(NamedTuple):
    """Read the result with this number (from 1), or search for these words; neither is to stop."""

    reason: str
    choice: int = 0
    query: str = ""


def choose_search_step(  # noqa: PLR0913
    targets: Sequence[SearchTarget],
    results: Sequence[SearchResult],
    searches: Sequence[PastSearch],
    hints: Sequence[str],
    *,
    least: float,
    away: bool,
) -> SearchStep:
    """For the first target that has one: its most promising result, or else its next query.

    A result must be rated at least `least`. While no provider can be asked (`away`), no query is
    chosen.
    """
    for target in targets:
        promises = [
            (promise + hint_bonus(hints, _result_words(each)), -place)
            for place, each in enumerate(results)
            if (promise := target.rate_result(each))
        ]
        best, place = max(promises, default=(0.0, 0))
        if best > 0 and best >= least:
            return SearchStep(f"promise {best:.2f} for {target.text}", choice=1 - place)
        asked = [each.query for each in searches if each.site == target.site]
        fresh = (
            query for query in target.queries if not any(same_query(query, one) for one in asked)
        )
        if not away and (query := next(fresh, "")):
            return SearchStep(target.text, query=query)
    return SearchStep(NO_PROVIDER if away else NOTHING_LEFT)


def _result_words(result: SearchResult) -> set[str]:
    return set(tokenize(f"{result.title} {result.url} {result.snippet}"))


def rate_actions(
    actions: Sequence[Action], guessed: Mapping[int, float], terms: Mapping[str, float]
) -> list[float]:
    """What each action is worth, 0 to 1: its guess by number (from 1), or what its words share."""
    return [
        0.0
        if action.kind == "stop"
        else guessed.get(number, weighted_share(terms, set(tokenize(describe_proposal(action)))))
        for number, action in enumerate(actions, start=1)
    ]


def describe_proposal(action: Action) -> str:
    """An action, and what is expected of it."""
    return f"{describe_action(action)} — {action.reason}"


def guess_on_page(
    page: ShownPage, texts: Sequence[str], terms: Mapping[str, float], path: BrowserPath
) -> tuple[Guess, ...]:
    """What could be done on a page for these texts and their terms, the best first."""
    return guess_actions(
        page.root,
        texts,
        terms,
        url=page.snapshot.url,
        done=path.actions,
        seen=frozenset(path.opened),
    )


@dataclass(frozen=True, kw_only=True)
class BrowserRule:
    """Chooses an action on a page for what is open.

    `done` counts the habits of what was done before, `starts` are addresses on the sites where the
    round may go. A guess must be worth `least`; if that is 0, any link may be followed. `examples`
    of a question like this one and `hints` add to what they speak for.
    """

    page: ShownPage
    open: tuple[str, ...]
    terms: Mapping[str, float]
    path: BrowserPath
    done: Mapping[str, int]
    starts: tuple[str, ...]
    least: float
    question: str = ""
    examples: tuple[Snippet, ...] = ()
    hints: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()

    def choose(
        self,
        kinds: Sequence[str],
        untried: Sequence[str],
        *,
        place: int,
        unread: bool,
        may_go_back: bool,
    ) -> Action:
        """Read the page, or act on it, or else go back, to an untried start, or stop.

        Of the ranked actions the one at `place` is chosen, or the first if there are fewer.
        """
        if unread and "aggregate" in kinds:
            return Action(kind="aggregate", reason="not read yet")
        if actions := self.ranked_actions():
            return actions[place if place < len(actions) else 0]
        back = Action(kind="back", reason="nothing here leads further")
        if may_go_back and "back" in kinds and not self.done.get(self.page.habit_key(back)):
            return back
        if untried:
            return Action(kind="goto", target=untried[0], reason="another page to start from")
        return Action(kind="stop", reason="nothing here is relevant to what is open")

    def ranked_actions(self) -> list[Action]:
        """The actions that were not done here yet and are not forbidden, the best first."""
        found = [*self._guess_actions(), *(self._unopened_links() if self.least <= 0 else ())]
        first: dict[tuple[str, str, str], Action] = {}
        for each in found:
            if not self.done.get(self.page.habit_key(each)) and not self.forbids_action(each):
                first.setdefault((each.kind, each.target, each.value), each)
        return list(first.values())

    def allows_address(self, url: str) -> bool:
        """Is the address on the site of a start, and not forbidden?"""
        inside = any(same_site(start, url) for start in self.starts)
        return inside and not forbidding_entry(self.forbidden, url)

    def forbids_action(self, action: Action) -> bool:
        """Does the action follow a link to a forbidden address?"""
        node = node_by_ref(self.page.root, action.target) if self.forbidden else None
        url = link_target(self.page.snapshot.url, node.url) if node and node.url else ""
        return bool(forbidding_entry(self.forbidden, url))

    def _guess_actions(self) -> Iterator[Action]:
        guesses = guess_on_page(self.page, self.open, self.terms, self.path)
        weighed = [
            (
                action,
                score + example_bonus(self.examples, self.question, action) + self._pull_of(action),
            )
            for action, score in (*guesses, *self._example_links())
        ]
        for action, score in sorted(weighed, key=lambda each: -each[1]):
            if score >= self.least and score > 0:
                reason = f"{action.reason}, by rule" if action.reason else f"relevance {score:.2f}"
                yield action.model_copy(update={"reason": reason})

    def _pull_of(self, action: Action) -> float:
        return hint_bonus(self.hints, set(tokenize(action.element.name))) if action.element else 0.0

    def _example_links(self) -> Iterator[Guess]:
        """Links that an example followed, where the page has them and they lead on."""
        nodes = [node for node in self.page.root.walk() if node.ref and node.role in LINK_ROLES]
        for element in clicked_elements(self.examples):
            alike = (
                each
                for each in nodes
                if (each.role, node_label(each)) == (element.role, element.name)
            )
            node = next(alike, None)
            if node and self._leads_on(node):
                yield Guess(Action(kind="click", target=node.ref, element=to_element(node)), 0.0)

    def _leads_on(self, node: Node) -> bool:
        """Does it lead to an unopened page of the sites, or show something on this page?"""
        here = self.page.snapshot.url
        url = page_identity(urldefrag(link_target(here, node.url)).url) if node.url else ""
        if not node.url or url == page_identity(here):
            return not is_command_address(node.url)
        return (
            self.allows_address(url) and url not in self.path.opened and not is_command_address(url)
        )

    def _unopened_links(self) -> Iterator[Action]:
        """Links to pages of the sites that were not opened yet."""
        here = self.page.snapshot.url
        known = {*self.path.opened, page_identity(here)}
        for node in self.page.root.walk():
            url = page_identity(urldefrag(link_target(here, node.url)).url)
            leads = bool(url) and url not in known and not is_command_address(url)
            if node.role == "link" and node.ref and leads:
                known.add(url)
                if self.allows_address(url):
                    element, reason = to_element(node), "not opened yet"
                    yield Action(kind="click", target=node.ref, element=element, reason=reason)

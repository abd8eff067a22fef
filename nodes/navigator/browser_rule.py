"""What to do on a page without a model: what is guessed, then any page not opened yet."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urldefrag

from forager.bandit.hints import pull
from forager.browsing.page.aria import Node, by_ref, describe, label
from forager.browsing.safety.address_verbs import writes
from forager.domain.actions import Action
from forager.domain.experience import Snippet
from forager.domain.url_rules import forbidden
from forager.domain.urls import identity, linked, same_site
from forager.experience.examples import clicks, worth
from forager.text.tokens import tokenize
from nodes.navigator.browser_view import BrowserPath, ShownPage

LINK_ROLES = frozenset({"link", "tab", "treeitem"})
"""What is clicked again because it was clicked before: nothing that could send a form."""


@dataclass(frozen=True, kw_only=True)
class BrowserRule:
    """For what is open on a page, with the walk's way there and the habits of what was done.

    What is guessed must be worth `least`; where that is nothing, anything may be followed. What
    `examples` speak for, for a question like this one, is worth more.
    """

    sight: ShownPage
    open: tuple[str, ...]
    terms: Mapping[str, float]
    way: BrowserPath
    done: Mapping[str, int]
    starts: tuple[str, ...]
    least: float
    question: str = ""
    examples: tuple[Snippet, ...] = ()
    hints: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()

    def ranked_actions(self) -> list[Action]:
        """The best first, without what was done here."""
        found = [*self._guess_actions(), *(self._unopened_links() if self.least <= 0 else ())]
        fresh = (
            each
            for each in found
            if not self.done.get(self.sight.habit_key(each)) and not self.forbids_action(each)
        )
        first: dict[tuple[str, str, str], Action] = {}
        for each in fresh:
            first.setdefault((each.kind, each.target, each.value), each)
        return list(first.values())

    def allows_address(self, url: str) -> bool:
        """Does an address belong to a site where the walk may begin, and is it not forbidden?"""
        inside = any(same_site(start, url) for start in self.starts)
        return inside and not forbidden(self.forbidden, url)

    def forbids_action(self, action: Action) -> bool:
        """Does it follow a link to an address that is forbidden?"""
        node = by_ref(self.sight.root, action.target) if self.forbidden else None
        url = linked(self.sight.snapshot.url, node.url) if node and node.url else ""
        return bool(forbidden(self.forbidden, url))

    def _guess_actions(self) -> Iterator[Action]:
        guessed = [
            *self.sight.guess_actions(self.open, self.terms, self.way),
            *self._example_links(),
        ]
        weighed = [
            (
                action,
                score + worth(self.examples, self.question, action) + self._pull_of_hints(action),
            )
            for action, score in guessed
        ]
        for action, score in sorted(weighed, key=lambda each: -each[1]):
            if score >= self.least and score > 0:
                reason = f"{action.reason}, by rule" if action.reason else f"relevance {score:.2f}"
                yield action.model_copy(update={"reason": reason})

    def _pull_of_hints(self, action: Action) -> float:
        return pull(self.hints, set(tokenize(action.element.name))) if action.element else 0.0

    def _example_links(self) -> Iterator[tuple[Action, float]]:
        """Links that were followed in an example, where the page has them and they lead on."""
        nodes = [node for node in self.sight.root.walk() if node.ref and node.role in LINK_ROLES]
        for element in clicks(self.examples):
            same = (
                each for each in nodes if (each.role, label(each)) == (element.role, element.name)
            )
            node = next(same, None)
            if node and self._leads_on(node):
                yield Action(kind="click", target=node.ref, element=describe(node)), 0.0

    def _leads_on(self, node: Node) -> bool:
        """To a page of the sites that was not opened yet, or to none of its own."""
        here = self.sight.snapshot.url
        url = identity(urldefrag(linked(here, node.url)).url) if node.url else ""
        if not node.url or url == identity(here):
            return not writes(node.url)
        return self.allows_address(url) and url not in self.way.opened and not writes(url)

    def _unopened_links(self) -> Iterator[Action]:
        """Links to pages of the sites that were not opened yet."""
        here = self.sight.snapshot.url
        known = {*self.way.opened, identity(here)}
        for node in self.sight.root.walk():
            url = identity(urldefrag(linked(here, node.url)).url)
            leads = bool(url) and url not in known and not writes(url)
            if node.role == "link" and node.ref and leads:
                known.add(url)
                if self.allows_address(url):
                    element, reason = describe(node), "not opened yet"
                    yield Action(kind="click", target=node.ref, element=element, reason=reason)

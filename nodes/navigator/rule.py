"""What to do on a page without a model: what is guessed, then any page not opened yet."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urldefrag

from forager.action import Action
from forager.aria import describe
from forager.sites import identity, linked, same_site
from forager.verbs import writes
from nodes.navigator.sight import Sight, Way


@dataclass(frozen=True, kw_only=True)
class Rule:
    """For what is open on a page, with the walk's way there and the habits of what was done.

    What is guessed must be worth `least`; where that is nothing, anything may be followed.
    """

    sight: Sight
    open: tuple[str, ...]
    terms: Mapping[str, float]
    way: Way
    done: Mapping[str, int]
    starts: tuple[str, ...]
    least: float

    def actions(self) -> list[Action]:
        """The best first, without what was done here."""
        found = [*self._guessed(), *(self._unopened() if self.least <= 0 else ())]
        fresh = (each for each in found if not self.done.get(self.sight.habit(each)))
        first: dict[tuple[str, str, str], Action] = {}
        for each in fresh:
            first.setdefault((each.kind, each.target, each.value), each)
        return list(first.values())

    def allows(self, url: str) -> bool:
        """Does an address belong to a site where the walk may begin?"""
        return any(same_site(start, url) for start in self.starts)

    def _guessed(self) -> Iterator[Action]:
        for action, score in self.sight.guessed(self.open, self.terms, self.way):
            if score >= self.least:
                reason = f"{action.reason}, by rule" if action.reason else f"relevance {score:.2f}"
                yield action.model_copy(update={"reason": reason})

    def _unopened(self) -> Iterator[Action]:
        """Links to pages of the sites that were not opened yet."""
        here = self.sight.snapshot.url
        known = {*self.way.opened, identity(here)}
        for node in self.sight.root.walk():
            url = identity(urldefrag(linked(here, node.url)).url)
            leads = bool(url) and url not in known and not writes(url)
            if node.role == "link" and node.ref and leads:
                known.add(url)
                if self.allows(url):
                    element, reason = describe(node), "not opened yet"
                    yield Action(kind="click", target=node.ref, element=element, reason=reason)

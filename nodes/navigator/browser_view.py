"""What a walk in a browser is told of itself: the page it stands on, and its way there."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from forager.browsing.action_keys import effect, habit, look
from forager.browsing.action_text import in_words
from forager.browsing.page.aria import Node, by_ref, parse
from forager.browsing.page.find import find
from forager.browsing.page.observation import observe
from forager.browsing.trajectory import standing, viewed
from forager.domain.actions import Action
from forager.domain.base import Frozen
from forager.domain.browser import Snapshot, View
from forager.domain.state import State, Step
from forager.domain.urls import opened
from forager.offline.browser_actions import Guess, guess_actions
from forager.ports import Blobs, Ports
from forager.prompts.sections import Item
from nodes.navigator.open_work import steps_of_round

EMPTY_PAGE = Snapshot(url="")


class BrowserPath(Frozen):
    """The actions of a walk in their order, and the identities of the pages that were opened."""

    actions: tuple[Action, ...] = ()
    opened: tuple[str, ...] = ()


@dataclass(frozen=True)
class ShownPage:
    """A page as the browser shows it, and as it was before the last step."""

    snapshot: Snapshot
    before: Snapshot | None = None

    @property
    def root(self) -> Node:
        """Its tree."""
        return parse_tree(self.snapshot.tree)

    def relevant_lines(self, asked: Mapping[str, float], tokens: int) -> tuple[Item, ...]:
        """What is shown of it for what is asked, as weights of index terms."""
        return observe(self.snapshot, self.before, asked, tokens).lines

    def find_words(self, words: str) -> tuple[str, ...]:
        """Where words stand in the whole page."""
        return find(self.snapshot, words) or (f"Nothing has {words!r}.",)

    def guess_actions(
        self, texts: Sequence[str], asked: Mapping[str, float], way: BrowserPath
    ) -> tuple[Guess, ...]:
        """What could be done here, by rule."""
        return guess_actions(
            self.root,
            texts,
            asked,
            url=self.snapshot.url,
            done=way.actions,
            seen=frozenset(way.opened),
        )

    def effect_key(self, action: Action) -> str:
        """What an action comes to here (see forager.browsing.action_keys)."""
        return effect(action, by_ref(self.root, action.target), self.snapshot.url)

    def habit_key(self, action: Action) -> str:
        """What it shares with the same done to a page that looked the same."""
        return habit(action, look(self.snapshot))


def shown_page(state: State, ports: Ports) -> ShownPage:
    """The page that the walk stands on."""
    last = standing(state)
    first = next((one for one in viewed(state) if last and one.id == last.action.at), None)
    return ShownPage(load_snapshot(last, ports), load_snapshot(first, ports) if first else None)


@lru_cache(maxsize=4)
def parse_tree(tree: str) -> Node:
    """A tree that several ask for; nobody changes it."""
    return parse(tree)


def load_snapshot(step: Step | None, ports: Ports) -> Snapshot:
    """What was seen after a step."""
    return _kept(step.view, ports.blobs) if step and step.view else EMPTY_PAGE


def count_habits(state: State, ports: Ports) -> Counter[str]:
    """How often each thing was done to a page that looked the same; failures count."""
    looks = {step.id: look(load_snapshot(step, ports)) for step in viewed(state)}
    return Counter(
        habit(step.action, looks.get(step.action.at, "")) for step in steps_of_round(state)
    )


def browser_path(state: State) -> BrowserPath:
    """How the walk came here; pages of other rounds were opened too."""
    return BrowserPath(
        actions=tuple(step.action for step in steps_of_round(state) if step.outcome == "moved"),
        opened=tuple(sorted(opened(state))),
    )


def describe_last_steps(state: State, count: int) -> tuple[str, ...]:
    """The last steps of this walk in words, the newest last."""
    return tuple(describe_step(step) for step in steps_of_round(state)[-count:]) if count else ()


def describe_step(step: Step) -> str:
    """A step, and what came of it."""
    done = in_words(step.action)
    if step.outcome == "failed":
        return f"{done}: failed. {step.reason}"
    notes = " ".join(step.view.notes) if step.view else ""
    changed = f" It changed something: {step.harm}" if step.harm else ""
    where = step.page.title or step.page.url if step.page else ""
    return f"{done}: now at {where}.{changed} {notes}".rstrip()


def describe_surroundings(view: View | None) -> tuple[str, ...]:
    """What happened beside the page, and the tabs where there are several."""
    if view is None:
        return ()
    marks = ["" if place != view.active else ", shown" for place in range(len(view.tabs))]
    tabs = [
        f"tab {place}{mark}: {tab.title or tab.url}"
        for place, (tab, mark) in enumerate(zip(view.tabs, marks, strict=True))
    ]
    return (*view.notes, *(tabs if len(tabs) > 1 else ()))


def _kept(view: View, blobs: Blobs) -> Snapshot:
    return Snapshot.model_validate_json(blobs.get(view.blob)) if view.blob else EMPTY_PAGE

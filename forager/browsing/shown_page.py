"""The page that a browser shows in a round, and the path that led to it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from forager.browsing.action_keys import effect_key, habit_key, look_digest
from forager.browsing.action_text import describe_action
from forager.browsing.page.aria import Node, node_by_ref, parse_aria
from forager.browsing.page.find import find_lines
from forager.browsing.page.observation import observe
from forager.browsing.trajectory import current_step, steps_of_round, viewed_steps
from forager.domain.actions import Action
from forager.domain.base import Frozen
from forager.domain.browser import Snapshot, View
from forager.domain.state import State, Step
from forager.domain.urls import tried_or_at_hand
from forager.ports import Blobs
from forager.prompts.sections import Item

EMPTY_PAGE = Snapshot(url="")


class BrowserPath(Frozen):
    """The actions of a round in a browser, in order, and the identities of all pages opened."""

    actions: tuple[Action, ...] = ()
    opened: tuple[str, ...] = ()


@dataclass(frozen=True)
class ShownPage:
    """A page as the browser shows it, and as it was before the last step."""

    snapshot: Snapshot
    before: Snapshot | None = None

    @property
    def root(self) -> Node:
        """The root of its accessibility tree."""
        return parse_tree(self.snapshot.tree)

    def relevant_lines(self, weights: Mapping[str, float], tokens: int) -> tuple[Item, ...]:
        """The lines that matter most for these weights of index terms, within `tokens`."""
        return observe(self.snapshot, self.before, weights, tokens).lines

    def find_words(self, words: str) -> tuple[str, ...]:
        """The lines of the whole page that contain the words, for a prompt."""
        return find_lines(self.snapshot, words) or (f"Nothing has {words!r}.",)

    def effect_key(self, action: Action) -> str:
        """The effect of an action on this page; see `action_keys.effect_key`."""
        return effect_key(action, node_by_ref(self.root, action.target), self.snapshot.url)

    def habit_key(self, action: Action) -> str:
        """A key that an action shares with the same action on an equal-looking page."""
        return habit_key(action, look_digest(self.snapshot))


def shown_page(state: State, blobs: Blobs) -> ShownPage:
    """The page that the browser shows now; an empty one if the round uses no browser."""
    last = current_step(state)
    first = next((one for one in viewed_steps(state) if last and one.id == last.action.at), None)
    return ShownPage(load_snapshot(last, blobs), load_snapshot(first, blobs) if first else None)


@lru_cache(maxsize=4)
def parse_tree(tree: str) -> Node:
    """Parse a tree; the result is cached and shared, so do not change it."""
    return parse_aria(tree)


def load_snapshot(step: Step | None, blobs: Blobs) -> Snapshot:
    """The snapshot that the browser took after a step; empty if there is none."""
    if step is None or step.view is None or not step.view.blob:
        return EMPTY_PAGE
    return Snapshot.model_validate_json(blobs.get(step.view.blob))


def count_habits(state: State, blobs: Blobs) -> Counter[str]:
    """Count the habit keys of this round's steps, failed ones included."""
    looks = {step.id: look_digest(load_snapshot(step, blobs)) for step in viewed_steps(state)}
    return Counter(
        habit_key(step.action, looks.get(step.action.at, "")) for step in steps_of_round(state)
    )


def browser_path(state: State) -> BrowserPath:
    """The actions of this round that succeeded, and the pages that the run has opened."""
    return BrowserPath(
        actions=tuple(step.action for step in steps_of_round(state) if step.outcome == "moved"),
        opened=tuple(sorted(tried_or_at_hand(state))),
    )


def describe_last_steps(state: State, count: int) -> tuple[str, ...]:
    """At most `count` steps of this round in words, the newest last."""
    return tuple(describe_step(step) for step in steps_of_round(state)[-count:]) if count else ()


def describe_step(step: Step) -> str:
    """A step and its outcome, in words for a prompt."""
    done = describe_action(step.action)
    if step.outcome == "failed":
        return f"{done}: failed. {step.reason}"
    notes = " ".join(step.view.notes) if step.view else ""
    changed = f" It changed something: {step.harm}" if step.harm else ""
    where = step.page.title or step.page.url if step.page else ""
    return f"{done}: now at {where}.{changed} {notes}".rstrip()


def describe_tabs(view: View | None) -> tuple[str, ...]:
    """The notes of a view, and its tabs if there are several."""
    if view is None:
        return ()
    marks = ["" if place != view.active else ", shown" for place in range(len(view.tabs))]
    tabs = [
        f"tab {place}{mark}: {tab.title or tab.url}"
        for place, (tab, mark) in enumerate(zip(view.tabs, marks, strict=True))
    ]
    return (*view.notes, *(tabs if len(tabs) > 1 else ()))

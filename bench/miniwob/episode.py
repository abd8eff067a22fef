"""An episode: a page with a goal, the actions taken on it, and its reward."""

import re
import time
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, TypeVar

from forager.adapters.browser.tabs import Tabs
from forager.browsing.page.aria import Node, parse_aria
from forager.domain.actions import Action, Kind

START = """seed => {
  Math.seedrandom(seed);
  core.EPISODE_MAX_TIME = 60000;
  core.startEpisodeReal();
  document.getElementById("reward-display").style.display = "none";
}"""
"""Starts an episode; hides the reward display, which covers parts of the task."""
REWARD = "() => window.WOB_DONE_GLOBAL ? WOB_RAW_REWARD_GLOBAL : 0"
QUOTED = re.compile(r'"([^"]+)"')
T = TypeVar("T")


class LostError(Exception):
    """The oracle does not find what the goal mentions on the page."""


class Episode:
    """A page that an oracle acts on; `seconds` has the time of each action with its snapshot."""

    def __init__(self, tabs: Tabs) -> None:
        self._tabs = tabs
        self.goal = ""
        self.root = Node("fragment")
        self.seconds: list[float] = []

    async def start(self, url: str, seed: int) -> None:
        """Open the page and start the episode."""
        await self._tabs.open_url(url)
        await self._tabs.page.evaluate(START, str(seed))
        self.goal = await self._tabs.page.inner_text("#query")
        await self.take_snapshot()

    async def take_snapshot(self) -> None:
        """Take a new snapshot."""
        self.root = parse_aria((await self._tabs.take_snapshot()).tree)

    async def read_reward(self) -> float:
        """Return the reward, at most 1; 0 while the episode runs."""
        return float(await self._tabs.page.evaluate(REWARD))

    async def do_action(
        self,
        kind: Kind,
        node: Node | None = None,
        value: str = "",
        *,
        target: str = "",
        submit: bool = False,
    ) -> None:
        """Perform an action and take a snapshot, timed together."""
        action = Action(kind=kind, target=node.ref if node else target, value=value, submit=submit)
        began = time.perf_counter()
        await self._tabs.do_action(action)
        await self.take_snapshot()
        self.seconds.append(time.perf_counter() - began)

    def find_all(self, *roles: str) -> list[Node]:
        """Return the nodes with a ref and one of these roles, in page order."""
        return [node for node in self.root.walk() if node.ref and node.role in roles]

    def find_named(self, name: str, *roles: str) -> Node:
        """Return the first node with a role and a name, ignoring case. Raises LostError."""
        for node in self.find_all(*roles):
            if node_text(node).casefold() == name.casefold():
                return node
        raise LostError(f"no {' or '.join(roles)} called {name!r}")

    def find_text(self, text: str) -> Node:
        """Return the innermost node of the task with exactly this text. Raises LostError."""
        found = [node for node in self.task_nodes() if node.ref and node_text(node).strip() == text]
        if not found:
            raise LostError(f"nothing says {text!r}")
        return found[-1]

    def task_nodes(self) -> list[Node]:
        """Return the nodes of the task itself, those after its goal."""
        nodes = list(self.root.walk())
        goal = " ".join(self.goal.split())
        begin = next((n for n, node in enumerate(nodes) if node_text(node) == goal), -1)
        return nodes[begin + 1 :]

    def quoted_texts(self) -> list[str]:
        """Return the quoted texts of the goal."""
        return QUOTED.findall(self.goal)

    async def read_property(self, node: Node, name: str) -> str:
        """Read a DOM property, where the accessibility tree does not tell widgets apart."""
        element = self._tabs.page.locator(f"aria-ref={node.ref}")
        return str(await element.evaluate("(element, name) => element[name]", name))

    async def click(self, name: str, *roles: str) -> None:
        """Click the element with this name; a button unless roles are given."""
        await self.do_action("click", self.find_named(name, *(roles or ("button",))))

    async def submit(self, name: str = "Submit") -> None:
        """Click the button that submits the task."""
        await self.click(name, "button")


def first_match(found: Iterable[T]) -> T:
    """Return the first item. Raises LostError if there is none."""
    for each in found:
        return each
    raise LostError("the page has nothing that the goal mentions")


def node_text(node: Node) -> str:
    """Return the text of a node as one line."""
    return " ".join((node.name or node.text_content()).split())


Oracle = Callable[[Episode], Coroutine[Any, Any, None]]

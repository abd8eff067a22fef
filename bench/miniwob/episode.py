"""One episode: a page with a goal, the actions taken on it, and its reward."""

import re
import time
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, TypeVar

from forager.adapters.browser.tabs import Tabs
from forager.browsing.page.aria import Node, parse
from forager.domain.actions import Action, Kind

START = """seed => {
  Math.seedrandom(seed);
  core.EPISODE_MAX_TIME = 60000;
  core.startEpisodeReal();
  document.getElementById("reward-display").style.display = "none";
}"""
"""The display of rewards is none of the task, and lies over parts of it."""
REWARD = "() => window.WOB_DONE_GLOBAL ? WOB_RAW_REWARD_GLOBAL : 0"
QUOTED = re.compile(r'"([^"]+)"')
T = TypeVar("T")


class LostError(Exception):
    """The oracle does not find on the page what its goal speaks of."""


class Episode:
    """What an oracle plays with. `seconds` are those of each pair of an action and a look."""

    def __init__(self, tabs: Tabs) -> None:
        self._tabs = tabs
        self.goal = ""
        self.root = Node("fragment")
        self.seconds: list[float] = []

    async def start(self, url: str, seed: int) -> None:
        """Open the page and begin."""
        await self._tabs.open_url(url)
        await self._tabs.page.evaluate(START, str(seed))
        self.goal = await self._tabs.page.inner_text("#query")
        await self.look()

    async def look(self) -> None:
        """Take a new snapshot."""
        self.root = parse((await self._tabs.take_snapshot()).tree)

    async def reward(self) -> float:
        """What the page gives, 1 being all; 0 while the episode goes on."""
        return float(await self._tabs.page.evaluate(REWARD))

    async def do(
        self,
        kind: Kind,
        node: Node | None = None,
        value: str = "",
        *,
        target: str = "",
        submit: bool = False,
    ) -> None:
        """Act and look, timed together."""
        action = Action(kind=kind, target=node.ref if node else target, value=value, submit=submit)
        began = time.perf_counter()
        await self._tabs.do_action(action)
        await self.look()
        self.seconds.append(time.perf_counter() - began)

    def every(self, *roles: str) -> list[Node]:
        """The nodes with these roles that can be acted on, in the order of the page."""
        return [node for node in self.root.walk() if node.ref and node.role in roles]

    def called(self, name: str, *roles: str) -> Node:
        """The first node with a role and a name; the name's case does not count."""
        for node in self.every(*roles):
            if said(node).casefold() == name.casefold():
                return node
        raise LostError(f"no {' or '.join(roles)} called {name!r}")

    def saying(self, text: str) -> Node:
        """The innermost node that says nothing but the text, below the goal."""
        found = [node for node in self.area() if node.ref and said(node).strip() == text]
        if not found:
            raise LostError(f"nothing says {text!r}")
        return found[-1]

    def area(self) -> list[Node]:
        """The nodes of the task itself: what follows its goal."""
        nodes = list(self.root.walk())
        goal = " ".join(self.goal.split())
        begin = next((n for n, node in enumerate(nodes) if said(node) == goal), -1)
        return nodes[begin + 1 :]

    def quoted(self) -> list[str]:
        """What stands in quotation marks in the goal."""
        return QUOTED.findall(self.goal)

    async def attribute(self, node: Node, name: str) -> str:
        """A property of the element in the page, where the tree does not tell widgets apart."""
        element = self._tabs.page.locator(f"aria-ref={node.ref}")
        return str(await element.evaluate("(element, name) => element[name]", name))

    async def click(self, name: str, *roles: str) -> None:
        """Click what has a name."""
        await self.do("click", self.called(name, *(roles or ("button",))))

    async def submit(self, name: str = "Submit") -> None:
        """Click the button that ends the task."""
        await self.click(name, "button")


def first(found: Iterable[T]) -> T:
    """The first of what was looked for. Raises LostError."""
    for each in found:
        return each
    raise LostError("nothing on the page is what the goal speaks of")


def said(node: Node) -> str:
    """What a node says, as one line."""
    return " ".join((node.name or node.words()).split())


Oracle = Callable[[Episode], Coroutine[Any, Any, None]]

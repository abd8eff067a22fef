"""Oracles of tasks that drag: boxes, sorted lists, grids."""

import re

from bench.miniwob.episode import Episode, Oracle, first, said
from forager.browsing.page.aria import Node

NUMBER = re.compile(r"-?\d+")
ROWS = {"top": 0, "center": 1, "bottom": 2}
COLUMNS = {"left": 0, "center": 1, "right": 2}
BY_ONE = {"up": -3, "down": 3, "left": -1, "right": 1}


async def box(task: Episode) -> None:
    await task.do("drag", task.saying("s"), task.saying("L").ref)
    await task.submit()


async def item(task: Episode) -> None:
    items = task.every("listitem")
    words = task.goal.removesuffix(".").split()
    start = first(n for n, node in enumerate(items) if said(node) == words[1])
    ends = {
        "top": 0,
        "bottom": len(items) - 1,
        "down by one position": start + 1,
        "up by one position": start - 1,
    }
    place = NUMBER.search(task.goal)
    goal = task.goal.removesuffix(".")
    end = int(place[0]) - 1 if place else first(n for way, n in ends.items() if goal.endswith(way))
    await task.do("drag", items[start], items[end].ref)


async def cell(task: Episode) -> None:
    items = task.every("listitem")
    name, where = re.findall(r"Drag (\w+) (?:to the )?(.+)\.", task.goal)[0]
    start = first(n for n, node in enumerate(items) if said(node) == name)
    if where.endswith("by one"):
        end = start + BY_ONE[where.split()[0]]
    else:
        words = where.split()
        end = 3 * ROWS[words[0]] + COLUMNS[words[-1]]
    await task.do("drag", items[start], items[end].ref)


async def numbers(task: Episode) -> None:
    """Selection sort: the smallest of what is left goes up."""
    for place in range(len(_numbers(task))):
        items = _numbers(task)
        left = [_number(node) for node in items[place:]]
        least = place + left.index(min(left))
        if least != place:
            await task.do("drag", items[least], items[place].ref)
    await task.submit()


def _numbers(task: Episode) -> list[Node]:
    return task.every("listitem")


def _number(node: Node) -> int:
    return int(NUMBER.findall(said(node))[0])


ORACLES: dict[str, Oracle] = {
    "drag-box": box,
    "drag-items": item,
    "drag-items-grid": cell,
    "drag-sort-numbers": numbers,
}

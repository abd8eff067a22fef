"""Oracles of drag tasks: boxes, sorted lists, grids."""

import re

from bench.miniwob.episode import Episode, Oracle, first_match, node_text
from forager.browsing.page.aria import Node

NUMBER = re.compile(r"-?\d+")
ROWS = {"top": 0, "center": 1, "bottom": 2}
COLUMNS = {"left": 0, "center": 1, "right": 2}
BY_ONE = {"up": -3, "down": 3, "left": -1, "right": 1}


async def drag_box(task: Episode) -> None:
    await task.do_action("drag", task.find_text("s"), task.find_text("L").ref)
    await task.submit()


async def drag_item(task: Episode) -> None:
    items = task.find_all("listitem")
    words = task.goal.removesuffix(".").split()
    start = first_match(n for n, node in enumerate(items) if node_text(node) == words[1])
    ends = {
        "top": 0,
        "bottom": len(items) - 1,
        "down by one position": start + 1,
        "up by one position": start - 1,
    }
    place = NUMBER.search(task.goal)
    goal = task.goal.removesuffix(".")
    end = (
        int(place[0]) - 1
        if place
        else first_match(n for way, n in ends.items() if goal.endswith(way))
    )
    await task.do_action("drag", items[start], items[end].ref)


async def drag_cell(task: Episode) -> None:
    items = task.find_all("listitem")
    name, where = re.findall(r"Drag (\w+) (?:to the )?(.+)\.", task.goal)[0]
    start = first_match(n for n, node in enumerate(items) if node_text(node) == name)
    if where.endswith("by one"):
        end = start + BY_ONE[where.split()[0]]
    else:
        words = where.split()
        end = 3 * ROWS[words[0]] + COLUMNS[words[-1]]
    await task.do_action("drag", items[start], items[end].ref)


async def sort_numbers(task: Episode) -> None:
    """Selection sort: drag the smallest remaining number to the front."""
    for place in range(len(_number_items(task))):
        items = _number_items(task)
        left = [_read_number(node) for node in items[place:]]
        least = place + left.index(min(left))
        if least != place:
            await task.do_action("drag", items[least], items[place].ref)
    await task.submit()


def _number_items(task: Episode) -> list[Node]:
    return task.find_all("listitem")


def _read_number(node: Node) -> int:
    return int(NUMBER.findall(node_text(node))[0])


ORACLES: dict[str, Oracle] = {
    "drag-box": drag_box,
    "drag-items": drag_item,
    "drag-items-grid": drag_cell,
    "drag-sort-numbers": sort_numbers,
}

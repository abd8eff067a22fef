"""Oracles of tasks that are clicked: buttons, boxes, dialogs, tabs, menus, trees, dates."""

import re

from bench.miniwob.episode import Episode, LostError, Oracle, first, said

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
SELECT = re.compile(r"Select (.*?) and click Submit", re.S)
NUMBER = re.compile(r"-?\d+")


async def button(task: Episode) -> None:
    await task.click(task.quoted()[0])


async def one(task: Episode) -> None:
    await task.click("ONE")


async def sequence(task: Episode) -> None:
    await task.click("ONE")
    await task.click("TWO")


async def any_button(task: Episode) -> None:
    await task.do("click", task.every("button")[0])


async def boxes(task: Episode) -> None:
    wanted = SELECT.findall(task.goal)[0]
    for name in wanted.split(", ") if wanted != "nothing" else []:
        await task.click(name, "checkbox", "radio")
    await task.submit()


async def dialog(task: Episode) -> None:
    name = (task.quoted() or ["x"])[0]
    await task.click("Close" if name == "x" else name)


async def tab(task: Episode) -> None:
    await task.click(task.goal.removeprefix("Click on ").rstrip("."), "link")


async def widget(task: Episode) -> None:
    kinds = {"text": ("textbox",), "textarea": ("textbox",)}
    name = task.quoted()[0]
    nodes = task.every(*kinds.get(name, (name,)))
    if name in kinds:
        # Both are textboxes to the accessibility tree; the page shows the area's text as its own.
        await _widget_by_look(task, name)
        return
    await task.do("click", nodes[0])


async def _widget_by_look(task: Episode, name: str) -> None:
    for node in task.every("textbox"):
        tag = await task.attribute(node, "tagName")
        if (tag == "TEXTAREA") == (name == "textarea"):
            await task.do("click", node)
            return
    raise LostError(f"no {name}")


async def collapsible(task: Episode) -> None:
    await task.do("click", task.every("tab")[0])
    await task.submit()


async def date(task: Episode) -> None:
    month, day, year = (int(part) for part in re.findall(r"\d+", task.goal)[:3])
    await task.do("click", task.every("textbox")[0])
    for _ in range(36):
        if any(said(node) == f"{MONTHS[month - 1]} {year}" for node in task.root.walk()):
            break
        await task.do("click", task.called("Prev", "link", "button", "generic"))
    await task.click(str(day), "link", "button")
    await task.submit()


async def tree(task: Episode) -> None:
    wanted = task.quoted()[0]
    opened: set[str] = set()
    while True:
        names = [said(node) for node in task.area() if node.ref and not node.children]
        if wanted in names:
            await task.do("click", task.saying(wanted))
            return
        closed = [name for name in names if name and name not in opened]
        if not closed:
            raise LostError(f"no {wanted} in the tree")
        opened.add(closed[0])
        await task.do("click", task.saying(closed[0]))


async def odd_or_even(task: Episode) -> None:
    numbers = [said(node) for node in task.area() if NUMBER.fullmatch(node.text)]
    for place, number in enumerate(numbers):
        name = "Odd" if int(number) % 2 else "Even"
        buttons = [node for node in task.every("button") if said(node) == name]
        await task.do("click", buttons[place])
    await task.submit()


async def ticket(task: Episode) -> None:
    buttons = task.every("button")
    prices = [int(NUMBER.findall(said(node))[0]) for node in buttons]
    lasts = [
        int(hours) * 60 + int(minutes)
        for hours, minutes in re.findall(r"(\d+)h (\d+)m", task.root.words())
    ]
    worth = prices if "cost" in task.goal or "price" in task.goal else lasts
    best = min if re.search("least|cheapest|shortest", task.goal) else max
    await task.do("click", buttons[worth.index(best(worth))])


async def menu(task: Episode) -> None:
    for name in task.goal.removeprefix("Select ").strip().split(">"):
        await task.do("hover", task.called(name, "menuitem"))
    await task.do("click", task.called(name, "menuitem"))


async def phone_book(task: Episode) -> None:
    name = re.findall(r"Find (\w+) in", task.goal)[0]
    wanted = re.findall(r"their (.+)\.", task.goal)[0]
    labels = {"phone number": "Phone:", "email": "Email:", "address": "Address:"}
    for _ in range(20):
        if any(said(node) == name for node in task.every("heading")):
            break
        await task.click(">", "link")
    leaves = [node for node in task.area() if not node.children]
    at = first(n for n, node in enumerate(leaves) if said(node) == labels[wanted])
    await task.do("click", leaves[at + 1])


async def even_number(task: Episode) -> None:
    for _ in range(60):
        await task.click("Generate")
        shown = [said(node) for node in task.area() if NUMBER.fullmatch(said(node))]
        if shown and fits(int(shown[0]), task.goal):
            await task.submit()
            return
    raise LostError("no such number came")


def fits(number: int, goal: str) -> bool:
    """Is it a number of the kind that is asked for?"""
    limits = [int(each) for each in NUMBER.findall(goal)]
    rules = {
        "an even": number % 2 == 0,
        "an odd": number % 2 == 1,
        "greater": bool(limits) and number > limits[0],
        "less": bool(limits) and number < limits[0],
    }
    return next((fit for words, fit in rules.items() if words in goal), False)


ORACLES: dict[str, Oracle] = {
    "click-button": button,
    "click-button-sequence": sequence,
    "click-test": any_button,
    "click-test-2": one,
    "click-test-transfer": one,
    "click-checkboxes": boxes,
    "click-checkboxes-large": boxes,
    "click-checkboxes-transfer": boxes,
    "click-option": boxes,
    "click-dialog": dialog,
    "click-dialog-2": dialog,
    "click-tab": tab,
    "click-widget": widget,
    "click-collapsible": collapsible,
    "click-collapsible-nodelay": collapsible,
    "click-menu": menu,
    "choose-date": date,
    "choose-date-easy": date,
    "choose-date-medium": date,
    "choose-date-nodelay": date,
    "navigate-tree": tree,
    "odd-or-even": odd_or_even,
    "buy-ticket": ticket,
    "phone-book": phone_book,
    "generate-number": even_number,
    "unicode-test": button,
}

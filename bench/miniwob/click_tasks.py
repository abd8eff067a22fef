"""Oracles of tasks solved by clicks: buttons, checkboxes, dialogs, tabs, menus, trees, dates."""

import re

from bench.miniwob.episode import Episode, LostError, Oracle, first_match, node_text

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
SELECT = re.compile(r"Select (.*?) and click Submit", re.S)
NUMBER = re.compile(r"-?\d+")


async def click_button(task: Episode) -> None:
    await task.click(task.quoted_texts()[0])


async def click_one(task: Episode) -> None:
    await task.click("ONE")


async def click_sequence(task: Episode) -> None:
    await task.click("ONE")
    await task.click("TWO")


async def click_any_button(task: Episode) -> None:
    await task.do_action("click", task.find_all("button")[0])


async def tick_boxes(task: Episode) -> None:
    wanted = SELECT.findall(task.goal)[0]
    for name in wanted.split(", ") if wanted != "nothing" else []:
        await task.click(name, "checkbox", "radio")
    await task.submit()


async def close_dialog(task: Episode) -> None:
    name = (task.quoted_texts() or ["x"])[0]
    await task.click("Close" if name == "x" else name)


async def open_tab(task: Episode) -> None:
    await task.click(task.goal.removeprefix("Click on ").rstrip("."), "link")


async def click_widget(task: Episode) -> None:
    kinds = {"text": ("textbox",), "textarea": ("textbox",)}
    name = task.quoted_texts()[0]
    nodes = task.find_all(*kinds.get(name, (name,)))
    if name in kinds:
        # The accessibility tree has the same role for an input and a text area.
        await _click_text_widget(task, name)
        return
    await task.do_action("click", nodes[0])


async def _click_text_widget(task: Episode, name: str) -> None:
    for node in task.find_all("textbox"):
        tag = await task.read_property(node, "tagName")
        if (tag == "TEXTAREA") == (name == "textarea"):
            await task.do_action("click", node)
            return
    raise LostError(f"no {name}")


async def open_section(task: Episode) -> None:
    await task.do_action("click", task.find_all("tab")[0])
    await task.submit()


async def pick_date(task: Episode) -> None:
    month, day, year = (int(part) for part in re.findall(r"\d+", task.goal)[:3])
    await task.do_action("click", task.find_all("textbox")[0])
    for _ in range(36):
        if any(node_text(node) == f"{MONTHS[month - 1]} {year}" for node in task.root.walk()):
            break
        await task.do_action("click", task.find_named("Prev", "link", "button", "generic"))
    await task.click(str(day), "link", "button")
    await task.submit()


async def navigate_tree(task: Episode) -> None:
    wanted = task.quoted_texts()[0]
    opened: set[str] = set()
    while True:
        names = [node_text(node) for node in task.task_nodes() if node.ref and not node.children]
        if wanted in names:
            await task.do_action("click", task.find_text(wanted))
            return
        closed = [name for name in names if name and name not in opened]
        if not closed:
            raise LostError(f"no {wanted} in the tree")
        opened.add(closed[0])
        await task.do_action("click", task.find_text(closed[0]))


async def mark_odd_or_even(task: Episode) -> None:
    numbers = [node_text(node) for node in task.task_nodes() if NUMBER.fullmatch(node.text)]
    for place, number in enumerate(numbers):
        name = "Odd" if int(number) % 2 else "Even"
        buttons = [node for node in task.find_all("button") if node_text(node) == name]
        await task.do_action("click", buttons[place])
    await task.submit()


async def buy_ticket(task: Episode) -> None:
    buttons = task.find_all("button")
    prices = [int(NUMBER.findall(node_text(node))[0]) for node in buttons]
    lasts = [
        int(hours) * 60 + int(minutes)
        for hours, minutes in re.findall(r"(\d+)h (\d+)m", task.root.text_content())
    ]
    worth = prices if "cost" in task.goal or "price" in task.goal else lasts
    best = min if re.search("least|cheapest|shortest", task.goal) else max
    await task.do_action("click", buttons[worth.index(best(worth))])


async def pick_from_menu(task: Episode) -> None:
    for name in task.goal.removeprefix("Select ").strip().split(">"):
        await task.do_action("hover", task.find_named(name, "menuitem"))
    await task.do_action("click", task.find_named(name, "menuitem"))


async def search_phone_book(task: Episode) -> None:
    name = re.findall(r"Find (\w+) in", task.goal)[0]
    wanted = re.findall(r"their (.+)\.", task.goal)[0]
    labels = {"phone number": "Phone:", "email": "Email:", "address": "Address:"}
    for _ in range(20):
        if any(node_text(node) == name for node in task.find_all("heading")):
            break
        await task.click(">", "link")
    leaves = [node for node in task.task_nodes() if not node.children]
    at = first_match(n for n, node in enumerate(leaves) if node_text(node) == labels[wanted])
    await task.do_action("click", leaves[at + 1])


async def generate_number(task: Episode) -> None:
    for _ in range(60):
        await task.click("Generate")
        shown = [node_text(node) for node in task.task_nodes() if NUMBER.fullmatch(node_text(node))]
        if shown and fits_goal(int(shown[0]), task.goal):
            await task.submit()
            return
    raise LostError("no fitting number was generated")


def fits_goal(number: int, goal: str) -> bool:
    """Return whether a number is of the kind that the goal asks for."""
    limits = [int(each) for each in NUMBER.findall(goal)]
    rules = {
        "an even": number % 2 == 0,
        "an odd": number % 2 == 1,
        "greater": bool(limits) and number > limits[0],
        "less": bool(limits) and number < limits[0],
    }
    return next((fit for words, fit in rules.items() if words in goal), False)


ORACLES: dict[str, Oracle] = {
    "click-button": click_button,
    "click-button-sequence": click_sequence,
    "click-test": click_any_button,
    "click-test-2": click_one,
    "click-test-transfer": click_one,
    "click-checkboxes": tick_boxes,
    "click-checkboxes-large": tick_boxes,
    "click-checkboxes-transfer": tick_boxes,
    "click-option": tick_boxes,
    "click-dialog": close_dialog,
    "click-dialog-2": close_dialog,
    "click-tab": open_tab,
    "click-widget": click_widget,
    "click-collapsible": open_section,
    "click-collapsible-nodelay": open_section,
    "click-menu": pick_from_menu,
    "choose-date": pick_date,
    "choose-date-easy": pick_date,
    "choose-date-medium": pick_date,
    "choose-date-nodelay": pick_date,
    "navigate-tree": navigate_tree,
    "odd-or-even": mark_odd_or_even,
    "buy-ticket": buy_ticket,
    "phone-book": search_phone_book,
    "generate-number": generate_number,
    "unicode-test": click_button,
}

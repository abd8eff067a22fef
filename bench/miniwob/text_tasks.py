"""Oracles of typing tasks: texts, dates, logins, tables, searches, sums, autocompletion."""

import re

from bench.miniwob.episode import Episode, LostError, Oracle, first_match, node_text
from forager.browsing.page.aria import Node

LABELLED = re.compile(r"Search for (\w+) movies directed by (\w+) from year (\d+)")
NUMBER = re.compile(r"-?\d+")
TIME = re.compile(r"(\d+):(\d\d) ([AP]M)")


async def enter_text(task: Episode) -> None:
    wanted = task.quoted_texts()[0]
    if "lower case" in task.goal:
        wanted = wanted.lower()
    if "upper case" in task.goal:
        wanted = wanted.upper()
    await task.do_action("type", task.find_all("textbox")[0], wanted)
    await task.submit()


async def enter_password(task: Episode) -> None:
    for place in range(2):
        await task.do_action("type", task.find_all("textbox")[place], task.quoted_texts()[0])
    await task.submit()


async def enter_date(task: Episode) -> None:
    month, day, year = re.findall(r"(\d+)/(\d+)/(\d+)", task.goal)[0]
    field = task.find_all("textbox")[0]
    if await task.read_property(field, "type") == "date":
        await task.do_action("type", field, f"{year}-{month}-{day}")
    else:
        await task.do_action("type", field, f"{month}/{day}/{year}")
    await task.submit()


async def enter_time(task: Episode) -> None:
    hour, minute, half = TIME.findall(task.goal)[0]
    of_day = int(hour) % 12 + (12 if half == "PM" else 0)
    await task.do_action("type", task.find_all("textbox")[0], f"{of_day:02}:{minute}")
    await task.submit()


async def focus_field(task: Episode) -> None:
    place = int((NUMBER.findall(task.goal) or ["1"])[0])
    await task.do_action("click", task.find_all("textbox")[place - 1])


async def log_in(task: Episode) -> None:
    user, secret = task.quoted_texts()[:2]
    await task.do_action("type", task.find_all("textbox")[0], user)
    if cancel := [node for node in task.find_all("button") if node_text(node) == "Cancel"]:
        await task.do_action("click", cancel[0])
    await task.do_action("type", task.find_all("textbox")[1], secret)
    if cancel := [node for node in task.find_all("button") if node_text(node) == "Cancel"]:
        await task.do_action("click", cancel[0])
    last = [node for node in task.find_all("button") if node_text(node) in {"Login", "OK"}][-1]
    await task.do_action("click", last)


async def copy_text(task: Episode) -> None:
    """Use the clipboard, as the accessibility tree joins the lines of a text."""
    fields = task.find_all("textbox")
    place = int((NUMBER.findall(task.goal) or ["1"])[0])
    source = [node for node in fields if node.text][place - 1]
    goal = first_match(node for node in fields if not node.text)
    await task.do_action("click", source)
    for key in ("ControlOrMeta+a", "ControlOrMeta+c"):
        await task.do_action("press", value=key)
    await task.do_action("click", goal)
    await task.do_action("press", value="ControlOrMeta+v")
    await task.submit()


async def enter_nth_word(task: Episode) -> None:
    place = int(NUMBER.findall(task.goal)[0])
    paragraph = node_text(task.find_all("paragraph")[0])
    await task.do_action(
        "type", task.find_all("textbox")[0], re.findall(r"\w+", paragraph)[place - 1]
    )
    await task.submit()


async def enter_last_word(task: Episode) -> None:
    long, field = task.find_all("textbox")[:2]
    await task.do_action("type", field, re.findall(r"\w+", long.text)[-1])
    await task.submit()


async def enter_table_values(task: Episode) -> None:
    cells = [node_text(node) for node in task.find_all("cell")]
    values = dict(zip(cells[::2], cells[1::2], strict=True))
    labels = re.findall(r"value of (.+?) into", task.goal)
    if not labels:
        said_labels = [
            node_text(node).rstrip(":") for node in task.task_nodes() if node.text.endswith(":")
        ]
        labels = [label for label in said_labels if label in values]
    for place, label in enumerate(labels):
        await task.do_action("type", task.find_all("textbox")[place], values[label])
    await task.submit()


async def open_search_result(task: Episode) -> None:
    place = int(re.findall(r"the (\d+)\w\w search result", task.goal)[0])
    await task.do_action("type", task.find_all("textbox")[0], task.quoted_texts()[0])
    await task.click("Search")
    while place > len(_search_results(task)):
        place -= len(_search_results(task))
        await task.click(">", "link")
    await task.do_action("click", _search_results(task)[place - 1])


def _search_results(task: Episode) -> list[Node]:
    links = task.find_all("link")
    return [
        node
        for node in links
        if not NUMBER.fullmatch(node_text(node)) and node_text(node) not in "<>"
    ]


async def solve_arithmetic(task: Episode) -> None:
    shown = first_match(
        node_text(node) for node in task.task_nodes() if node_text(node).endswith("=")
    )
    left, sign, right = re.findall(r"(-?\d+) ([-+x]) (-?\d+)", shown)[0]
    a, b = int(left), int(right)
    await task.do_action(
        "type", task.find_all("textbox")[0], str({"+": a + b, "-": a - b, "x": a * b}[sign])
    )
    await task.submit()


async def solve_algebra(task: Episode) -> None:
    shown = first_match(
        node.text for node in task.task_nodes() if re.search(r"x.*= -?\d+|\d.*x = ", node.text)
    )
    solution = first_match(x for x in range(-2000, 2000) if _solves_equation(shown, x))
    await task.do_action("type", task.find_all("textbox")[0], str(solution))
    await task.submit()


def _solves_equation(equation: str, x: int) -> bool:
    left, right = equation.split("=")
    first, sign, second = left.split()
    a, b = (x if term == "x" else int(term) for term in (first, second))
    return {"+": a + b, "-": a - b}[sign] == int(right)


async def enter_letters(task: Episode) -> None:
    letters = [
        node_text(node)
        for node in task.task_nodes()
        if not node.children and len(node_text(node)) == 1
    ]
    await task.do_action("type", task.find_all("textbox")[0], "".join(letters))
    await task.submit()


async def pick_completion(task: Episode) -> None:
    quoted = task.quoted_texts()
    await task.do_action("type", task.find_all("textbox")[0], quoted[0])
    ending = quoted[1] if len(quoted) > 1 else ""
    for _ in range(20):
        options = task.find_all("listitem", "option", "menuitem", "generic")
        fitting = [
            node
            for node in options
            if node_text(node).startswith(quoted[0])
            and node_text(node).endswith(ending)
            and not node.children
        ]
        if fitting:
            await task.do_action("click", fitting[0])
            await task.submit()
            return
        await task.take_snapshot()
    raise LostError("no completion was offered")


async def guess_number(task: Episode) -> None:
    low, high = 0, 9
    while low <= high and await task.read_reward() == 0:
        middle = (low + high) // 2
        await task.do_action("type", task.find_all("spinbutton")[0], str(middle))
        await task.submit()
        shown = " ".join(node_text(node) for node in task.task_nodes())
        low, high = (middle + 1, high) if "higher than" in shown else (low, middle - 1)


async def fill_labelled_fields(task: Episode) -> None:
    """Labels stand before or after their fields; the last element with text submits the form."""
    genre, director, year = LABELLED.findall(task.goal)[0]
    words = {"director": director, "year": year, "date": year, "genre": genre}
    for field in task.find_all("textbox"):
        label = first_match(
            text for each in field.ancestors() if (text := node_text(each).casefold())
        )
        await task.do_action(
            "type", field, first_match(words[word] for word in words if word in label)
        )
    await task.do_action(
        "click", [node for node in task.task_nodes() if node.ref and node_text(node)][-1]
    )


ORACLES: dict[str, Oracle] = {
    "enter-text": enter_text,
    "enter-text-2": enter_text,
    "enter-text-dynamic": enter_text,
    "enter-password": enter_password,
    "enter-date": enter_date,
    "enter-time": enter_time,
    "focus-text": focus_field,
    "focus-text-2": focus_field,
    "login-user": log_in,
    "login-user-popup": log_in,
    "copy-paste": copy_text,
    "copy-paste-2": copy_text,
    "find-word": enter_nth_word,
    "scroll-text": enter_last_word,
    "read-table": enter_table_values,
    "read-table-2": enter_table_values,
    "search-engine": open_search_result,
    "simple-arithmetic": solve_arithmetic,
    "simple-algebra": solve_algebra,
    "text-transform": enter_letters,
    "use-autocomplete": pick_completion,
    "use-autocomplete-nodelay": pick_completion,
    "guess-number": guess_number,
    "multi-layouts": fill_labelled_fields,
    "multi-orderings": fill_labelled_fields,
}

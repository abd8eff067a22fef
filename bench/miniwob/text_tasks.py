"""Oracles of tasks that are typed: texts, dates, logins, tables, searches, sums, autocompletion."""

import re

from bench.miniwob.episode import Episode, LostError, Oracle, first, said
from forager.browsing.page.aria import Node

LABELLED = re.compile(r"Search for (\w+) movies directed by (\w+) from year (\d+)")
NUMBER = re.compile(r"-?\d+")
TIME = re.compile(r"(\d+):(\d\d) ([AP]M)")


async def text(task: Episode) -> None:
    wanted = task.quoted()[0]
    if "lower case" in task.goal:
        wanted = wanted.lower()
    if "upper case" in task.goal:
        wanted = wanted.upper()
    await task.do("type", task.every("textbox")[0], wanted)
    await task.submit()


async def password(task: Episode) -> None:
    for place in range(2):
        await task.do("type", task.every("textbox")[place], task.quoted()[0])
    await task.submit()


async def date(task: Episode) -> None:
    month, day, year = re.findall(r"(\d+)/(\d+)/(\d+)", task.goal)[0]
    field = task.every("textbox")[0]
    if await task.attribute(field, "type") == "date":
        await task.do("type", field, f"{year}-{month}-{day}")
    else:
        await task.do("type", field, f"{month}/{day}/{year}")
    await task.submit()


async def time(task: Episode) -> None:
    hour, minute, half = TIME.findall(task.goal)[0]
    of_day = int(hour) % 12 + (12 if half == "PM" else 0)
    await task.do("type", task.every("textbox")[0], f"{of_day:02}:{minute}")
    await task.submit()


async def focus(task: Episode) -> None:
    place = int((NUMBER.findall(task.goal) or ["1"])[0])
    await task.do("click", task.every("textbox")[place - 1])


async def login(task: Episode) -> None:
    user, secret = task.quoted()[:2]
    await task.do("type", task.every("textbox")[0], user)
    if cancel := [node for node in task.every("button") if said(node) == "Cancel"]:
        await task.do("click", cancel[0])
    await task.do("type", task.every("textbox")[1], secret)
    if cancel := [node for node in task.every("button") if said(node) == "Cancel"]:
        await task.do("click", cancel[0])
    last = [node for node in task.every("button") if said(node) in {"Login", "OK"}][-1]
    await task.do("click", last)


async def copy(task: Episode) -> None:
    """By the clipboard: the accessibility tree shows a text's lines as one."""
    fields = task.every("textbox")
    place = int((NUMBER.findall(task.goal) or ["1"])[0])
    source = [node for node in fields if node.text][place - 1]
    goal = first(node for node in fields if not node.text)
    await task.do("click", source)
    for key in ("ControlOrMeta+a", "ControlOrMeta+c"):
        await task.do("press", value=key)
    await task.do("click", goal)
    await task.do("press", value="ControlOrMeta+v")
    await task.submit()


async def word(task: Episode) -> None:
    place = int(NUMBER.findall(task.goal)[0])
    paragraph = said(task.every("paragraph")[0])
    await task.do("type", task.every("textbox")[0], re.findall(r"\w+", paragraph)[place - 1])
    await task.submit()


async def last_word(task: Episode) -> None:
    long, field = task.every("textbox")[:2]
    await task.do("type", field, re.findall(r"\w+", long.text)[-1])
    await task.submit()


async def table(task: Episode) -> None:
    cells = [said(node) for node in task.every("cell")]
    values = dict(zip(cells[::2], cells[1::2], strict=True))
    labels = re.findall(r"value of (.+?) into", task.goal)
    if not labels:
        said_labels = [said(node).rstrip(":") for node in task.area() if node.text.endswith(":")]
        labels = [label for label in said_labels if label in values]
    for place, label in enumerate(labels):
        await task.do("type", task.every("textbox")[place], values[label])
    await task.submit()


async def search(task: Episode) -> None:
    place = int(re.findall(r"the (\d+)\w\w search result", task.goal)[0])
    await task.do("type", task.every("textbox")[0], task.quoted()[0])
    await task.click("Search")
    while place > len(_results(task)):
        place -= len(_results(task))
        await task.click(">", "link")
    await task.do("click", _results(task)[place - 1])


def _results(task: Episode) -> list[Node]:
    links = task.every("link")
    return [node for node in links if not NUMBER.fullmatch(said(node)) and said(node) not in "<>"]


async def arithmetic(task: Episode) -> None:
    shown = first(said(node) for node in task.area() if said(node).endswith("="))
    left, sign, right = re.findall(r"(-?\d+) ([-+x]) (-?\d+)", shown)[0]
    a, b = int(left), int(right)
    await task.do("type", task.every("textbox")[0], str({"+": a + b, "-": a - b, "x": a * b}[sign]))
    await task.submit()


async def algebra(task: Episode) -> None:
    shown = first(node.text for node in task.area() if re.search(r"x.*= -?\d+|\d.*x = ", node.text))
    solution = first(x for x in range(-2000, 2000) if _holds(shown, x))
    await task.do("type", task.every("textbox")[0], str(solution))
    await task.submit()


def _holds(equation: str, x: int) -> bool:
    left, right = equation.split("=")
    first, sign, second = left.split()
    a, b = (x if term == "x" else int(term) for term in (first, second))
    return {"+": a + b, "-": a - b}[sign] == int(right)


async def transform(task: Episode) -> None:
    letters = [said(node) for node in task.area() if not node.children and len(said(node)) == 1]
    await task.do("type", task.every("textbox")[0], "".join(letters))
    await task.submit()


async def autocomplete(task: Episode) -> None:
    quoted = task.quoted()
    await task.do("type", task.every("textbox")[0], quoted[0])
    ending = quoted[1] if len(quoted) > 1 else ""
    for _ in range(20):
        options = task.every("listitem", "option", "menuitem", "generic")
        fitting = [
            node
            for node in options
            if said(node).startswith(quoted[0])
            and said(node).endswith(ending)
            and not node.children
        ]
        if fitting:
            await task.do("click", fitting[0])
            await task.submit()
            return
        await task.look()
    raise LostError("no completion was offered")


async def guess(task: Episode) -> None:
    low, high = 0, 9
    while low <= high and await task.reward() == 0:
        middle = (low + high) // 2
        await task.do("type", task.every("spinbutton")[0], str(middle))
        await task.submit()
        shown = " ".join(said(node) for node in task.area())
        low, high = (middle + 1, high) if "higher than" in shown else (low, middle - 1)


async def labelled(task: Episode) -> None:
    """Labels stand before or behind their fields; what says something last sends the form."""
    genre, director, year = LABELLED.findall(task.goal)[0]
    words = {"director": director, "year": year, "date": year, "genre": genre}
    for field in task.every("textbox"):
        label = first(text for each in field.above() if (text := said(each).casefold()))
        await task.do("type", field, first(words[word] for word in words if word in label))
    await task.do("click", [node for node in task.area() if node.ref and said(node)][-1])


ORACLES: dict[str, Oracle] = {
    "enter-text": text,
    "enter-text-2": text,
    "enter-text-dynamic": text,
    "enter-password": password,
    "enter-date": date,
    "enter-time": time,
    "focus-text": focus,
    "focus-text-2": focus,
    "login-user": login,
    "login-user-popup": login,
    "copy-paste": copy,
    "copy-paste-2": copy,
    "find-word": word,
    "scroll-text": last_word,
    "read-table": table,
    "read-table-2": table,
    "search-engine": search,
    "simple-arithmetic": arithmetic,
    "simple-algebra": algebra,
    "text-transform": transform,
    "use-autocomplete": autocomplete,
    "use-autocomplete-nodelay": autocomplete,
    "guess-number": guess,
    "multi-layouts": labelled,
    "multi-orderings": labelled,
}

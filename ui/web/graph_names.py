"""The names of the graphs that a form offers, and what each graph is good for."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from forager.errors import ForagerError, StoreError
from graphs.spec.library import open_library
from graphs.spec.spec import load_graph, preset_names
from ui.server.backend import get_backend
from ui.web.words import later, say

GOOD_FOR: Final = {
    "abreast": later("Several independent parts, which are looked up at the same time."),
    "forager": later(
        "Balanced: reads the most promising pages first, and stops when every part is answered."
    ),
    "infogent": later(
        "The whole web: searches, reads the best result, and searches for what is missing."
    ),
    "infogent-visual": later(
        "Pages that have to be seen: works in a browser and looks at screenshots."
    ),
    "mango": later("Large sites: maps them, then explores from the pages that rank best."),
    "self-map": later("Long tasks in a browser, guided by similar steps of earlier questions."),
    "weboperator": later("Tasks in a browser where a wrong turn has to be taken back."),
    "webwalker": later(
        "Small sites: follows links from the start page, with fifteen clicks at most."
    ),
}
"""One line for each preset. It is not in the preset, whose hash names the runs made with it."""

TITLES: Final = {
    "abreast": later("Parts in parallel"),
    "forager": later("Best pages first"),
    "infogent": later("Web search"),
    "infogent-visual": later("Screenshots"),
    "mango": later("Site map first"),
    "self-map": later("Guided browser"),
    "weboperator": later("Browser with undo"),
    "webwalker": later("Link by link"),
}


PRESET_PART: Final = re.compile(
    r"(?P<name>[a-z-]+?)(?P<copy>-copy(?:-(?P<number>\d+))?)?(?P<more>(?:@| \(|, ).*)?$", re.DOTALL
)
"""The name of a graph, and what may follow it: which copy of it, a version, values, as drawn."""
WORDS_APART: Final = re.compile("[^a-z]+")
NAMES_BY_TITLE: Final = {
    WORDS_APART.sub("-", title.lower()): name for name, title in TITLES.items()
}
"""The presets by the names that copies of them have."""
DEFAULT_GRAPH: Final = "forager"
"""The graph that a question is asked with if none is chosen."""
PATTERNS: Final = {
    "deduplicate": (
        later("Deduplicate"),
        later("Reads many pages and keeps each fact once, with the pages that agree on it."),
    ),
    "gate-before-answer": (
        later("Gate before the answer"),
        later("Answers only when every part is covered and no quote contradicts another."),
    ),
    "human-approval": (
        later("Human approval"),
        later("Works in a browser, and asks you before an action that may change something."),
    ),
    "parallel-arms": (
        later("Parallel arms"),
        later("Explores three pages at the same time, then judges what they found together."),
    ),
    "second-opinion": (
        later("Second opinion"),
        later("A second, stricter critic has to agree before there is an answer."),
    ),
    "translate": (
        later("Translate"),
        later("Answers in English, whatever language the pages are in. Needs a language model."),
    ),
}
"""The title of each pattern that a new graph can begin with, and what it is for."""


def describe_graph_title(name: str) -> str:
    """What a reader calls a preset; empty for any other graph."""
    title = TITLES.get(name)
    return say(title) if title else ""


def name_graph(name: str) -> str:
    """What people see of a graph: the title of a preset, the name of any other.

    What tells one of its versions, or its values, from others stays behind the title.
    """
    own = PRESET_PART.match(name)
    if own is None:
        return name
    title = describe_graph_title(own["name"])
    if own["copy"]:
        original = title or describe_graph_title(NAMES_BY_TITLE.get(own["name"], ""))
        title = _name_copy(original, own["number"]) if original else ""
    return f"{title}{own['more'] or ''}" if title else name


def _name_copy(title: str, number: str | None) -> str:
    if number is None:
        return say("{graph}, copy", graph=title)
    return say("{graph}, copy {number}", graph=title, number=number)


def copy_name(name: str) -> str:
    """The name of a copy of a graph, after the title of a preset."""
    titled = {preset: slug for slug, preset in NAMES_BY_TITLE.items()}
    own = PRESET_PART.match(name)
    original = own["name"] if own and own["copy"] else name
    return f"{titled.get(original, original)}-copy"


def list_graph_names() -> tuple[str, ...]:
    """The presets and the saved graphs; the presets alone if the library cannot be read."""
    try:
        return open_library(get_backend().settings).list_names()
    except StoreError:
        return preset_names()


def describe_graph_use(name: str) -> str:
    """What a preset is good for; the description of another graph; empty if there is none."""
    if use := GOOD_FOR.get(name):
        return say(use)
    try:
        spec = open_library(get_backend().settings).resolve_named(name)
    except ForagerError:
        return ""
    return describe_plainly(spec.description)


def describe_plainly(description: str) -> str:
    """A graph's description; instead of a preset's, which speaks of its parts, what it is good for.

    A copy of a preset keeps its description.
    """
    name = _described_presets().get(description)
    return say(GOOD_FOR[name]) if name else description


@cache
def _described_presets() -> Mapping[str, str]:
    """The presets by their descriptions."""
    return {load_graph(name).description: name for name in preset_names() if name in GOOD_FOR}

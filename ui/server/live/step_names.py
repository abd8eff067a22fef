"""What the nodes of the presets do, in words that need no knowledge of graphs."""

from collections.abc import Mapping
from typing import Final

from graphs.reports.trace import list_node_types
from graphs.spec.spec import GraphSpec

STEP_NAMES: Final[Mapping[str, str]] = {
    "interpret": "Read the question",
    "remember": "Check memory",
    "survey": "Find pages",
    "reread": "Reread known pages",
    "settle": "Sort known quotes",
    "weigh": "Check known quotes",
    "select": "Choose a page",
    "recall": "Recall lessons",
    "navigate": "Decide what to open",
    "act": "Open",
    "refine": "Refine the search",
    "extract": "Copy quotes",
    "aggregate": "Sort quotes",
    "judge": "Check what is open",
    "reflect": "Note what worked",
    "walk": "Walk the site",
    "answer": "Answer",
}
"""By the names of nodes; a node of another name is called what its graph calls it."""


def step_name(node: str) -> str:
    """The name of a step; of a node inside a node, that of the inner one."""
    inner = node.rpartition("/")[2]
    return STEP_NAMES.get(inner, inner[:1].upper() + inner[1:])


def is_named(node: str) -> bool:
    """Whether a node has a name in plain words."""
    return node.rpartition("/")[2] in STEP_NAMES


def step_names(graph: GraphSpec) -> dict[str, str]:
    """The names of a graph's steps, by node; also of the nodes of graphs within it."""
    return {node: step_name(node) for node in list_node_types(graph)}

"""A graph's own instructions, as the checker sees them."""

from pathlib import Path

import pytest

from graphs.check.checker import find_faults
from graphs.spec.registry import REGISTRY
from graphs.spec.spec import GraphSpec, load_graph

MANGO = load_graph("mango")


def with_prompt(node: str, task: str, told: str = "Otherwise.") -> GraphSpec:
    own = MANGO.nodes[node].model_copy(update={"prompts": {task: told}})
    return MANGO.model_copy(update={"nodes": {**MANGO.nodes, node: own}})


def test_tasks_of_a_node_can_have_own_instructions() -> None:
    assert find_faults(with_prompt("navigate", "ChooseLink")) == ()


@pytest.mark.parametrize(
    ("node", "task", "told", "message", "mend"),
    [
        ("navigate", "ChoseLink", "So.", "has no task 'ChoseLink'", "Did you mean 'ChooseLink'?"),
        ("reflect", "ChooseLink", "So.", "has no task 'ChooseLink'", "Known: Reflect."),
        ("act", "Act", "So.", "has no task 'Act'", "'actor' do not use a model; remove the entry."),
        ("reflect", "Reflect", " \n", "'Reflect' are empty", "to use the shipped ones"),
    ],
)
def test_prompt_of_an_unknown_task_is_found(
    node: str, task: str, told: str, message: str, mend: str
) -> None:
    (finding,) = find_faults(with_prompt(node, task, told))
    assert (finding.at, finding.severity) == (node, "error")
    assert message in finding.message
    assert mend in finding.mend


def test_a_prompt_of_a_whole_graph_is_found() -> None:
    spec = load_graph("abreast")
    walk = spec.nodes["walk"].model_copy(update={"prompts": {"ChooseLink": "So."}})
    (finding,) = find_faults(spec.model_copy(update={"nodes": {**spec.nodes, "walk": walk}}))
    assert finding.mend == "Move the prompt to a node inside it."


def test_the_handbook_names_every_task() -> None:
    page = (Path(__file__).parents[3] / "docs" / "graphs.md").read_text(encoding="utf-8")
    tasks = [task for kind in REGISTRY.values() for task in kind.default_prompts]
    assert [task for task in tasks if f"`{task}`" not in page] == []

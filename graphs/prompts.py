"""What the checker has to say of a graph's own instructions."""

from collections.abc import Iterator

from forager.util.suggest import did_you_mean
from graphs.finding import Finding
from graphs.fixes import renamed_entry, without_prompt
from graphs.spec.node_type import Registry
from graphs.spec.spec import GRAPH, GraphSpec


def prompt_faults(spec: GraphSpec, registry: Registry) -> Iterator[Finding]:
    """Prompts of tasks that a node does not ask, and empty ones."""
    for name, node in spec.nodes.items():
        if node.type not in registry and node.type != GRAPH:
            continue
        known = registry[node.type].prompts if node.type in registry else {}
        for task, told in node.prompts.items():
            if task not in known:
                yield Finding(
                    at=name,
                    message=f"{name!r} asks no task {task!r}.",
                    mend=_choice(node.type, task, list(known)),
                    fix=renamed_entry(spec, name, "prompts", task, list(known)),
                )
            elif not told.strip():
                yield Finding(
                    at=name,
                    message=f"The instructions of {task!r} are empty.",
                    mend="Write them, or take the entry out to have those that are shipped.",
                    fix=without_prompt(spec, name, task),
                )


def _choice(kind: str, task: str, known: list[str]) -> str:
    if kind == GRAPH:
        return "Give the prompt to a node inside it."
    if not known:
        return f"A node of type {kind!r} asks no model; take the entry out."
    return did_you_mean(task, known)

"""Can a session go on in another graph from where it stands?"""

from collections.abc import Iterable

from forager.errors import SessionError
from graphs.compile import refuse_faults
from graphs.node_type import KEYS_GIVEN, Registry
from graphs.spec import GraphSpec
from graphs.view import View, view


def refuse_move(old: GraphSpec, new: GraphSpec, pending: Iterable[str], registry: Registry) -> None:
    """Raise SessionError where a node that is to run next is missing, another, or lacks a key.

    Raises GraphError when the new graph has faults.
    """
    if new.hash == old.hash:
        return
    refuse_faults(new, registry)
    there, here = view(old, registry), view(new, registry)
    written = there.written(KEYS_GIVEN)
    for node in dict.fromkeys(pending):
        known = written.get(node, frozenset()) | KEYS_GIVEN
        if reason := _misfit(there, here, node, known):
            raise SessionError(
                f"The graph {new.name!r} cannot go on from there: {reason}",
                "Choose another step or graph, or ask the question anew.",
            )


def _misfit(there: View, here: View, node: str, known: frozenset[str]) -> str:
    if node not in here.spec.nodes:
        return f"it has no node {node!r}, which is to run next."
    then, now = there.spec.nodes[node], here.spec.nodes[node]
    if then.type != now.type:
        return f"its node {node!r} is of type {now.type!r}, not {then.type!r}."
    if there.fanned(node) != here.fanned(node):
        return f"its node {node!r} is reached by another arrow."
    needs = here.types[node].needs(now.params) if node in here.types else frozenset[str]()
    lacking = sorted(needs - known)
    return f"its node {node!r} needs {', '.join(lacking)}, not written yet." if lacking else ""

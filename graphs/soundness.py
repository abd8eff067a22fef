"""Faults of a graph as a whole: dead ends, endless loops, keys read before they are written."""

from collections.abc import Iterator

from graphs.finding import Finding
from graphs.flow import backwards, loops, path, reached
from graphs.spec import END, START
from graphs.view import View


def unsound(seen: View, given: frozenset[str]) -> Iterator[Finding]:
    """The faults of a graph whose names are right; `given` are the keys written before it."""
    yield from _reach(seen)
    yield from _loops(seen)
    yield from _keys(seen, given)


def _reach(seen: View) -> Iterator[Finding]:
    arrows = seen.arrows()
    forwards = reached(START, arrows)
    homewards = reached(END, backwards(arrows))
    for name in seen.spec.nodes:
        if name not in forwards:
            yield Finding(
                at=name,
                message=f"{name!r} is never reached.",
                mend="Lead an edge to it, or remove it.",
            )
        elif name not in homewards:
            yield Finding(
                at=name,
                message=f"No way leads from {name!r} to the end.",
                mend="Lead one of its routes to a node that gets there.",
            )


def _loops(seen: View) -> Iterator[Finding]:
    """What is left when each node with a budget has spent it must not run in circles."""
    arrows: dict[str, list[str]] = {}
    for edge in seen.edges():
        if edge.route == (seen.spent(edge.source) or edge.route):
            arrows.setdefault(edge.source, []).append(edge.target)
    within = reached(START, seen.arrows())
    for loop in loops({node: nexts for node, nexts in arrows.items() if node in within}):
        ways = ", ".join(f"{name}.{seen.spent(name)}" for name in loop[1:] if seen.spent(name))
        yield Finding(
            at=loop[0],
            message=f"The loop {' -> '.join(loop)} has no budget that ends it.",
            mend=f"Lead {ways} out of it." if ways else "Lead it through a node with a budget.",
        )


def _keys(seen: View, given: frozenset[str]) -> Iterator[Finding]:
    before = seen.written(given)
    writes = seen.writes()
    for name, kind in seen.types.items():
        if name not in before:
            continue  # told as unreachable
        for key in sorted(kind.needs(seen.spec.nodes[name].params) - before[name]):
            writers = sorted(node for node, keys in writes.items() if key in keys)
            way = path(reached(START, seen.arrows(), without=set(writers) - {name}), name)
            yield Finding(
                at=name,
                message=f"It reads {key!r}, and nothing writes that on {' -> '.join(way)}.",
                mend=f"Lead that way through {' or '.join(map(repr, writers))}."
                if writers
                else f"Put a node before it that writes {key!r}.",
            )
        fans = [edge for edge in seen.edges() if edge.source == name and edge.fan]
        if fans and "draw" not in before[name] | kind.writes:
            yield Finding(
                at=str(fans[0]),
                message="No arm is drawn that a branch could walk.",
                mend="Fan out from a selector.",
            )

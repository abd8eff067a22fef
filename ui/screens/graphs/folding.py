"""Nodes folded into one that holds them, and unfolded again."""

from graphs.spec import fold
from graphs.spec.spec import GraphSpec
from ui.screens.graphs.opened import change, choose

NAME = "expedition"


def folded(names: tuple[str, ...]) -> None:
    """One node in place of these; where that cannot be, the page says why."""
    made: list[str] = []

    def how(spec: GraphSpec) -> GraphSpec:
        numbered = (f"{NAME}_{number}" for number in range(2, len(spec.nodes) + 3))
        name = next(each for each in (NAME, *numbered) if each not in spec.nodes)
        made.append(name)
        return fold.fold(spec, [each for each in names if each in spec.nodes], name)

    if change(how):
        choose(tuple(made))


def unfolded(name: str) -> None:
    """The nodes that it holds in place of a node."""
    if change(lambda spec: fold.unfold(spec, name)):
        choose(())

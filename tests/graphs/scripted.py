"""The types of the scripted nodes."""

from pydantic import JsonValue

from forager.node_type import NodeType, end_route, next_route
from graphs.spec.registry import REGISTRY as SHIPPED
from graphs.spec.spec import GraphSpec, NodeSpec
from tests.graphs.scripted_nodes import (
    CriticParams,
    ExtractorParams,
    NavigatorParams,
    NoParams,
    SelectorParams,
    SurveyorParams,
    act,
    aggregate,
    answer,
    criticise,
    extract,
    interpret,
    navigate,
    recall,
    reflect,
    select,
    survey,
)


def _types(*types: NodeType) -> dict[str, NodeType]:
    return {kind.name: kind for kind in types}


def _keys(names: str) -> frozenset[str]:
    return frozenset(names.split())


REGISTRY = _types(
    NodeType(
        name="interpreter",
        family="before",
        summary="Understands.",
        function=interpret,
        params=NoParams,
        routes=("next",),
        route=next_route,
        reads=_keys("question"),
        looks=_keys("past"),
        writes=_keys("meaning"),
    ),
    NodeType(
        name="surveyor",
        family="before",
        summary="Maps the site.",
        function=survey,
        params=SurveyorParams,
        routes=("found", "none"),
        route=SHIPPED["surveyor"].route,
        reads=_keys("question"),
        looks=_keys("survey"),
        writes=_keys("survey arms"),
    ),
    NodeType(
        name="selector",
        family="before",
        summary="Draws arms.",
        function=select,
        params=SelectorParams,
        routes=("arm", "exhausted"),
        route=SHIPPED["selector"].route,
        reads=_keys("arms"),
        looks=_keys("lessons"),
        writes=_keys("draw"),
        spent="exhausted",
    ),
    NodeType(
        name="recaller",
        family="memory",
        summary="Recalls.",
        function=recall,
        params=NoParams,
        routes=("next",),
        route=next_route,
        looks=_keys("draw"),
        writes=_keys("recall"),
    ),
    NodeType(
        name="navigator",
        family="walk",
        summary="Proposes the next action.",
        function=navigate,
        params=NavigatorParams,
        routes=("act", "aggregate", "stop"),
        route=SHIPPED["navigator"].route,
        reads=_keys("draw"),
        looks=_keys("steps feedback recall"),
        writes=_keys("proposal"),
        spent="stop",
        counts={"act": "steps", "aggregate": "reading"},
    ),
    NodeType(
        name="actor",
        family="walk",
        summary="Acts.",
        function=act,
        params=NoParams,
        routes=("moved", "failed"),
        route=SHIPPED["actor"].route,
        reads=_keys("proposal"),
        writes=_keys("steps"),
    ),
    NodeType(
        name="extractor",
        family="read",
        summary="Reads.",
        function=extract,
        params=ExtractorParams,
        routes=("found", "nothing"),
        route=SHIPPED["extractor"].route,
        looks=_keys("proposal steps"),
        writes=_keys("reading"),
    ),
    NodeType(
        name="aggregator",
        family="read",
        summary="Keeps.",
        function=aggregate,
        params=NoParams,
        routes=("next",),
        route=next_route,
        reads=_keys("reading"),
        writes=_keys("evidence feedback"),
    ),
    NodeType(
        name="critic",
        family="judge",
        summary="Judges the ledger.",
        function=criticise,
        params=CriticParams,
        routes=("sufficient", "insufficient"),
        route=SHIPPED["critic"].route,
        reads=_keys("survey"),
        looks=_keys("evidence"),
        writes=_keys("verdict"),
    ),
    NodeType(
        name="reflector",
        family="judge",
        summary="Judges the attempt.",
        function=reflect,
        params=NoParams,
        routes=("continue", "done"),
        route=SHIPPED["reflector"].route,
        reads=_keys("draw"),
        writes=_keys("lessons"),
    ),
    NodeType(
        name="answerer",
        family="after",
        summary="Answers.",
        function=answer,
        params=NoParams,
        routes=("end",),
        route=end_route,
        looks=_keys("evidence"),
        writes=_keys("answer"),
    ),
)


def loosened(spec: GraphSpec) -> GraphSpec:
    """The preset with those parameters that the scripted types have too."""
    nodes = {
        name: node if node.type == "graph" else NodeSpec(type=node.type, params=_known_params(node))
        for name, node in spec.nodes.items()
    }
    return spec.model_copy(update={"nodes": nodes})


def _known_params(node: NodeSpec) -> dict[str, JsonValue]:
    known = set(REGISTRY[node.type].params.model_fields)
    if "waves" in node.params:  # the scripted selector would draw so many in every round
        known.discard("parallel")
    return {name: value for name, value in node.params.items() if name in known}

"""The params of a graph's nodes that survey and read."""

from typing import TypeVar

from forager.domain.base import Frozen
from graphs.spec.spec import GraphSpec, load_graph
from nodes.aggregator import AggregatorParams
from nodes.extractor import ExtractorParams
from nodes.surveyor import SurveyorParams

Params = TypeVar("Params", bound=Frozen)


class ReadingParams(Frozen):
    """How a graph reads the page just opened, and what enters its ledger."""

    extractor: ExtractorParams
    aggregator: AggregatorParams


def read_surveyor_params(graph: str) -> SurveyorParams:
    """Read the params of a graph's surveyor. Raises GraphError."""
    return _first_params(load_graph(graph), "surveyor", SurveyorParams)


def read_reading_params(graph: str) -> ReadingParams:
    """Read the params of a graph's extractor and aggregator. Raises GraphError."""
    spec = load_graph(graph)
    extractor = _first_params(spec, "extractor", ExtractorParams)
    return ReadingParams(
        extractor=extractor.model_copy(update={"pages": "opened"}),
        aggregator=_first_params(spec, "aggregator", AggregatorParams),
    )


def _first_params(spec: GraphSpec, type: str, params: type[Params]) -> Params:
    """The params of the first node of a type; the defaults if there is none."""
    found = next((node.params for node in spec.nodes.values() if node.type == type), {})
    return params.model_validate(found)

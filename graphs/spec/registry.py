"""The built-in node types. A new one needs a file in nodes/ and a line here.

If it writes a new state key, State needs a field too.
"""

from collections.abc import Mapping
from types import MappingProxyType

from forager.node_type import NodeType
from nodes.actor import NODE_TYPE as ACTOR
from nodes.aggregator import NODE_TYPE as AGGREGATOR
from nodes.answerer import NODE_TYPE as ANSWERER
from nodes.branch import NODE_TYPE as BRANCH
from nodes.critic import NODE_TYPE as CRITIC
from nodes.extractor import NODE_TYPE as EXTRACTOR
from nodes.interpreter import NODE_TYPE as INTERPRETER
from nodes.navigator import NODE_TYPE as NAVIGATOR
from nodes.recaller import NODE_TYPE as RECALLER
from nodes.refiner import NODE_TYPE as REFINER
from nodes.reflector import NODE_TYPE as REFLECTOR
from nodes.request import NODE_TYPE as REQUEST
from nodes.selector import NODE_TYPE as SELECTOR
from nodes.surveyor import NODE_TYPE as SURVEYOR
from nodes.tool import NODE_TYPE as TOOL

_TYPES = (
    INTERPRETER,
    SURVEYOR,
    RECALLER,
    SELECTOR,
    NAVIGATOR,
    ACTOR,
    TOOL,
    REQUEST,
    REFINER,
    EXTRACTOR,
    AGGREGATOR,
    CRITIC,
    BRANCH,
    REFLECTOR,
    ANSWERER,
)

REGISTRY: Mapping[str, NodeType] = MappingProxyType({kind.name: kind for kind in _TYPES})

"""Faults of a graph's parameters, and of the places where its nodes refer to them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from pydantic import BaseModel, JsonValue

from forager.conditions.condition import references
from forager.domain.parameters import (
    EXAMPLES,
    Parameter,
    ParameterType,
    find_references,
    reference_name,
)
from forager.errors import GraphError
from forager.node_type import Registry
from forager.util.suggest import did_you_mean, nearest_name
from graphs.check.finding import Finding
from graphs.spec.edit import Fix, with_node, with_values
from graphs.spec.resolved_graph import ResolvedGraph
from graphs.spec.spec import END, GRAPH, INNER, NAME, SET, START, GraphSpec, NodeSpec

TAKES: Final[Mapping[ParameterType, frozenset[str]]] = {
    "integer": frozenset({"integer", "number"}),
    "number": frozenset({"number"}),
    "boolean": frozenset({"boolean"}),
    "text": frozenset({"string"}),
}
"""For each type of parameter the types of a node's parameter, in JSON Schema, that may be it."""
EMPTY: Final[Mapping[ParameterType, bool | int | float | str]] = {
    "integer": 1,
    "number": 1.0,
    "text": "",
    "boolean": False,
}


class Reference(NamedTuple):
    """A place where a node refers to a parameter; `whole` where it stands alone."""

    node: str
    param: str
    name: str
    whole: bool


def find_used(spec: GraphSpec, registry: Registry) -> Iterator[Reference]:
    """All references of a graph's nodes to its parameters."""
    for name, node in spec.nodes.items():
        conditions = registry[node.type].conditions if node.type in registry else ()
        for param, value in node.params.items():
            if param == INNER and node.type == GRAPH:
                continue
            if param in conditions and isinstance(value, list):
                texts = [text for text in value if isinstance(text, str)]
                for each in dict.fromkeys(name for text in texts for name in references(text)):
                    yield Reference(name, param, each, whole=False)
            else:
                whole = bool(reference_name(value))
                for each in find_references(value):
                    yield Reference(name, param, each, whole=whole)


def find_parameter_faults(spec: GraphSpec, registry: Registry) -> Iterator[Finding]:
    """Wrong declarations, unknown references, and values of the wrong type."""
    yield from _declaration_faults(spec)
    for each in find_used(spec, registry):
        parameter = spec.parameters.get(each.name)
        if parameter is None:
            yield _unknown_reference(spec, each)
        elif each.whole and (kind := registry.get(spec.nodes[each.node].type)):
            yield from _type_faults(each, parameter, kind.params)
    for name, node in spec.nodes.items():
        if node.type == GRAPH:
            yield from _inner_value_faults(spec, name, node)


def find_unused(seen: ResolvedGraph, registry: Registry) -> Iterator[Finding]:
    """Parameters that no node refers to, also in the graphs inside."""
    used = {each.name for each in find_used(seen.spec, registry)}
    for name in seen.spec.parameters:
        if name not in used:
            yield Finding(
                severity="warning",
                at="",
                message=f"No node refers to the parameter {name!r}.",
                mend=f"Write ${name} as the value of a node's parameter, or remove it.",
                fix=Fix(label=f"Remove the parameter {name!r}", drop=(name,)),
            )
    for node, inner in seen.inner.items():
        yield from (finding.nested_in(node) for finding in find_unused(inner, registry))


def misreferring_params(spec: GraphSpec, registry: Registry) -> set[tuple[str, str]]:
    """The nodes' parameters with wrong references, which are reported, as (node, parameter)."""
    wrong = set[tuple[str, str]]()
    for each in find_used(spec, registry):
        parameter, kind = spec.parameters.get(each.name), registry.get(spec.nodes[each.node].type)
        if (
            parameter is None
            or not parameter.fits
            or (each.whole and kind and any(_type_faults(each, parameter, kind.params)))
        ):
            wrong.add((each.node, each.param))
    return wrong


def fitting_places(seen: ResolvedGraph, type: ParameterType) -> Iterator[tuple[str, str]]:
    """The nodes' parameters that a parameter of this type can stand for, as (node, parameter)."""
    for node, kind in seen.types.items():
        schema = kind.params.model_json_schema()
        for param, field in schema.get("properties", {}).items():
            if type in fitting_types(field, schema):
                yield node, param


def fitting_types(field: Mapping[str, Any], schema: Mapping[str, Any]) -> tuple[ParameterType, ...]:
    """The types of parameters that a node's parameter can refer to, by its JSON Schema."""
    types = set(_schema_types(field, schema))
    return tuple(each for each, takes in TAKES.items() if takes & types)


def _declaration_faults(spec: GraphSpec) -> Iterator[Finding]:
    for name, parameter in spec.parameters.items():
        if name in (START, END) or not NAME.fullmatch(name):
            yield Finding(
                at="",
                message=f"{name!r} cannot be the name of a parameter.",
                mend="Use lower-case letters, digits and _, starting with a letter; "
                "not start or end.",
                fix=Fix(label=f"Remove the parameter {name!r}", drop=(name,)),
            )
        if not parameter.fits:
            fitting = parameter.model_copy(update={"default": _fitting_default(parameter)})
            yield Finding(
                at="",
                message=f"The default of the parameter {name!r} is {parameter.default!r}.",
                mend=f"Write {EXAMPLES[parameter.type]}.",
                fix=Fix(
                    label=f"Set the default of {name!r} to {fitting.default!r}",
                    declare={name: fitting},
                ),
            )


def _fitting_default(parameter: Parameter) -> JsonValue:
    try:
        return parameter.read_value(parameter.default)
    except ValueError:
        return EMPTY[parameter.type]


def _unknown_reference(spec: GraphSpec, each: Reference) -> Finding:
    near = nearest_name(each.name, spec.parameters)
    known = did_you_mean(each.name, spec.parameters)
    return Finding(
        at=each.node,
        message=f"{each.param!r} refers to ${each.name}, and there is no such parameter.",
        mend=known or "Declare it under `parameters:`. For a text that begins with $, write $$.",
        fix=_rewrite_reference(spec, each, near) if near and each.whole else None,
    )


def _rewrite_reference(spec: GraphSpec, each: Reference, right: str) -> Fix:
    node = spec.nodes[each.node]
    params = {**node.params, each.param: f"${right}"}
    put = {each.node: node.model_copy(update={"params": params})}
    return Fix(label=f"Write ${right} for ${each.name}", put=put)


def _type_faults(
    each: Reference, parameter: Parameter, model: type[BaseModel]
) -> Iterator[Finding]:
    """The finding of a reference where a value of the parameter's type cannot stand."""
    schema = model.model_json_schema()
    field = schema.get("properties", {}).get(each.param)
    types = set(_schema_types(field, schema)) if field else set()
    if not types or types & TAKES[parameter.type]:
        return
    yield Finding(
        at=each.node,
        message=f"{each.param!r} cannot be ${each.name}, which is {EXAMPLES[parameter.type]}.",
        mend=f"Give the parameter {each.name!r} another type, or refer to another one.",
    )


def _schema_types(field: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterable[str]:
    """The types that a JSON Schema allows; none if it does not say."""
    if "$ref" in field:
        return _schema_types(schema["$defs"][field["$ref"].rpartition("/")[2]], schema)
    if "anyOf" in field:
        return [type for each in field["anyOf"] for type in _schema_types(each, schema)]
    return [field["type"]] if isinstance(field.get("type"), str) else []


def _inner_value_faults(spec: GraphSpec, name: str, node: NodeSpec) -> Iterator[Finding]:
    """Values in `set` that the graph inside the node does not take."""
    values = node.params.get(SET)
    if values is None:
        return
    if not isinstance(values, dict):
        yield Finding(
            at=name,
            message="`set` is not a list of values.",
            mend="Write it as `set: {name: value}`.",
            fix=_without_value(spec, name, ""),
        )
        return
    for parameter, value in values.items():
        reference = spec.parameters.get(reference_name(value))
        if reference_name(value) and reference is None:
            continue  # reported as an unknown reference
        try:
            with_values(spec.inner(name), {parameter: reference.default if reference else value})
        except GraphError as error:
            fix = _without_value(spec, name, parameter)
            yield Finding(at=name, message=error.what, mend=error.mend, fix=fix)


def _without_value(spec: GraphSpec, name: str, parameter: str) -> Fix:
    """Remove one value of `set`, or all."""
    node = spec.nodes[name]
    params = {key: value for key, value in node.params.items() if key != SET}
    values = node.params.get(SET)
    if parameter and isinstance(values, dict):
        left = {key: value for key, value in values.items() if key != parameter}
        params |= {SET: left} if left else {}
    changed = with_node(spec, name, node.model_copy(update={"params": params}))
    return Fix(label=f"Remove {parameter or SET!r}", put={name: changed.nodes[name]})

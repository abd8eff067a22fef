"""The selected node: what it is, its parameters, its prompts, and where its routes lead."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from forager.errors import GraphError
from forager.node_type import NodeType
from graphs.spec.edit import rename_nodes, with_description, with_route, without_nodes
from graphs.spec.resolved_graph import resolve_types
from graphs.spec.spec import END, GRAPH, MAX_NOTE_TEXT, NAME, START, GraphSpec
from ui.web.graph_names import describe_plainly
from ui.web.markdown import escape_markdown
from ui.web.screens.graphs.editor_actions import (
    change_graph,
    enter_node,
    put_graph,
    select_parts,
    selected_parts,
    unfold_node,
)
from ui.web.screens.graphs.editor_state import editor_state
from ui.web.screens.graphs.forms.node_parameter import field_key, on_field_change
from ui.web.screens.graphs.forms.parameter_fields import parameter_fields
from ui.web.screens.graphs.forms.prompt_dialog import begin_prompt, prompt_dialog
from ui.web.screens.graphs.forms.tool_fields import tool_fields
from ui.web.screens.graphs.open_graph import OpenGraph, find_open_graph, graph_library
from ui.web.words import later, say, say_told

TOOL = "tool"
NOWHERE = later("nowhere")
EMPTY_GRAPH = later("an empty method")


def node_form(now: OpenGraph) -> None:
    """The form; a list selects the node if none is selected on the canvas."""
    names = list(now.spec.nodes)
    if not names:
        st.caption(say("There are no nodes yet. Add one from the palette, or in the tables."))
        return
    name = next((each for each in selected_parts(now.spec) if each in now.spec.nodes), None)
    key = field_key("graph-node", name)
    st.selectbox(
        say("Node"),
        names,
        index=names.index(name) if name else None,
        placeholder=say("Choose a node"),
        key=key,
        on_change=on_field_change(key, lambda node: select_parts((node,) if node else ())),
    )
    if name is None:
        st.caption(say("Choose a node here or on the canvas to see and change it."))
        _graph_description_field(now.spec)
        return
    kind = resolve_types(now.spec, now.types).types.get(name)
    st.button(
        say("Close"),
        icon=":material/close:",
        type="tertiary",
        key="graph-sheet-close",
        on_click=select_parts,
        args=((),),
    )
    _type_summary(now.spec, name, kind)
    _description_field(now.spec, name)
    if kind:
        with st.container(key="graph-params"):
            fields = tool_fields if kind.name == TOOL else parameter_fields
            fields(name, now.spec.nodes[name], kind.params, now.spec.parameters)
        _state_keys(kind)
        _prompt_list(now.spec, name, kind)
    if now.spec.nodes[name].type == GRAPH:
        _inner_graph_field(now, name)
    _route_list(now, name)
    _name_field(name)


def _inner_graph_field(now: OpenGraph, name: str) -> None:
    """Which graph the node holds, and buttons that open it and take it apart."""
    try:
        present = now.spec.inner(name).name
    except GraphError:
        present = None
    names = [each for each in graph_library().list_names() if each != now.name]
    choices = list(dict.fromkeys([*filter(None, [present]), EMPTY_GRAPH, *names]))
    key = field_key(f"inner-{name}", present)

    def put_chosen(chosen: str | None) -> None:
        if chosen:
            put_graph(name, "" if chosen == EMPTY_GRAPH else chosen)

    st.selectbox(
        say("Method"),
        choices,
        index=None if present is None else choices.index(present),
        format_func=lambda each: say(each) if each == EMPTY_GRAPH else each,
        placeholder=say("Choose a method"),
        key=key,
        help=say("It is copied into the node as it is now."),
        on_change=on_field_change(key, put_chosen),
    )
    with st.container(horizontal=True):
        none = present is None
        icon = ":material/open_in_full:"
        st.button(say("Open it"), icon=icon, disabled=none, on_click=enter_node, args=(name,))
        icon = ":material/unfold_more:"
        st.button(say("Unfold it"), icon=icon, disabled=none, on_click=unfold_node, args=(name,))


def _type_summary(spec: GraphSpec, name: str, kind: NodeType | None) -> None:
    type = spec.nodes[name].type
    own = say("A method of its own.") if type == GRAPH else say("Unknown type.")
    summary = say_told(kind.summary) if kind else own
    with st.container(key="graph-about"):
        st.markdown(f":gray-badge[{escape_markdown(type)}] {escape_markdown(summary)}")


def _description_field(spec: GraphSpec, name: str) -> None:
    """What the node is for, in one's own words; it changes nothing else."""
    text, hint = spec.nodes[name].description, say("What it is for here")
    _text_field(
        f"about-{name}", text, hint, lambda new: partial(with_description, name=name, text=new)
    )


def _graph_description_field(spec: GraphSpec) -> None:
    """What the graph is for; lists show it."""

    def describe(text: str) -> Callable[[GraphSpec], GraphSpec]:
        return lambda spec: spec.model_copy(update={"description": text.strip()})

    text, hint = describe_plainly(spec.description), say("What the method is for")
    _text_field("about-graph", text, hint, describe)


def _text_field(
    key: str, text: str, hint: str, change: Callable[[str], Callable[[GraphSpec], GraphSpec]]
) -> None:
    key = field_key(key, text)
    with st.container(key="graph-description"):
        st.text_area(
            say("Description"),
            text,
            key=key,
            height=68,
            max_chars=MAX_NOTE_TEXT,
            placeholder=hint,
            on_change=on_field_change(key, lambda new: change_graph(change(new))),
        )


def _state_keys(kind: NodeType) -> None:
    for title, keys in ((say("Reads"), kind.reads | kind.looks), (say("Writes"), kind.writes)):
        names = " ".join(f"`{key}`" for key in sorted(keys)) or say("nothing")
        st.markdown(f":small[:gray[{title}] {names}]")


def _prompt_list(spec: GraphSpec, node: str, kind: NodeType) -> None:
    """A button for each task that the node gives a model; it opens the instructions."""
    shipped = kind.default_prompts
    own = spec.nodes[node].prompts
    if not shipped and not own:
        st.markdown(f":small[:gray[{say('Prompt')}] {say('none, asks no model')}]")
        return
    st.header(say("Prompts"), anchor=False)
    for task in dict.fromkeys([*shipped, *own]):
        state = say("changed") if task in own else say("as shipped")
        if st.button(
            f"{task} :gray[{state}]",
            key=f"prompt-{node}-{task}",
            type="tertiary",
            icon=":material/edit_note:",
        ):
            begin_prompt(node, task)
            prompt_dialog(node, task, own.get(task, ""), shipped.get(task, ""))


def _route_list(now: OpenGraph, name: str) -> None:
    st.header(say("Routes"), anchor=False)
    targets = [*now.spec.nodes, END]
    with st.container(key="graph-routes"):
        for route in resolve_types(now.spec, now.types).routes(name):
            leads = [e for e in now.spec.edges if (e.source, e.route) == (name, route)]
            edge = leads[0] if leads else None
            _route_field(name, route, targets, edge.target if edge else NOWHERE)
            target = now.spec.nodes.get(edge.target) if edge else None
            if edge and (edge.fan or (target and target.type == GRAPH)):
                _fan_field(name, route, edge.target, fan=edge.fan)


def _route_field(name: str, route: str, targets: list[str], present: str) -> None:
    key = field_key(f"route-{name}-{route}", present)

    def set_target(target: str) -> None:
        to = "" if target == NOWHERE else target
        change_graph(lambda spec: with_route(spec, name, route, to))

    choices = list(dict.fromkeys([NOWHERE, *targets, present]))
    changed = on_field_change(key, set_target)
    st.selectbox(
        route,
        choices,
        choices.index(present),
        format_func=lambda to: say(to) if to == NOWHERE else to,
        key=key,
        on_change=changed,
    )


def _fan_field(name: str, route: str, target: str, *, fan: bool) -> None:
    key = field_key(f"fan-{name}-{route}", fan)

    def set_fan(each: bool) -> None:
        change_graph(lambda spec: with_route(spec, name, route, target, fan=each))

    st.checkbox(
        say("One branch for each arm"), fan, key=key, on_change=on_field_change(key, set_fan)
    )


def _name_field(name: str) -> None:
    """Rename or delete the node."""
    with st.container(key="graph-whole", horizontal=True, vertical_alignment="bottom"):
        key = field_key(f"name-{name}", name)

        def set_name(new: str) -> None:
            _rename_node(name, new.strip())

        st.text_input(say("Name"), name, key=key, on_change=on_field_change(key, set_name))
        st.button(say("Delete"), icon=":material/delete:", on_click=_delete_node, args=(name,))


def _rename_node(old: str, new: str) -> None:
    now = find_open_graph()
    if new == old:
        return
    if not NAME.fullmatch(new) or new in (START, END):
        editor_state().fault = (
            say("{name} cannot be the name of a node.", name=repr(new))
            + " "
            + say("Use lower-case letters, digits and _, beginning with a letter.")
        )
    elif now and new in now.spec.nodes:
        text = say("There is already a node {name}. Choose another name.", name=repr(new))
        editor_state().fault = text
    else:
        change_graph(lambda spec: rename_nodes(spec, {old: new}))
        select_parts((new,))


def _delete_node(name: str) -> None:
    change_graph(lambda spec: without_nodes(spec, name))
    select_parts(())

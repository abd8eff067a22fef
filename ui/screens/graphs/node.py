"""The node that is chosen: what it is, its parameters, its prompts, where its routes lead."""

import streamlit as st

from forager.node_type import NodeType
from graphs.spec.edit import renamed, routed, without
from graphs.spec.resolved_graph import view
from graphs.spec.spec import END, GRAPH, NAME, START, GraphSpec
from ui.parts.plain import escaped
from ui.screens.graphs.fields import fields
from ui.screens.graphs.folding import unfolded
from ui.screens.graphs.opened import FAULT, Opened, change, choose, chosen, enter, opened
from ui.screens.graphs.prompts import prompts
from ui.screens.graphs.shown import changed, keyed

NOWHERE = "nowhere"


def node(now: Opened) -> None:
    """The form; a list chooses the node where it is not chosen on the canvas."""
    names = list(now.spec.nodes)
    if not names:
        st.caption("There are no nodes yet. Add one from the palette, or in the tables.")
        return
    name = next((each for each in chosen(now.spec) if each in now.spec.nodes), None)
    key = keyed("graph-node", name)
    st.selectbox(
        "Node",
        names,
        index=names.index(name) if name else None,
        placeholder="Choose a node",
        key=key,
        on_change=changed(key, lambda node: choose((node,) if node else ())),
    )
    if name is None:
        st.caption("Choose one here or on the canvas to see and change it.")
        return
    kind = now.types.get(now.spec.nodes[name].type)
    _about(now.spec, name, kind)
    if kind:
        with st.container(key="graph-params"):
            fields(name, now.spec.nodes[name], kind.params)
        _keys(kind)
        prompts(now.spec, name, kind)
    if now.spec.nodes[name].type == GRAPH:
        with st.container(horizontal=True):
            st.button("Open it", icon=":material/open_in_full:", on_click=enter, args=(name,))
            st.button("Unfold it", icon=":material/unfold_more:", on_click=unfolded, args=(name,))
    _routes(now, name)
    _whole(name)


def _about(spec: GraphSpec, name: str, kind: NodeType | None) -> None:
    type = spec.nodes[name].type
    summary = kind.summary if kind else "A graph of its own." if type == GRAPH else "Not known."
    with st.container(key="graph-about"):
        st.markdown(f":gray-badge[{escaped(type)}] {escaped(summary)}")


def _keys(kind: NodeType) -> None:
    for title, keys in (("Reads", kind.reads | kind.looks), ("Writes", kind.writes)):
        told = " ".join(f"`{key}`" for key in sorted(keys)) or "nothing"
        st.markdown(f":small[:gray[{title}] {told}]")


def _routes(now: Opened, name: str) -> None:
    st.subheader("Routes", anchor=False)
    targets = [*now.spec.nodes, END]
    with st.container(key="graph-routes"):
        for route in view(now.spec, now.types).routes(name):
            leads = [e for e in now.spec.edges if (e.source, e.route) == (name, route)]
            edge = leads[0] if leads else None
            _route(name, route, targets, edge.target if edge else NOWHERE)
            target = now.spec.nodes.get(edge.target) if edge else None
            if edge and (edge.fan or (target and target.type == GRAPH)):
                _fan(name, route, edge.target, fan=edge.fan)


def _route(name: str, route: str, targets: list[str], leads: str) -> None:
    key = keyed(f"route-{name}-{route}", leads)

    def lead(target: str) -> None:
        to = "" if target == NOWHERE else target
        change(lambda spec: routed(spec, name, route, to))

    choices = list(dict.fromkeys([NOWHERE, *targets, leads]))
    st.selectbox(route, choices, choices.index(leads), key=key, on_change=changed(key, lead))


def _fan(name: str, route: str, target: str, *, fan: bool) -> None:
    key = keyed(f"fan-{name}-{route}", fan)

    def part(each: bool) -> None:  # what the checkbox says
        change(lambda spec: routed(spec, name, route, target, fan=each))

    st.checkbox("Once for each arm", fan, key=key, on_change=changed(key, part))


def _whole(name: str) -> None:
    with st.container(key="graph-whole", horizontal=True, vertical_alignment="bottom"):
        key = keyed(f"name-{name}", name)

        def call(new: str) -> None:
            _rename(name, new.strip())

        st.text_input("Name", name, key=key, on_change=changed(key, call))
        st.button("Delete", icon=":material/delete:", on_click=_delete, args=(name,))


def _rename(old: str, new: str) -> None:
    def how(spec: GraphSpec) -> GraphSpec:
        return renamed(spec, {old: new})

    now = opened()
    if new == old:
        return
    if not NAME.fullmatch(new) or new in (START, END):
        st.session_state[FAULT] = (
            f"{new!r} cannot be the name of a node. "
            "Use small letters, digits and _, a letter first."
        )
    elif now and new in now.spec.nodes:
        st.session_state[FAULT] = f"There is a node {new!r} already. Choose another name."
    else:
        change(how)
        choose((new,))


def _delete(name: str) -> None:
    change(lambda spec: without(spec, name))
    choose(())

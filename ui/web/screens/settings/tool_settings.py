"""Tool servers in the settings: list, test, add and remove them."""

import asyncio
import shlex

import streamlit as st

from forager.errors import ForagerError
from graphs.system.tool_servers import (
    ServerEntry,
    add_server,
    find_tools,
    list_servers,
    remove_server,
    servers_file,
)
from ui.server.backend import get_backend
from ui.web.markdown import escape_markdown
from ui.web.words import later, say, say_count, say_told

PROGRAM, ADDRESS = later("A program"), later("An address")


def tool_settings() -> None:
    """The servers, and a form for another one."""
    settings = get_backend().settings
    st.caption(say("MCP servers whose tools a method may call, with a node of type *tool*."))
    try:
        servers = list_servers(settings)
    except ForagerError as error:
        st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
        return
    for server in servers:
        with st.container(border=True, key=f"server-{server.name}"):
            _server_card(server)
    if not servers:
        st.caption(say("There are none yet."))
    _adding_form()
    st.caption(say("Stored in {file}.", file=escape_markdown(str(servers_file(settings)))))


def _server_card(server: ServerEntry) -> None:
    st.markdown(f"**{escape_markdown(server.name)}**")
    st.code(server.place, language=None, wrap_lines=True)
    if server.secrets:
        names = ", ".join(server.secrets)
        st.caption(escape_markdown(say("Kept secret: {names}", names=names)))
    with st.container(horizontal=True):
        tested = st.button(
            say("Test connection"), icon=":material/bolt:", key=f"test-{server.name}"
        )
        st.button(
            say("Remove"),
            icon=":material/delete:",
            key=f"remove-{server.name}",
            on_click=_remove,
            args=(server.name,),
        )
    if tested:
        _test(server.name)


def _test(name: str) -> None:
    """Connect, and list the tools."""
    with st.spinner(say("Connecting")):
        try:
            tools = asyncio.run(find_tools(get_backend().settings, name))
        except ForagerError as error:
            st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
            return
    text = say_count(len(tools), "Connected: {n} tool.", "Connected: {n} tools.")
    st.success(text, icon=":material/check_circle:")
    rows = [
        {
            say("tool"): tool.name,
            say("only reads"): say("yes") if tool.read_only else say("no"),
            say("what it does"): tool.description,
        }
        for tool in tools
    ]
    if rows:
        st.dataframe(rows, hide_index=True)


def _remove(name: str) -> None:
    try:
        remove_server(get_backend().settings, name)
    except ForagerError as error:
        st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")


def _adding_form() -> None:
    st.subheader(say("Add a tool server"), anchor=False)
    kind = st.radio(
        say("How it is reached"),
        (PROGRAM, ADDRESS),
        format_func=say,
        horizontal=True,
        key="server-kind",
        label_visibility="collapsed",
    )
    with st.form("add-server", border=False, clear_on_submit=False, enter_to_submit=False):
        name = st.text_input(say("Name"), key="server-name")
        if kind == PROGRAM:
            label, example = say("Command"), "npx -y papers-mcp"
            secrets_label = say("Variables, one NAME=VALUE on each line")
        else:
            label, example = say("Address"), "https://host.example/mcp"
            secrets_label = say("Headers, one NAME=VALUE on each line")
        place = st.text_input(label, key="server-place", placeholder=example)
        secrets = st.text_area(secrets_label, key="server-secrets", height=80)
        if st.form_submit_button(say("Add"), type="primary"):
            _add(name.strip(), place.strip(), secrets, is_program=kind == PROGRAM)


def _add(name: str, place: str, secrets: str, *, is_program: bool) -> None:
    lines = [line.partition("=") for line in secrets.splitlines() if line.strip()]
    if any(not key.strip() or not mark for key, mark, _ in lines):
        st.error(say("Write each secret as NAME=VALUE."), icon=":material/cancel:")
        return
    given = {key.strip(): value.strip() for key, _, value in lines}
    try:
        command = shlex.split(place) if is_program else []
    except ValueError:
        st.error(say("A quotation mark is not closed."), icon=":material/cancel:")
        return
    try:
        add_server(
            get_backend().settings, name, command, "" if is_program else place, secrets=given
        )
    except ForagerError as error:
        st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
        return
    for field in ("server-name", "server-place", "server-secrets"):
        st.session_state.pop(field, None)
    st.rerun()

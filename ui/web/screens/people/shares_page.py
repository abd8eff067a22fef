"""The page Shared: what one was given, and what one gives."""

import streamlit as st

from forager.errors import ForagerError
from graphs.spec.library import open_library
from graphs.spec.yaml_writer import write_graph
from ui.server.backend import get_backend, may
from ui.server.people.account_bodies import ShareLine
from ui.server.people.account_routes import whoever_asks
from ui.server.people.shared_things import find_shared, list_shares, shared_graph
from ui.server.shared_page import given_path
from ui.web.components.canvas import canvas
from ui.web.components.dialog import dialog
from ui.web.markdown import escape_markdown
from ui.web.words import later, local_time, say, say_told


def page() -> None:
    """Sessions to read and graphs to look at and copy, then one's own shares with a way to end."""
    accounts, asker = whoever_asks()
    shares = list_shares(accounts, asker.account)
    st.title(say("Shared"), anchor=False)
    st.subheader(say("Shared with you"), anchor=False)
    if not shares.received:
        st.caption(say("Nothing yet."))
    for share in shares.received:
        _received_line(share)
    if not (shares.given or may("asker")):
        return
    st.subheader(say("Shared by you"), anchor=False)
    if not shares.given:
        st.caption(say("Nothing yet."))
    for share in shares.given:
        _given_line(share)


def _received_line(share: ShareLine) -> None:
    with st.container(border=True, key=f"received-{share.id}"):
        st.markdown(f"**{escape_markdown(share.title)}**")
        when = local_time(share.created)
        st.caption(escape_markdown(say("From {name}, {time}", name=share.owner, time=when)))
        if share.kind == "session":
            st.link_button(say("Read"), given_path(share.id), icon=":material/description:")
        elif st.button(say("Show"), icon=":material/account_tree:", key=f"show-{share.id}"):
            _graph_dialog(share)


@dialog(later("A shared method"), width="large")
def _graph_dialog(share: ShareLine) -> None:
    accounts, asker = whoever_asks()
    try:
        version = shared_graph(find_shared(accounts, asker.account, share.id, "graph"))
    except ForagerError as error:
        st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
        return
    canvas(version.spec, 0, f"shared-{share.id}", readonly=True, height=420)
    if not may("asker"):
        return
    name = st.text_input(say("Name of your copy"), version.name, key=f"copy-{share.id}")
    if st.button(say("Copy to my methods"), type="primary", key=f"take-{share.id}"):
        space = get_backend()
        try:
            open_library(space.settings).save(name, write_graph(version.spec), author=space.author)
        except ForagerError as error:
            st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
            return
        st.success(say("Copied."))


def _given_line(share: ShareLine) -> None:
    accounts, asker = whoever_asks()
    with st.container(horizontal=True, vertical_alignment="center", key=f"given-{share.id}"):
        whom = share.account or say("everyone")
        st.text(say("{title}, with {name}", title=share.title, name=whom))
        if st.button(say("End"), key=f"end-{share.id}"):
            try:
                accounts.end_share(asker.account.id, share.id)
            except ForagerError as error:
                st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
                return
            st.rerun()

"""A form that shares a session or a graph with a person, or with everyone who has an account."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from forager.accounts import ShareKind
from forager.errors import ForagerError
from ui.server.backend import get_installation, may
from ui.server.people.account_routes import whoever_asks
from ui.server.people.shared_things import share_thing
from ui.web.markdown import escape_markdown
from ui.web.words import say, say_told


@st.fragment
def share_form(kind: ShareKind, thing: str) -> None:
    """With whom it is shared, each with a button that ends it; nothing without accounts."""
    if get_installation().people is None or not may("asker"):
        return
    accounts, asker = whoever_asks()
    others = {each.name: each.id for each in accounts.list() if each.id != asker.account.id}
    names = {id: name for name, id in others.items()}
    st.caption(f"**{say('Share with people')}**")
    for share in accounts.shares_given(asker.account.id):
        if (share.kind, share.thing) == (kind, thing):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(names.get(share.recipient, say("everyone")))
                if st.button(say("End"), key=f"unshare-{share.id}"):
                    _carry_out(partial(accounts.end_share, asker.account.id, share.id))
    chosen = st.selectbox(
        say("With whom"),
        ["", *others],
        format_func=lambda name: name or say("everyone"),
        key=f"share-with-{kind}-{thing}",
    )
    if st.button(say("Share"), icon=":material/group:", key=f"share-now-{kind}-{thing}"):
        _carry_out(partial(share_thing, accounts, asker.account, kind, thing, chosen))


def _carry_out(work: Callable[[], object]) -> None:
    """Do it and draw the form anew, or say why it cannot be done."""
    try:
        work()
    except ForagerError as error:
        st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
    else:
        st.rerun(scope="fragment")

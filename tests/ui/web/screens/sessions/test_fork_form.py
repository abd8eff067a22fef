from streamlit.testing.v1 import AppTest

from ui.web.screens.sessions.session_rows import label_sites


def script() -> None:
    import streamlit as st  # noqa: PLC0415

    from graphs.sessions.migrate import PendingNode  # noqa: PLC0415
    from ui.web.screens.sessions.fork_form import choose_target  # noqa: PLC0415

    stays = PendingNode(node="navigate", type="navigator", to="navigate", choices=("navigate",))
    gone = PendingNode(
        node="judge",
        type="critic",
        to="judge",
        reason="It has no node 'judge', which is to run next.",
        choices=("verify", "answer"),
    )
    st.text(f"{choose_target(stays, 'a')} {choose_target(gone, 'b')}")


def test_what_cannot_continue_by_itself_is_chosen() -> None:
    page = AppTest.from_function(script).run()
    (chosen,) = page.selectbox
    assert (chosen.label, chosen.options) == ("judge continues at", ["verify", "answer"])
    assert [each.value for each in page.text] == [
        "It has no node 'judge', which is to run next.",
        "navigate verify",
    ]
    chosen.select("answer").run()
    assert page.text[-1].value == "navigate answer"


def test_sites_are_told_by_their_hosts() -> None:
    sites = ("https://www.a.example/x", "http://b.example:80/")
    assert label_sites(sites, {}) == ("a.example", "b.example:80")
    assert label_sites((), {}) == ("the web",)


def test_several_sites_of_a_host_are_told_by_their_paths() -> None:
    sites = ("https://a.example/x/", "https://a.example/y", "https://b.example/z")
    assert label_sites(sites, {}) == ("a.example/x", "a.example/y", "b.example")

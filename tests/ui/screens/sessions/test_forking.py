from streamlit.testing.v1 import AppTest

from ui.screens.sessions.rows import hosts


def script() -> None:
    import streamlit as st  # noqa: PLC0415

    from graphs.sessions.migrate import Pending  # noqa: PLC0415
    from ui.screens.sessions.forking import goes_on  # noqa: PLC0415

    stays = Pending(node="navigate", type="navigator", to="navigate", choices=("navigate",))
    gone = Pending(
        node="judge",
        type="critic",
        to="judge",
        reason="It has no node 'judge', which is to run next.",
        choices=("verify", "answer"),
    )
    st.text(f"{goes_on(stays, 'a')} {goes_on(gone, 'b')}")


def test_what_cannot_go_on_by_itself_is_chosen() -> None:
    page = AppTest.from_function(script).run()
    (chosen,) = page.selectbox
    assert (chosen.label, chosen.options) == ("judge goes on at", ["verify", "answer"])
    assert [each.value for each in page.text] == [
        "It has no node 'judge', which is to run next.",
        "navigate verify",
    ]
    chosen.select("answer").run()
    assert page.text[-1].value == "navigate answer"


def test_sites_are_told_by_their_hosts() -> None:
    assert hosts(("https://www.a.example/x", "http://b.example:80/")) == "a.example, b.example:80"
    assert hosts(()) == "the web"

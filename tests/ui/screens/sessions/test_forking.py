from forager.state import Question
from graphs.sessions import Point, Session
from graphs.spec import load
from ui.screens.sessions.forking import fitting
from ui.screens.sessions.rows import hosts


def stands(graph: str) -> Session:
    spec = load(graph)
    return Session(
        id="ona",
        question=Question(text="Who lit the lamp?", sites=()),
        graph=spec.name,
        graph_hash=spec.hash,
        graph_body=spec.canonical(),
        model="offline",
    )


def test_only_graphs_that_can_go_on_are_offered() -> None:
    at = Point(number=4, id="4", parent="3", time=0.0, next=("judge",))
    good, bad = fitting(stands("forager"), at)
    assert "forager" not in (*good, *bad)
    assert "no node 'judge'" in bad["mango"]


def test_sites_are_told_by_their_hosts() -> None:
    assert hosts(("https://www.a.example/x", "http://b.example:80/")) == "a.example, b.example:80"
    assert hosts(()) == "the web"

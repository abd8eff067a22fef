from forager.domain.state import Question
from graphs.sessions.service import Event, Session
from graphs.spec.registry import REGISTRY
from graphs.spec.spec import load_graph
from ui.server.live.timeline import Timeline

assert REGISTRY


def session() -> Session:
    spec = load_graph("forager")
    return Session(
        id="one",
        question=Question(text="Why?", sites=()),
        graph=spec.name,
        graph_hash=spec.hash,
        graph_body=spec.canonical(),
        model="offline",
    )


class Told:
    """Events as a run tells them, a second apart."""

    def __init__(self) -> None:
        self.timeline = Timeline(session())
        self.seq = 0

    def __call__(self, node: str, kind: str, message: str = "", **data: object) -> None:
        self.seq += 1
        event = {"session": "one", "seq": self.seq, "time": 100.0 + self.seq, "node": node}
        told = Event.model_validate({**event, "kind": kind, "message": message, "data": data})
        self.timeline.take_events([told])


def node(kind: str) -> str:
    """The node of a type in the graph."""
    return next(name for name, each in load_graph("forager").nodes.items() if each.type == kind)


def test_a_node_has_one_row_from_its_start_to_its_end() -> None:
    tell = Told()
    tell("", "begun")
    tell(node("surveyor"), "started")
    (row,) = (each for each in tell.timeline.entries.values() if each.node)
    assert (row.outcome, row.text) == ("now", "")
    tell(node("surveyor"), "progress", "143 pages mapped")
    assert (row.outcome, row.text) == ("now", "143 pages mapped")
    tell(node("surveyor"), "finished", "200 pages known")
    assert (row.outcome, row.text, row.seconds) == ("done", "200 pages known", 0.0)


def test_a_warning_of_a_node_is_no_step_that_went_well() -> None:
    tell = Told()
    tell("", "begun")
    tell(node("surveyor"), "started")
    tell(node("surveyor"), "warned", "duckduckgo could not be reached.")
    tell(node("surveyor"), "finished", "0 pages known", pages={}, route="none")
    rows = [(row.title, row.outcome) for row in list(tell.timeline.entries.values())[1:]]
    assert rows == [("Find pages", "nothing"), ("Warned", "done")]


def test_what_a_stop_maps_breaks_off_the_survey_that_was_at_work() -> None:
    tell = Told()
    tell("", "begun")
    tell(node("surveyor"), "started")
    tell(node("surveyor"), "progress", "143 pages mapped")
    tell(node("surveyor"), "started")
    rows = [(row.title, row.outcome) for row in list(tell.timeline.entries.values())[1:]]
    assert rows == [("Find pages", "now")]
    tell(node("surveyor"), "finished", "200 pages known")
    row = list(tell.timeline.entries.values())[-1]
    assert (row.outcome, row.text) == ("interrupted", "200 pages known")
    assert tell.timeline.survey_left() == "143 pages mapped"
    tell("", "resumed")
    tell(node("surveyor"), "started")
    tell(node("surveyor"), "finished", "200 pages known")
    assert not tell.timeline.survey_left()


def test_rows_are_in_the_order_of_their_times() -> None:
    tell = Told()
    tell("", "begun")
    tell(node("selector"), "started")
    tell(node("selector"), "finished", round=1, urls=["http://a.test/"])
    tell(node("extractor"), "started")
    tell("", "warned", "slow")
    tell(node("extractor"), "finished")
    tell(node("reflector"), "started")
    tell(node("reflector"), "finished", "enough")
    tell(node("answerer"), "started")
    assert [row.seconds for row in tell.timeline.entries.values()] == [0, 0, 2, 4]


def test_a_further_turn_keeps_what_the_earlier_one_did() -> None:
    tell = Told()
    tell("", "begun")
    tell(node("surveyor"), "started")
    tell(node("surveyor"), "finished", "first")
    before = dict(tell.timeline.entries)
    tell("", "begun", turn=2)
    tell(node("surveyor"), "started")
    assert tell.timeline.past == {1: before}
    assert len(tell.timeline.entries) == 2
    assert not before.keys() & tell.timeline.entries.keys()


def test_what_was_broken_off_does_not_run_for_ever() -> None:
    tell = Told()
    tell("", "begun")
    tell(node("surveyor"), "started")
    tell("", "resumed")
    tell(node("surveyor"), "started")
    outcomes = [each.outcome for each in tell.timeline.entries.values() if each.node]
    assert outcomes == ["now"]  # it begins again, and is told once


def test_a_step_of_a_round_that_a_pause_broke_off_is_told_once() -> None:
    tell = Told()
    tell("", "begun")
    tell(node("selector"), "started")
    tell(node("selector"), "finished", round=1, urls=["http://a.test/"])
    tell(node("extractor"), "started")
    tell("", "resumed")
    tell(node("extractor"), "started")
    (round,) = (each for each in tell.timeline.entries.values() if each.node)
    assert [row.outcome for row in round.rows.values()] == ["now"]


def test_what_asks_its_person_is_not_done_before_it_is_decided() -> None:
    tell = Told()
    tell("", "begun")
    tell(node("surveyor"), "started")
    tell(node("surveyor"), "asked", "press “Delete”")
    (row,) = (each for each in tell.timeline.entries.values() if each.node)
    outcomes = [row.outcome]
    tell("", "decided", "refused: press “Delete”")
    assert [*outcomes, row.outcome] == ["asked", "done"]


def visited(*, opened: bool) -> str:
    """What became of a round whose page had nothing about the question, or could not be opened."""
    tell = Told()
    tell("", "begun")
    tell(node("selector"), "started")
    tell(node("selector"), "finished", round=1, urls=["http://a.test/"])
    tell(node("actor"), "started")
    tell(node("actor"), "finished", "A", outcome="moved" if opened else "failed")
    tell(node("reflector"), "started")
    tell(node("reflector"), "finished", "infeasible: A", outcome="infeasible", alpha=0)
    return next(each.outcome for each in tell.timeline.entries.values() if each.url)


def test_a_page_with_nothing_about_the_question_did_not_fail() -> None:
    assert visited(opened=True) == "nothing"
    assert visited(opened=False) == "failed"


def test_what_a_fork_took_over_has_no_time_and_its_own_steps_begin_at_none() -> None:
    tell = Told()
    tell("", "begun")
    tell(node("surveyor"), "started")
    tell(node("surveyor"), "finished", "200 pages known")
    tell(node("selector"), "started")
    tell("", "forked", "forked from step 2 of two")
    tell(node("selector"), "started")
    rows = [each for each in tell.timeline.entries.values() if each.node]
    assert [(each.taken, each.outcome) for each in rows] == [(True, "done"), (False, "now")]
    assert rows[-1].seconds == 0
    assert tell.timeline.clock.taken_over == 1


def test_a_page_of_a_round_has_its_title_also_if_it_is_known_later() -> None:
    tell = Told()
    tell("", "begun")
    tell.timeline.name_pages({"http://a.test/b": "The harbour"})
    tell(node("selector"), "started")
    tell(node("selector"), "finished", round=1, urls=["http://a.test/", "http://a.test/b"])
    (row,) = (each for each in tell.timeline.entries.values() if each.node)
    assert row.title == "1 · http://a.test/, The harbour"
    tell.timeline.name_pages({"http://a.test/": "Lights"})
    assert row.title == "1 · Lights, The harbour"

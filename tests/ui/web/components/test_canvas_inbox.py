"""What a canvas sends is received in order, and exactly once."""

from collections.abc import Callable

import pytest

from ui.web.components.canvas_inbox import Inbox

Handler = Callable[[object], object]


def sent(inbox: Inbox, *names: str, first: int = 1, canvas: str = "c") -> dict[str, object]:
    messages = [
        {"number": number, "name": name, "value": True}
        for number, name in enumerate(names, start=first)
    ]
    return {"canvas": canvas, "inbox": inbox.id, "attempt": 1, "messages": messages}


def noting(heard: list[str], *names: str) -> dict[str, Handler | None]:
    def note(name: str) -> Handler:
        return lambda _: heard.append(name)

    return {name: note(name) for name in names}


@pytest.fixture
def heard() -> list[str]:
    return []


@pytest.fixture
def inbox(heard: list[str]) -> Inbox:
    inbox = Inbox()
    inbox.handlers = noting(heard, "edit", "undo", "save")
    return inbox


def test_all_is_taken_in_order_and_acknowledged(inbox: Inbox, heard: list[str]) -> None:
    inbox.receive(sent(inbox, "edit", "undo", "edit", "save"))
    assert heard == ["edit", "undo", "edit", "save"]
    assert inbox.acknowledge()["reached"] == {"c": 4}


def test_what_is_sent_anew_is_taken_once(inbox: Inbox, heard: list[str]) -> None:
    inbox.receive(sent(inbox, "undo"))
    inbox.receive(sent(inbox, "undo"))
    inbox.receive(sent(inbox, "undo", "undo", "save"))
    inbox.receive(sent(inbox, "undo", "save", first=2))
    assert heard == ["undo", "undo", "save"]


def fail(_: object) -> None:
    raise TypeError


def test_what_goes_wrong_is_said_once_and_stops_nothing_after_it(
    inbox: Inbox, heard: list[str]
) -> None:
    inbox.handlers = {**inbox.handlers, "fix": fail}
    with pytest.raises(TypeError):
        inbox.receive(sent(inbox, "fix", "save"))
    inbox.receive(sent(inbox, "fix", "save"))
    assert heard == ["save"]


def test_a_handler_that_asks_for_what_is_unreceived_is_told_nothing_anew(
    inbox: Inbox, heard: list[str]
) -> None:
    everything = sent(inbox, "fix", "save")
    inbox.handlers = {**inbox.handlers, "fix": lambda _: inbox.receive(everything)}
    inbox.receive(everything)
    assert heard == ["save"]


def test_another_canvas_counts_for_itself_and_another_session_is_not_meant(
    inbox: Inbox, heard: list[str]
) -> None:
    inbox.receive(sent(inbox, "save"))
    inbox.receive(sent(inbox, "save", canvas="d"))
    inbox.receive(sent(Inbox(), "save", canvas="e"))
    inbox.receive(None)
    assert heard == ["save", "save"]

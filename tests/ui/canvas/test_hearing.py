"""What a canvas says is taken in order, and each thing once."""

from collections.abc import Callable

import pytest
from streamlit.runtime.scriptrunner import RerunData, RerunException

from ui.canvas.hearing import Ear

Hear = Callable[[object], object]


def said(ear: Ear, *names: str, first: int = 1, canvas: str = "c") -> dict[str, object]:
    entries = [
        {"number": number, "name": name, "value": True}
        for number, name in enumerate(names, start=first)
    ]
    return {"canvas": canvas, "ear": ear.id, "again": 1, "entries": entries}


def noting(heard: list[str], *names: str) -> dict[str, Hear | None]:
    def note(name: str) -> Hear:
        return lambda _: heard.append(name)

    return {name: note(name) for name in names}


@pytest.fixture
def heard() -> list[str]:
    return []


@pytest.fixture
def ear(heard: list[str]) -> Ear:
    ear = Ear()
    ear.hearers = noting(heard, "edit", "undo", "save")
    return ear


def test_all_is_taken_in_order_and_acknowledged(ear: Ear, heard: list[str]) -> None:
    ear.hear(said(ear, "edit", "undo", "edit", "save"))
    assert heard == ["edit", "undo", "edit", "save"]
    assert ear.told()["reached"] == {"c": 4}


def test_what_is_sent_anew_is_taken_once(ear: Ear, heard: list[str]) -> None:
    ear.hear(said(ear, "undo"))
    ear.hear(said(ear, "undo"))
    ear.hear(said(ear, "undo", "undo", "save"))
    ear.hear(said(ear, "undo", "save", first=2))
    assert heard == ["undo", "undo", "save"]


def test_what_a_newer_run_ended_is_taken_by_that_run(ear: Ear, heard: list[str]) -> None:
    whole = ear.hearers
    ear.hearers = {**whole, "undo": end}
    with pytest.raises(RerunException):
        ear.hear(said(ear, "edit", "undo", "save"))
    assert ear.told()["reached"] == {"c": 1}
    ear.hearers = whole
    ear.hear(said(ear, "edit", "undo", "save"))
    assert heard == ["edit", "undo", "save"]


def fail(_: object) -> None:
    raise TypeError


def end(_: object) -> None:
    raise RerunException(RerunData())


def test_what_goes_wrong_is_said_once_and_stops_nothing_after_it(
    ear: Ear, heard: list[str]
) -> None:
    ear.hearers = {**ear.hearers, "fix": fail}
    with pytest.raises(TypeError):
        ear.hear(said(ear, "fix", "save"))
    ear.hear(said(ear, "fix", "save"))
    assert heard == ["save"]


def test_a_hearer_that_asks_for_what_is_unheard_is_told_nothing_anew(
    ear: Ear, heard: list[str]
) -> None:
    everything = said(ear, "fix", "save")
    ear.hearers = {**ear.hearers, "fix": lambda _: ear.hear(everything)}
    ear.hear(everything)
    assert heard == ["save"]


def test_another_canvas_counts_for_itself_and_another_session_is_not_meant(
    ear: Ear, heard: list[str]
) -> None:
    ear.hear(said(ear, "save"))
    ear.hear(said(ear, "save", canvas="d"))
    ear.hear(said(Ear(), "save", canvas="e"))
    ear.hear(None)
    assert heard == ["save", "save"]

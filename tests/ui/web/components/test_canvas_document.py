"""The document that a canvas and the page around it change in turn."""

from graphs.spec.spec import GraphSpec, load_graph
from ui.web.components.canvas_document import CanvasDocument
from ui.web.components.canvas_edit import Edit

MANGO = load_graph("mango")


def named(name: str) -> GraphSpec:
    return MANGO.model_copy(update={"description": name})


def edit(base: int, name: str, number: int = 1, canvas: str = "c") -> Edit:
    return Edit(canvas=canvas, base=base, number=number, spec=named(name))


def test_an_edit_of_the_newest_is_taken() -> None:
    document = CanvasDocument(MANGO)
    assert document.take_edit(edit(0, "one"))
    assert (document.spec, document.revision) == (named("one"), 1)


def test_an_edit_that_passed_over_others_is_taken_whole() -> None:
    document = CanvasDocument(MANGO)
    assert document.take_edit(edit(2, "three", 3))
    assert (document.spec, document.revision) == (named("three"), 3)


def test_an_edit_delivered_twice_counts_once() -> None:
    document = CanvasDocument(MANGO)
    assert document.take_edit(edit(0, "one"))
    assert document.take_edit(edit(0, "one"))
    assert (document.revision, len(document.past)) == (1, 1)


def test_an_edit_that_was_overtaken_by_a_newer_one_changes_nothing() -> None:
    document = CanvasDocument(MANGO)
    assert document.take_edit(edit(1, "two", 2))
    assert document.take_edit(edit(0, "one", 1))
    assert (document.spec, document.revision) == (named("two"), 2)


def test_the_first_edit_of_another_canvas_is_taken() -> None:
    document = CanvasDocument(MANGO)
    assert document.take_edit(edit(0, "one", 5))
    assert document.take_edit(edit(1, "two", 1, "another"))
    assert document.spec == named("two")


def test_an_edit_of_what_was_changed_elsewhere_is_refused_and_the_canvas_shown_what_holds() -> None:
    document = CanvasDocument(MANGO)
    document.change(named("by the form"))
    refused = edit(0, "too late")
    assert not document.take_edit(refused)
    assert document.spec == named("by the form")
    assert document.revision > refused.revision


def test_steps_are_undone_and_done_again_until_something_else_is_done() -> None:
    document = CanvasDocument(MANGO)
    document.take_edit(edit(0, "one"))
    document.change(named("two"))
    document.undo()
    document.undo()
    document.undo()
    assert (document.spec, document.revision) == (MANGO, 4)
    document.redo()
    assert document.spec == named("one")
    document.change(named("three"))
    document.redo()
    assert document.spec == named("three")


def test_a_change_to_the_same_is_none() -> None:
    document = CanvasDocument(MANGO)
    document.change(MANGO)
    assert (document.revision, document.past) == (0, [])

"""Notes on the canvas and descriptions of nodes are kept in the YAML, and change nothing else."""

from graphs.reports.exports.pinned_graph import draw_svg
from graphs.spec.edit import graph_at, with_description, with_graph_at
from graphs.spec.fold import fold_nodes, unfold_node
from graphs.spec.spec import PRESETS, Note, load_graph, parse_graph
from graphs.spec.yaml_writer import rewrite_graph

ANNOTATED = """\
# what the graph is for
name: noted
nodes:
  judge: {type: critic}  # the gate
edges: []
notes:
  why: {text: first, place: [0, 0, 200, 100]}  # mine
"""


def test_notes_and_descriptions_are_written_beside_the_comments_and_change_no_hash() -> None:
    spec = parse_graph(ANNOTATED)
    plain = spec.model_copy(update={"notes": {}})
    assert spec.hash == plain.hash
    note = Note(text="two\nlines", colour="blue", place=(10, 20, 300, 80))
    described = with_description(spec, "judge", " Is it enough? ")
    changed = described.model_copy(update={"notes": {**spec.notes, "more": note}})
    text = rewrite_graph(ANNOTATED, changed)
    assert parse_graph(text) == changed
    assert changed.hash == plain.hash
    assert changed.nodes["judge"].description == "Is it enough?"
    for line in ANNOTATED.splitlines():
        assert line in text or "critic" in line
    assert rewrite_graph(text, with_description(changed, "judge", "")).count("description") == 0


def test_notes_and_descriptions_inside_a_node_stay_with_it() -> None:
    whole = load_graph("abreast")
    note = Note(text="here", place=(0, 0, 100, 50))
    inner = with_description(graph_at(whole, ("walk",)), "act", "Opens a page.")
    changed = with_graph_at(whole, ("walk",), inner.model_copy(update={"notes": {"one": note}}))
    assert changed.hash == whole.hash
    text = (PRESETS / "abreast.yaml").read_text(encoding="utf-8")
    back = graph_at(parse_graph(rewrite_graph(text, changed)), ("walk",))
    assert back.nodes["act"].description == "Opens a page."
    assert back.notes == {"one": note}


def test_an_exported_drawing_shows_them() -> None:
    spec = with_description(load_graph("mango"), "survey", "Maps the manual.")
    note = Note(text="Ask <the> maintainers", place=(0, 0, 100, 50))
    drawn = draw_svg(spec.model_copy(update={"notes": {"one": note}}))
    assert "<title>Maps the manual.</title>" in drawn
    assert "Ask &lt;the&gt; maintainers</text>" in drawn
    assert "Ask" not in draw_svg(spec)


def test_notes_of_a_graph_that_is_unfolded_stay_under_names_that_are_free() -> None:
    whole = load_graph("abreast")
    inside, outside = (Note(text=text, place=(0, 0, 100, 50)) for text in ("in", "out"))
    inner = graph_at(whole, ("walk",)).model_copy(update={"notes": {"one": inside}})
    changed = with_graph_at(whole, ("walk",), inner)
    changed = changed.model_copy(update={"notes": {**changed.notes, "one": outside}})
    opened = unfold_node(changed, "walk")
    assert opened.notes == {"one": outside, "one_2": inside}


def test_what_is_drawn_inside_a_graph_goes_along_when_it_is_folded_and_unfolded() -> None:
    whole = fold_nodes(load_graph("mango"), ["act"], "walk")
    note = Note(text="here", place=(0, 0, 100, 50))
    drawn = {
        "notes": {"walk/one": note, "mine": note},
        "positions": {"walk/act": (1.0, 2.0)},
        "breakpoints": {"walk/act": "before"},
    }
    spec = whole.model_copy(update=drawn)
    folded = fold_nodes(spec, ["walk"], "outer")
    assert folded.notes == {"outer/walk/one": note, "mine": note}
    assert folded.breakpoints == {"outer/walk/act": "before"}
    opened = unfold_node(folded, "outer")
    assert (opened.notes, opened.positions, opened.breakpoints) == tuple(drawn.values())

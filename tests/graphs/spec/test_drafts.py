import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from forager.errors import GraphError, NoGraphError, StaleError, StoreError
from forager.util.place import Place, Tables
from graphs.spec.drafts import Drafts, make_unused_name
from graphs.spec.edit import rename_nodes, with_node, with_param, without_nodes
from graphs.spec.library import Library
from graphs.spec.registry import REGISTRY
from graphs.spec.spec import PRESETS, GraphSpec, NodeSpec, load_graph

MANGO = (PRESETS / "mango.yaml").read_text(encoding="utf-8")
EMPTY = "name: own\nnodes: {}\nedges: []\n"


@pytest.fixture
def library(table_place: Callable[[Tables], Place]) -> Library:
    return Library(table_place("graphs"))


@pytest.fixture
def drafts(table_place: Callable[[Tables], Place], library: Library) -> Drafts:
    return Drafts(table_place("drafts"), library)


def longer(spec: GraphSpec, steps: int) -> GraphSpec:
    return with_param(spec, "navigate", "steps", steps, REGISTRY["navigator"].params)


def test_a_change_keeps_the_comments_and_is_undone_and_redone(drafts: Drafts) -> None:
    draft = drafts.begin("my-mango", MANGO, origin="mango")
    assert (draft.changed, draft.undo, draft.revision) == (True, False, 0)
    assert drafts.apply_spec(draft.id, longer(draft.spec, 12), base=0)
    after = drafts.get(draft.id)
    assert after.text.startswith("# Mango (arXiv 2604.18779)")
    assert "steps: 12" in after.text
    assert (after.revision, after.undo, after.redo) == (1, True, False)
    drafts.undo(draft.id)
    assert drafts.get(draft.id).text == draft.text
    drafts.redo(draft.id)
    assert drafts.get(draft.id).text == after.text
    drafts.redo(draft.id)
    assert drafts.get(draft.id).revision == 3


def test_the_graph_before_the_last_change_and_before_all_is_known(drafts: Drafts) -> None:
    draft = drafts.begin("my-mango", MANGO)
    steps = [draft.spec, longer(draft.spec, 12), longer(draft.spec, 13)]
    assert drafts.list_earlier(draft.id) == (steps[0],)
    for spec in steps[1:]:
        drafts.apply_spec(draft.id, spec)
    assert [each.hash for each in drafts.list_earlier(draft.id)] == [steps[1].hash, steps[0].hash]
    drafts.undo(draft.id)
    assert [each.hash for each in drafts.list_earlier(draft.id)] == [steps[0].hash] * 2


def test_a_change_made_on_an_older_revision_is_refused(drafts: Drafts) -> None:
    draft = drafts.begin("own", MANGO)
    assert drafts.apply_spec(draft.id, longer(draft.spec, 12), base=0)
    assert drafts.apply_spec(draft.id, longer(draft.spec, 13), base=4)
    assert not drafts.apply_spec(draft.id, longer(draft.spec, 14), base=0)
    after = drafts.get(draft.id)
    assert after.spec.nodes["navigate"].params["steps"] == 13
    assert after.revision > 5


def test_what_cannot_be_read_is_kept_aside(drafts: Drafts) -> None:
    draft = drafts.begin("own", EMPTY)
    with pytest.raises(GraphError, match="line 3"):
        drafts.apply_text(draft.id, "name: own\nnodes: [\n")
    kept = drafts.get(draft.id)
    assert (kept.text, kept.typed) == (EMPTY, "name: own\nnodes: [\n")
    drafts.apply_text(draft.id, MANGO)
    assert drafts.get(draft.id).typed == ""


def test_a_draft_stays_after_it_is_saved(drafts: Drafts, library: Library) -> None:
    draft = drafts.begin("own", MANGO)
    saved = drafts.save(draft.id, "own", "first")
    after = drafts.get(draft.id)
    assert (saved.number, after.base, after.changed) == (1, 1, False)
    assert drafts.list() == ()
    drafts.apply_spec(draft.id, longer(after.spec, 12))
    assert [each.name for each in drafts.list()] == ["own"]
    assert drafts.save(draft.id, "own", "second", after.base).number == 2
    assert [each.note for each in library.list_versions("own")] == ["second", "first"]


def test_every_version_says_what_the_graph_is_a_copy_of(drafts: Drafts, library: Library) -> None:
    draft = drafts.begin("own", MANGO, origin="mango")
    for steps, base in ((12, None), (13, 1)):
        drafts.apply_spec(draft.id, longer(draft.spec, steps))
        assert drafts.save(draft.id, "own", "", base).origin == "mango"
    assert library.restore("own", 1).origin == "own@1"
    assert library.save("own", MANGO, base=3).origin == "mango"
    assert drafts.save(draft.id, "another").origin == "own@2"


def test_the_second_of_two_drafts_hears_of_the_first(drafts: Drafts, library: Library) -> None:
    base = library.save("own", MANGO).number
    one, other = (drafts.begin("own", MANGO, base) for _ in range(2))
    drafts.apply_spec(one.id, longer(one.spec, 12))
    drafts.apply_spec(other.id, longer(other.spec, 13))
    drafts.save(one.id, "own", "mine", base)
    with pytest.raises(StaleError) as refused:
        drafts.save(other.id, "own", "mine too", base)
    assert refused.value.newest == base + 1
    assert drafts.get(other.id).spec.nodes["navigate"].params["steps"] == 13
    assert drafts.save(other.id, "own", "on top", refused.value.newest).number == base + 2


def test_a_draft_that_is_its_preset_again_is_told_apart(drafts: Drafts) -> None:
    draft = drafts.begin("my-mango", MANGO, origin="mango")
    assert not draft.restored  # a copy that nobody has changed yet is one on purpose
    drafts.apply_spec(draft.id, longer(draft.spec, 12))
    assert not drafts.get(draft.id).restored
    drafts.undo(draft.id)
    assert drafts.get(draft.id).restored
    drafts.redo(draft.id)
    drafts.apply_spec(draft.id, draft.spec)  # back by hand
    assert drafts.get(draft.id).restored
    with pytest.raises(GraphError):
        drafts.apply_text(draft.id, "nodes: [")
    assert not drafts.get(draft.id).restored  # what was typed is kept
    own = drafts.begin("own", EMPTY)
    drafts.apply_spec(own.id, load_graph("mango").model_copy(update={"name": "own"}))
    assert not drafts.get(own.id).restored


def test_a_draft_that_was_taken_is_put_back_with_its_steps(drafts: Drafts) -> None:
    draft = drafts.begin("my-mango", MANGO, origin="mango")
    drafts.apply_spec(draft.id, longer(draft.spec, 12))
    before = drafts.get(draft.id)
    taken = drafts.take(draft.id)
    with pytest.raises(NoGraphError):
        drafts.get(draft.id)
    drafts.put_back(taken)
    drafts.put_back(taken)  # a second time changes nothing
    assert drafts.get(draft.id) == before
    drafts.undo(draft.id)
    assert drafts.get(draft.id).text == draft.text


def test_the_name_of_a_draft_that_leaves_is_free(drafts: Drafts) -> None:
    draft = drafts.begin("my-mango", MANGO, origin="mango")
    assert drafts.unused_name("my-mango") == "my-mango-2"
    assert drafts.unused_name("my-mango", [draft.id]) == "my-mango"


def test_discarded_draft_does_not_exist(drafts: Drafts) -> None:
    draft = drafts.begin("own", EMPTY)
    drafts.delete(draft.id)
    with pytest.raises(NoGraphError):
        drafts.get(draft.id)


def test_at_most_two_hundred_steps_are_kept(drafts: Drafts) -> None:
    draft = drafts.begin("own", EMPTY)
    for number in range(210):
        drafts.apply_text(draft.id, f"name: own\ndescription: '{number}'\nnodes: {{}}\nedges: []\n")
    for _ in range(300):
        drafts.undo(draft.id)
    assert drafts.get(draft.id).spec.description == "9"


def test_names_are_made_free_and_fit(drafts: Drafts) -> None:
    drafts.begin("my-mango", MANGO)
    assert drafts.unused_name("my-mango") == "my-mango-2"
    assert drafts.unused_name("mango") == "mango-2"
    assert make_unused_name("a b/c", ()) == "a-b-c"
    assert make_unused_name("...", ()) == "my-graph"


def test_a_node_is_renamed_and_taken_out_everywhere() -> None:
    spec = load_graph("mango").model_copy(
        update={"positions": {"act": (1.0, 2.0)}, "folds": {"walk": ("act", "navigate")}}
    )
    new = rename_nodes(spec, {"act": "perform"})
    assert '"act"' not in new.model_dump_json(include={"nodes", "positions", "folds"})
    assert [str(edge) for edge in new.edges if "perform" in str(edge)] == [
        "navigate.act -> perform",
        "perform.moved -> navigate",
        "perform.failed -> navigate",
    ]
    assert rename_nodes(new, {"perform": "act"}).hash == spec.hash
    gone = without_nodes(spec, "act")
    assert (gone.positions, gone.folds) == ({}, {"walk": ("navigate",)})
    assert with_node(gone, "act", NodeSpec(type="actor")).nodes == spec.nodes


@pytest.mark.parametrize("change", ["base = 'x'", "name = x'fffe80'", "time = 9e999"])
def test_a_damaged_draft_hides_no_other_and_is_discarded(tmp_path: Path, change: str) -> None:
    drafts = Drafts(tmp_path / "drafts.sqlite", Library(tmp_path / "graphs.sqlite"))
    sound, other = (drafts.begin(name, MANGO, origin="mango") for name in ("sound", "other"))
    with closing(sqlite3.connect(tmp_path / "drafts.sqlite")) as db, db:
        db.execute(f"UPDATE drafts SET {change} WHERE id = ?", (other.id,))  # noqa: S608
    assert [draft.id for draft in drafts.list()] == [sound.id]
    assert drafts.list_damaged() == (other.id,)
    with pytest.raises(StoreError, match="damaged"):
        drafts.get(other.id)
    drafts.delete(other.id)
    assert drafts.list_damaged() == ()


def test_a_merge_is_undone_to_their_version_and_taken_back_to_mine(
    drafts: Drafts, library: Library
) -> None:
    first = library.save("own", MANGO.replace("name: mango", "name: own"))
    draft = drafts.begin("own", first.text, base=first.number)
    assert drafts.apply_spec(draft.id, longer(draft.spec, 12))
    mine = drafts.get(draft.id)
    theirs = library.save("own", first.text.replace("rounds: 10", "rounds: 4"), "", first.number)
    merged = longer(theirs.spec, 12)
    assert not drafts.merge(draft.id, merged, theirs, mine.revision - 1)
    assert drafts.merge(draft.id, merged, theirs, mine.revision)
    after = drafts.get(draft.id)
    assert (after.spec, after.base, after.undo) == (merged, theirs.number, True)
    drafts.undo(draft.id)
    undone = drafts.get(draft.id)
    assert (undone.text, undone.undo, undone.changed) == (theirs.text, False, False)
    drafts.redo(draft.id)
    again = drafts.get(draft.id)
    assert drafts.unmerge(draft.id, mine.text, first, again.revision)
    back = drafts.get(draft.id)
    assert (back.text, back.base, back.revision > again.revision) == (mine.text, 1, True)

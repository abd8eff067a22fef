from collections.abc import Iterator
from typing import Any

import pytest

from forager.settings import Settings
from graphs.spec.spec import PRESETS, load_graph
from tests.ui.server.api_client import Answer, Caller, called

SMALL = """\
# mine
name: small
nodes:
  survey: {type: surveyor, params: {pages: 0}}  # the root page
  answer: {type: answerer}
edges: [start -> survey, survey.found -> answer, survey.none -> answer, answer.end -> end]
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    settings = Settings(data=tmp_path_factory.mktemp("data"), user="ada")
    with called(settings) as caller:
        yield caller


def put(server: Caller, name: str, **said: object) -> Answer:
    return server.ask(f"/api/graphs/{name}", said, "PUT")


def done(answer: Answer, status: int = 200) -> Any:
    assert answer.status == status, answer.body
    return answer.json()


def test_a_graph_is_saved_listed_and_read(server: Caller) -> None:
    kept = done(put(server, "small", text=SMALL, note="first"), 201)
    assert (kept["number"], kept["author"], kept["text"]) == (1, "ada", SMALL)
    listed = {each["name"]: each for each in done(server.ask("/api/graphs"))}
    assert listed["mango"]["preset"]
    assert (listed["small"]["number"], listed["small"]["note"]) == (1, "first")
    assert done(server.ask("/api/graphs/small")) == kept
    preset = done(server.ask("/api/graphs/mango"))
    assert preset["text"] == (PRESETS / "mango.yaml").read_text()
    assert preset["hash"] == load_graph("mango").hash
    assert server.ask("/api/graphs/none").status == 404


def test_a_changed_spec_keeps_the_comments_and_a_stale_one_is_refused(server: Caller) -> None:
    spec = done(put(server, "edited", text=SMALL), 201)["spec"]
    spec["nodes"]["survey"]["params"]["pages"] = 7
    changed = done(put(server, "edited", graph=spec, base=1), 201)
    assert "{type: surveyor, params: {pages: 7}}  # the root page\n" in changed["text"]
    stale = done(put(server, "edited", graph=spec, base=1), 409)
    assert "version 2 of 'edited', saved by ada" in stale["error"]
    assert "on top of version 2" in stale["mend"]
    told = {"old": "edited@1", "new": "edited"}
    [difference] = done(server.ask("/api/graphs/diff", told))
    assert (difference["sign"], difference["at"], difference["message"]) == (
        "~",
        "survey",
        "pages 0 → 7",
    )
    numbers = [each["number"] for each in done(server.ask("/api/graphs/edited/versions"))]
    assert numbers == [2, 1]
    back = done(server.ask("/api/graphs/edited/restore", {"version": 1}), 201)
    assert (back["number"], back["origin"]) == (3, "edited@1")
    assert done(server.ask("/api/graphs/edited?version=2"))["hash"] == changed["hash"]


def test_a_graph_is_copied_renamed_and_deleted(server: Caller) -> None:
    copy = done(server.ask("/api/graphs/mine/copy", {"source": "mango"}), 201)
    assert (copy["origin"], copy["spec"]["name"]) == ("mango", "mine")
    named = done(server.ask("/api/graphs/mine", {"name": "ours"}, "PATCH"))
    assert (named["name"], named["number"]) == ("ours", 2)
    assert done(server.ask("/api/graphs/ours", method="DELETE")) == {"name": "ours"}
    assert server.ask("/api/graphs/ours", method="DELETE").status == 404
    assert put(server, "mango", text=SMALL).status == 400
    assert put(server, "both").status == 400


def test_a_graph_is_exported_and_imported(server: Caller) -> None:
    text = server.ask("/api/graphs/mango/export").body
    assert text == (PRESETS / "mango.yaml").read_bytes()
    taken = done(server.ask("/api/graphs/import?name=imported&note=Mango", text), 201)
    assert (taken["name"], taken["note"]) == ("imported", "Mango")
    again = server.ask("/api/graphs/imported/export?version=1")
    assert again.headers["content-disposition"] == 'attachment; filename="imported.yaml"'
    assert again.body.decode() == taken["text"]
    assert server.ask("/api/graphs/import", text).status == 400
    assert server.ask("/api/graphs/import?name=x", b"\xff").status == 400
    assert server.ask("/api/graphs/import?name=x", b"nodes: [}").status == 400


def test_saved_graphs_are_named_like_presets_and_never_files(server: Caller) -> None:
    done(put(server, "named", text=SMALL), 201)
    [told] = done(server.ask("/api/graphs/check", {"graph": "named@1"}))
    assert (told["severity"], told["at"], told["also"]) == ("warning", "answer", [])
    assert server.ask("/api/graphs/draw", {"graph": "named"}).body.startswith(b"flowchart")
    outer = SMALL.replace("{type: answerer}", "{type: graph, params: {spec: /etc/passwd}}")
    refused = done(put(server, "outer", text=outer), 400)
    assert refused["error"] == "There is no graph '/etc/passwd'."
    begun = server.ask("/api/sessions", {"question": "Why?", "graph": "named@2"})
    assert done(begun, 400)["error"] == "The graph 'named' has no version 2."

import json
from pathlib import Path

import pytest

from graphs.spec.registry import REGISTRY
from graphs.spec.spec import PRESETS
from tests.browsers import needs_browser
from tests.ui.cli.test_main import SKARN, one_line
from tests.ui.conftest import Forager

ROOT = Path(__file__).parents[4]
SMALL = """\
# mine
name: small
description: The root page alone.
nodes:
  survey: {type: surveyor, params: {pages: 0}}  # the root page
  answer: {type: answerer}
edges: [start -> survey, survey.found -> answer, survey.none -> answer, answer.end -> end]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "small.yaml"
    path.write_text(SMALL)
    return path


def test_node_types_are_listed_with_own_ones(forager: Forager, tmp_path: Path) -> None:
    own = tmp_path / "data" / "nodes" / "fresh.py"
    own.parent.mkdir(parents=True, mode=0o700)
    example = (ROOT / "docs" / "own-nodes.md").read_text().partition("```python\n")[2]
    own.write_text(example.partition("```")[0])
    listed = forager("graph", "types", FORAGER_OWN_NODES="fresh.py,absent.py")
    rows = [line.split("\t") for line in listed.stdout.splitlines()]
    assert [name for name, *_ in rows] == [*REGISTRY, "fresh"]
    assert rows[-1] == ["fresh", "read", "Drops the quotes of pages that are too old."]
    assert "Warning: " in listed.stderr
    assert "absent.py" in listed.stderr
    told = forager("graph", "types", "--json", FORAGER_OWN_NODES="fresh.py")
    types = {kind["name"]: kind for kind in json.loads(told.stdout)["types"]}
    assert types["selector"]["routes"] == ["arm", "exhausted"]
    assert types["fresh"]["reads"] == ["evidence"]
    assert types["fresh"]["params"] == ["since"]
    assert types["fresh"]["own"]


def test_a_graph_is_saved_with_versions_and_compared(forager: Forager, file: Path) -> None:
    said = forager("graph", "save", "small", str(file), "--note", "as it began")
    assert said.stdout.startswith("Saved as small@1, hash "), said.output
    file.write_text(SMALL.replace("pages: 0", "pages: 5"))
    stale = one_line(forager("graph", "save", "small", str(file)), 2)
    assert "There is already a graph 'small': version 1 of 'small'" in stale
    forager("graph", "save", "small", str(file), "--base", "1")
    stale = one_line(forager("graph", "save", "small", str(file), "--base", "1"), 2)
    assert "made from version 1, and there is a newer one" in stale
    ahead = one_line(forager("graph", "save", "small", str(file), "--base", "7"), 2)
    assert "small has no version 7; the newest is 2." in ahead
    newest, first = forager("graph", "versions", "small").stdout.splitlines()
    assert newest.startswith("small@2\t")
    assert first.endswith("\tas it began")
    diff = forager("graph", "diff", "small@1", "small")
    assert (diff.exit_code, diff.stdout) == (1, "~ survey: pages 0 → 5\n")
    assert forager("graph", "diff", "small", str(file)).stdout == "No difference.\n"
    assert forager("graph", "restore", "small", "1").stdout.startswith("Saved as small@3")
    assert forager("graph", "export", "small").stdout == SMALL


def test_a_saved_graph_is_named_like_a_preset(
    forager: Forager, file: Path, site: str, here: tuple[str, str]
) -> None:
    forager("graph", "import", str(file))
    assert "small@1          The root page alone." in forager("graph", "list").stdout
    checked = forager("graph", "check", "small@1").stdout
    assert checked.startswith("Warning: answer: No node writes 'evidence' before it")
    assert "small: no errors, 2 nodes" in checked
    assert forager("graph", "draw", "small").stdout.startswith("flowchart")
    asked = forager("ask", SKARN, "--site", site, "--graph", "small", "--session", "one", *here)
    assert asked.exit_code in (3, 4), asked.output
    assert forager("sessions").stdout.split("\t")[3] == "small"
    assert "no version 7" in one_line(forager("graph", "check", "small@7"), 2)


def test_a_preset_is_copied_renamed_exported_and_deleted(forager: Forager, tmp_path: Path) -> None:
    assert "is a preset" in one_line(forager("graph", "save", "mango", "forager"), 2)
    assert forager("graph", "save", "mine", "mango").exit_code == 0
    assert forager("graph", "rename", "mine", "ours").stdout.startswith("Saved as ours@2")
    out = tmp_path / "out.yaml"
    assert forager("graph", "export", "ours", "--out", str(out)).exit_code == 0
    shipped = (PRESETS / "mango.yaml").read_text()
    assert out.read_text() == shipped.replace("name: mango", "name: ours")
    assert forager("graph", "import", str(out), "--name", "again").exit_code == 0
    assert forager("graph", "delete", "ours").stdout == "Deleted graph ours.\n"
    assert "no saved graph 'ours'" in one_line(forager("graph", "versions", "ours"), 2)


@pytest.mark.parametrize("ending", ["py", "mmd", "svg", pytest.param("png", marks=needs_browser)])
def test_what_is_exported_is_imported_again(forager: Forager, tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"out.{ending}"
    assert forager("graph", "export", "abreast", "--out", str(out)).exit_code == 0
    assert forager("graph", "import", str(out), "--name", "again").exit_code == 0
    differences = forager("graph", "diff", "abreast", "again").stdout
    assert differences == "~ graph: renamed from 'abreast' to 'again'\n"


def test_a_format_may_be_named(forager: Forager) -> None:
    assert (
        'main(build_graph, "mango")'
        in forager("graph", "export", "mango", "--format", "python").stdout
    )
    assert "no format 'word'" in one_line(
        forager("graph", "export", "mango", "--format", "word"), 2
    )


def test_files_that_a_graph_names_stand_in_what_is_saved(
    forager: Forager, file: Path, tmp_path: Path
) -> None:
    outer = tmp_path / "outer.yaml"
    node = f"{{type: graph, params: {{spec: {file}}}}}"
    outer.write_text(f"name: outer\nnodes:\n  inner: {node}\nedges: [start -> inner]\n")
    assert forager("graph", "import", str(outer)).exit_code == 0
    assert forager("graph", "diff", "outer", str(outer)).exit_code == 0
    assert str(file) not in forager("graph", "export", "outer").stdout

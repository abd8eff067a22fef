import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from forager.errors import GraphError, NoGraphError, StaleError, StoreError
from forager.util.place import Place, Tables
from graphs.check.checker import find_faults
from graphs.spec.library import Library, fit_name
from graphs.spec.spec import PRESETS, load_graph, parse_graph, preset_names

SMALL = """\
# mine
name: small
nodes:
  survey: {type: surveyor, params: {pages: 0}}  # the root page
  answer: {type: answerer}
edges:
  - start -> survey
  - survey.found -> answer
  - survey.none -> answer
  - answer.end -> end
"""
MORE = SMALL.replace("pages: 0", "pages: 9")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "graphs.sqlite"


@pytest.fixture
def in_file(path: Path) -> Library:
    return Library(path, patience=0.1)


@pytest.fixture
def library(table_place: Callable[[Tables], Place]) -> Library:
    return Library(table_place("graphs"), patience=0.1)


def test_reading_an_empty_data_folder_creates_nothing(in_file: Library, path: Path) -> None:
    assert in_file.list() == ()
    assert in_file.list_names() == preset_names()
    with pytest.raises(NoGraphError, match="There is no saved graph 'small'"):
        in_file.get("small")
    assert not path.parent.exists()


def test_each_save_is_a_version_with_its_text_and_its_note(library: Library) -> None:
    first = library.save("small", SMALL, "the  first\none", author="ada")
    second = library.save("small", MORE, base=1)
    assert (first.number, first.text, first.note, first.author) == (
        1,
        SMALL,
        "the first one",
        "ada",
    )
    assert first.hash == first.spec.hash == parse_graph(SMALL).hash != second.hash
    assert library.list_versions("small") == (second, first)
    assert library.get("small") == second
    assert library.get("small", 1) == first
    assert [each.reference for each in library.list()] == ["small@2"]
    with pytest.raises(NoGraphError, match=r"no version 3. The newest is 2"):
        library.get("small", 3)


def test_stale_save_is_refused_and_names_the_newer_version(library: Library) -> None:
    library.save("small", SMALL, author="ada")
    library.save("small", MORE, "nine pages", base=1, author="grace")
    with pytest.raises(StaleError) as caught:
        library.save("small", SMALL, base=1, author="ada")
    assert caught.value.newest == 2
    assert "made from version 1" in caught.value.what
    assert "version 2 of 'small', saved by grace on 20" in caught.value.what
    assert "(“nine pages”)" in caught.value.what
    assert "on top of version 2" in caught.value.mend
    assert library.get("small").text == MORE
    with pytest.raises(StaleError, match="There is already a graph 'Small'"):
        library.save("Small", SMALL)
    with pytest.raises(StaleError, match="has been deleted"):
        library.save("other", SMALL, base=1)
    assert library.save("small", SMALL, base=2).number == 3


def test_a_graph_with_faults_is_kept_and_a_text_without_a_graph_is_not(library: Library) -> None:
    text = "name: open\nnodes:\n  a: {type: nothing}\nedges: []\n"
    assert find_faults(library.save("open", text).spec)
    with pytest.raises(GraphError, match="line 2"):
        library.save("broken", "name: broken\nnodes: [}")
    assert [each.name for each in library.list()] == ["open"]


def test_presets_are_read_only_and_are_copied(library: Library) -> None:
    with pytest.raises(GraphError, match="is a preset"):
        library.save("Mango", SMALL)
    copy = library.copy("mango", "mine")
    assert (copy.origin, copy.note) == ("mango", "Copied from mango")
    shipped = (PRESETS / "mango.yaml").read_text()
    assert copy.text == shipped.replace("name: mango", "name: mine")
    assert copy.spec.model_copy(update={"name": "mango"}).hash == load_graph("mango").hash
    again = library.copy("mine@1", "other")
    assert (again.origin, again.text) == ("mine@1", copy.text.replace("name: mine", "name: other"))
    with pytest.raises(GraphError, match=r"no graph 'mangoo'\. Did you mean 'mango'"):
        library.copy("mangoo", "third")
    for name in ("", "a b", "a.yaml", "a@1", "../a", "-a", "ä"):
        with pytest.raises(GraphError, match="is not a valid name of a graph"):
            library.save(name, SMALL)


def test_the_text_has_the_name_of_the_graph(library: Library) -> None:
    saved = library.save("mine", SMALL)
    assert saved.text == SMALL.replace("name: small", "name: mine")
    assert saved.spec.name == "mine"


def test_an_earlier_version_is_restored_on_top(library: Library) -> None:
    library.save("small", SMALL)
    library.save("small", MORE, base=1)
    back = library.restore("small", 1)
    assert (back.number, back.text, back.note, back.origin) == (
        3,
        SMALL,
        "Version 1 restored",
        "small@1",
    )


def test_a_renamed_graph_keeps_its_versions(library: Library) -> None:
    library.save("small", SMALL)
    library.save("taken", SMALL)
    renamed = library.rename("small", "tiny")
    assert (renamed.number, renamed.spec.name) == (2, "tiny")
    assert [each.number for each in library.list_versions("tiny")] == [2, 1]
    with pytest.raises(GraphError, match="taken"):
        library.rename("tiny", "taken")
    with pytest.raises(GraphError, match="is a preset"):
        library.rename("tiny", "mango")
    with pytest.raises(NoGraphError):
        library.get("small")
    assert library.rename("tiny", "Tiny").name == "Tiny"


def test_a_number_is_never_given_twice(library: Library) -> None:
    library.save("small", SMALL)
    library.delete("small")
    assert library.list() == ()
    with pytest.raises(NoGraphError):
        library.delete("small")
    assert library.save("small", MORE).number == 2


def test_a_reference_is_a_preset_a_saved_graph_a_version_or_a_file(
    library: Library, tmp_path: Path
) -> None:
    file = tmp_path / "graph.yaml"
    file.write_text(MORE)
    library.save("small", SMALL)
    library.save("small", MORE, base=1)
    assert library.resolve("mango") == load_graph("mango")
    assert (
        library.resolve("small").hash == library.resolve("small@2").hash == parse_graph(MORE).hash
    )
    assert library.resolve("small@1").hash == parse_graph(SMALL).hash
    assert library.resolve(str(file)).hash == parse_graph(MORE).hash
    for reference in ("smal", "small@3", str(file), "mango@1"):
        with pytest.raises(GraphError):
            library.resolve_named(reference)
    with pytest.raises(GraphError, match=r"no graph 'smal'\. Did you mean 'small'\?"):
        library.resolve("smal")


def test_reference_to_a_saved_graph_is_inlined(library: Library) -> None:
    library.save("small", SMALL)
    text = (
        "name: outer\nnodes:\n  inner: {type: graph, params: {spec: small}}\n"
        "edges: [start -> inner, inner.end -> end]\n"
    )
    outer = library.save("outer", text)
    library.save("small", MORE, base=1)
    assert library.resolve("outer").inner("inner").hash == parse_graph(SMALL).hash
    assert outer.text == text
    with pytest.raises(GraphError, match="There is no graph '/etc/hostname'"):
        library.save("outer", text.replace("small", "/etc/hostname"), base=1)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        db.close()


@pytest.mark.parametrize(
    "change",
    ["spec = '{'", "time = 'noon'", "number = 1e300", "text = x'fffe'", "hash = NULL || 'x'"],
)
def test_a_damaged_graph_hides_no_other_and_is_deleted(
    in_file: Library, path: Path, change: str
) -> None:
    in_file.save("small", SMALL)
    in_file.save("other", SMALL.replace("small", "other"))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA writable_schema = 1")
        db.execute("UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '')")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f"UPDATE versions SET {change} WHERE name = 'other'")  # noqa: S608
    assert [version.name for version in in_file.list()] == ["small"]
    assert in_file.list_damaged() == ("other",)
    assert set(in_file.list_names()) >= {"mango", "small", "other"}
    for use in (in_file.get, in_file.list_versions, in_file.resolve):
        with pytest.raises(StoreError, match="'other' is damaged") as told:
            use("other")
        assert told.value.mend == "Delete it: forager graph delete other"
    in_file.delete("other")
    assert in_file.list_damaged() == ()


def test_a_name_that_is_not_utf8_hides_no_graph(in_file: Library, path: Path) -> None:
    in_file.save("small", SMALL)
    in_file.save("other", SMALL.replace("small", "other"))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE versions SET note = CAST(x'ff41' AS TEXT) WHERE name = 'other'")
    assert [version.note for version in in_file.list()] == ["\ufffdA", ""]


def test_locked_damaged_and_unwritable_files_raise(
    in_file: Library, path: Path, tmp_path: Path
) -> None:
    in_file.save("small", SMALL)
    with locked(path):
        with pytest.raises(StoreError, match="locked by another program"):
            in_file.save("small", MORE, base=1)
        assert [version.number for version in in_file.list()] == [1]  # readers need not wait
    path.write_bytes(b"no database" * 99)
    with pytest.raises(StoreError, match="damaged"):
        in_file.list_names()
    with pytest.raises(StoreError, match="damaged"):
        in_file.save("small", SMALL)
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be used"):
        Library(tmp_path / "file" / "graphs.sqlite").save("small", SMALL)


def test_full_disk_raises_and_loses_nothing(in_file: Library, path: Path) -> None:
    in_file.save("small", SMALL)
    script = (
        "import resource, signal, sys; from pathlib import Path\n"
        "from graphs.spec.library import Library; from forager.errors import StoreError\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({path.stat().st_size}, -1))\n"
        f"text = {SMALL!r} + '# ' + 'x' * 100_000\n"
        "try: Library(Path(sys.argv[1])).save('small', text, base=1)\n"
        "except StoreError as error: print(error)"
    )
    told = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True
    )
    assert "The disk is full" in told.stdout, told
    assert in_file.get("small").number == 1
    assert in_file.save("small", MORE, base=1).number == 2


SAVE = """
import sys
from pathlib import Path
from forager.errors import StaleError
from graphs.spec.library import Library
library = Library(Path(sys.argv[1]))
base = library.get("small").number
print("read", flush=True)
sys.stdin.readline()
try:
    print(library.save("small", library.get("small").text, sys.argv[2], base).number)
except StaleError as error:
    print(error)
"""


def test_of_two_concurrent_saves_one_is_refused(in_file: Library, path: Path) -> None:
    in_file.save("small", SMALL)
    both = [
        subprocess.Popen(
            [sys.executable, "-c", SAVE, str(path), f"by {who}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for who in ("one", "two")
    ]
    for each in both:
        assert each.stdout is not None
        assert each.stdout.readline() == "read\n"
    for each in both:
        assert each.stdin is not None
        each.stdin.write("\n")
        each.stdin.flush()
    said = sorted(each.communicate()[0].strip() for each in both)
    assert said[0] == "2"
    assert "there is a newer one: version 2 of 'small'" in said[1]
    assert len(in_file.list_versions("small")) == 2


def test_of_many_threads_that_save_at_once_one_does(in_file: Library, path: Path) -> None:
    in_file.save("small", SMALL)
    told: list[str] = []
    ready = threading.Barrier(6)

    def save() -> None:
        ready.wait()
        try:
            Library(path).save("small", MORE, base=1)
            told.append("saved")
        except StaleError:
            told.append("stale")

    threads = [threading.Thread(target=save) for _ in range(6)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(told) == ["saved", *["stale"] * 5]


@pytest.mark.parametrize(
    ("name", "fit"),
    [
        ("own_2-B", "own_2-B"),
        ("My Method", "my-method"),
        ("  _Übersicht: alle Türme!  ", "ubersicht-alle-turme"),
        ("图", ""),
        ("a" * 63 + " b", "a" * 63),
    ],
)
def test_a_name_is_fitted_to_what_a_graph_can_be_called(name: str, fit: str) -> None:
    assert fit_name(name) == fit

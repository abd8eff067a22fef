"""export and verify on the command line."""

import json
import os
import pty
import re
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from forager.domain.state import Question
from forager.settings import Settings
from tests.browsers import needs_browser
from tests.endpoint import Endpoint
from tests.ui.cli.test_main import SKARN, one_line
from tests.ui.conftest import Forager
from ui.cli.actions.session_run import create_session, with_sessions
from ui.server.handbook.handbook_site import HOST

ROOT = Path(__file__).parents[4]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory, site: str) -> Path:
    """A data folder with a session `one` that has its answer."""
    folder = tmp_path_factory.mktemp("data")
    asked = Question(text=SKARN, sites=(site,))
    settings = Settings(data=folder, allow_private=(HOST,))
    id = create_session(settings, asked, "forager", "offline", "one")
    with_sessions(settings, lambda to: to.run(id))
    return folder


@pytest.fixture
def one(forager: Forager, data: Path) -> Forager:
    """The command line, on that folder."""
    return partial(forager, FORAGER_DATA=str(data))


def test_the_name_of_the_file_tells_the_format(one: Forager, tmp_path: Path) -> None:
    begins = {"md": "# Which", "json": "{", "csv": "id,cited", "html": "<!doctype html>"}
    for name, begin in begins.items():
        file = tmp_path / f"report.{name}"
        result = one("export", "one", "--out", str(file))
        assert (result.exit_code, result.output) == (0, "")
        assert file.read_text(encoding="utf-8").startswith(begin)
    file = tmp_path / "report.html"
    one("export", "one", "--format", "csv", "--out", str(file))
    assert file.read_text(encoding="utf-8").startswith("id,cited")
    assert one("export", "one", "--format", "html").stdout.startswith("<!doctype html>")


def test_a_file_whose_name_tells_no_format_is_refused(one: Forager, tmp_path: Path) -> None:
    file = tmp_path / "report.txt"
    assert ".txt is not one of md, json, csv" in one_line(
        one("export", "one", "--out", str(file)), 2
    )
    assert not file.exists()
    assert one("export", "one", "--format", "md", "--out", str(file)).exit_code == 0
    assert file.read_text(encoding="utf-8").startswith("# Which")
    said = one_line(one("export", "one", "--format", "xml"), 2)
    assert "There is no format 'xml'." in said
    assert "zip" in said


def test_an_export_that_cannot_be_verified_is_named(one: Forager, tmp_path: Path) -> None:
    file = tmp_path / "one.html"
    one("export", "one", "--out", str(file))
    said = one_line(one("verify", str(file)), 2)
    assert "one.html is an export in HTML; verify reads JSON and CSV exports." in said


def test_a_file_that_cannot_be_written_is_told(one: Forager, tmp_path: Path) -> None:
    line = one_line(one("export", "one", "--out", str(tmp_path / "absent" / "a.md")), 2)
    assert "cannot be written: No such file or directory" in line


def test_a_file_in_a_folder_is_named_after_the_title(one: Forager, tmp_path: Path) -> None:
    stem = "Which-engineer-built-the-Skarn-lighthouse-and-in-which-year"
    for name in (f"{stem}.md", f"{stem}-2.md"):
        result = one("export", "one", "--out", str(tmp_path))
        assert (result.exit_code, result.output) == (0, f"{tmp_path / name}\n")
        assert (tmp_path / name).read_text(encoding="utf-8").startswith("# Which engineer")
    for name in (f"{stem}.csl.json", f"{stem}-2.csl.json"):
        result = one("export", "one", "--format", "csl", "--out", str(tmp_path))
        assert result.output == f"{tmp_path / name}\n"


def test_the_parts_of_an_export_are_chosen(one: Forager) -> None:
    heads = ["## Sources", "## Other evidence", "## Pages read", "## Run"]

    def held(*options: str) -> list[str]:
        text = one("export", "one", *options).stdout
        assert text.startswith("# Which engineer")
        return [head for head in heads if head in text]

    assert held() == heads[:1]
    assert held("--parts", "all")[-1] == "## Run"
    assert held("--parts", " Run, answer") == ["## Run"]
    said = one_line(one("export", "one", "--parts", "answer,sauces"), 2)
    assert "There is no part 'sauces'." in said
    assert "answer, sources, evidence, steps, run" in said
    said = one_line(one("export", "one", "--format", "bib", "--parts", "run"), 2)
    assert "BibTeX cannot have the part 'run'. It can have sources, evidence." in said
    assert "always whole" in one_line(
        one("export", "one", "--format", "zip", "--parts", "answer"), 2
    )


def test_references_are_those_of_the_cited_pages(one: Forager, tmp_path: Path, site: str) -> None:
    begins = {"bib": "@misc{page-127-0-0-1-", "ris": "TY  - ELEC", "csl.json": "[\n"}
    for ending, begin in begins.items():
        file = tmp_path / f"pages.{ending}"
        assert one("export", "one", "--out", str(file)).exit_code == 0
        text = file.read_text(encoding="utf-8")
        assert text.startswith(begin)
        assert f"{site}skarn.html" in text


@needs_browser
def test_a_pdf_is_bytes(one: Forager, tmp_path: Path) -> None:
    assert one("export", "one", "--format", "pdf").stdout_bytes.startswith(b"%PDF-")


def test_a_pdf_needs_a_browser(one: Forager, tmp_path: Path) -> None:
    result = one("export", "one", "--format", "pdf", FORAGER_CHROMIUM=str(tmp_path / "absent"))
    assert "FORAGER_CHROMIUM" in one_line(result, 2)


def test_a_pdf_is_not_written_to_a_terminal(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [Path(sys.executable).parent / "forager", "export", "one", "--format", "pdf"],
        env={"FORAGER_DATA": str(tmp_path), "PATH": "/usr/bin:/bin"},
        stdout=theirs,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(theirs)
    os.close(ours)
    assert done.returncode == 2
    assert (
        done.stderr == "Error: A PDF cannot be shown on a terminal. Name a file: --out FILE.pdf\n"
    )


def test_an_export_verifies(one: Forager, tmp_path: Path, here: tuple[str, str]) -> None:
    file = tmp_path / "one.json"
    one("export", "one", "--out", str(file))
    stored = one("verify", str(file))
    assert stored.exit_code == 0, stored.output
    *rows, last = stored.stdout.splitlines()
    assert re.fullmatch(r"\d+ quotes?: all found in the stored pages.", last)
    assert len(rows) == int(last.split()[0])
    id, quote, outcome, url = rows[0].split("\t")
    assert (id, outcome) == ("e1", "verbatim")
    assert quote
    assert url.startswith("http://")
    live = one("verify", str(file), "--live", *here)
    assert live.exit_code == 0, live.output
    assert live.stdout.endswith("all found on the pages as they are now.\n")


def test_an_archive_without_some_pages_says_so(
    forager: Forager, data: Path, site: str, tmp_path: Path, here: tuple[str, str]
) -> None:
    shutil.copytree(data, tmp_path / "data")
    one, file = forager, tmp_path / "one.zip"
    assert one("export", "one", "--out", str(file)).stderr == ""
    with closing(sqlite3.connect(tmp_path / "data" / "blobs.sqlite")) as db, db:
        db.execute("DELETE FROM blobs WHERE kind = 'document'")
    export = one("export", "one", "--out", str(file))
    assert export.exit_code == 0
    assert re.match(r"The file lacks \d+ stored pages? of the session", export.stderr)
    assert site in export.stderr
    assert "forager verify FILE --live" in export.stderr
    assert zipfile.ZipFile(file).comment.decode() == export.stderr.strip()
    one("export", "one", "--out", str(tmp_path / "one.json"))
    assert one("verify", str(tmp_path / "one.json"), "--live", *here).exit_code == 0
    again = one("export", "one", "--out", str(file))
    assert again.stderr.count("http") < export.stderr.count("http")
    assert one("import", str(file)).exit_code == 0


def test_an_edited_export_does_not(one: Forager, tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    one("export", "one", "--out", str(file))
    body = json.loads(file.read_text(encoding="utf-8"))
    edited = file.read_text(encoding="utf-8").replace("in 1874", "in 1974")
    file.write_text(edited, encoding="utf-8")
    result = one("verify", str(file))
    assert result.exit_code == 5
    assert result.stderr == ""
    assert "\tchanged: the stored page does not say this\t" in result.stdout
    standing = sum("1874" not in item["quote"] for item in body["evidence"])
    assert f" {standing} found in the stored pages; " in result.stdout.splitlines()[-1]
    assert result.stdout.endswith(" changed.\n")


def test_a_live_page_on_this_machine_needs_to_be_named(one: Forager, tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    one("export", "one", "--out", str(file))
    result = one("verify", str(file), "--live")
    assert result.exit_code == 5
    assert "\tpage not available: " in result.stdout
    assert "--allow-private 127.0.0.1" in result.stdout


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('{"session": "on', "is damaged, or not JSON"),
        ('{"a": 1}', "is not a JSON export of a session"),
    ],
)
def test_a_torn_or_foreign_file_is_told_in_one_line(
    forager: Forager, tmp_path: Path, body: str, said: str
) -> None:
    file = tmp_path / "file.json"
    file.write_text(body, encoding="utf-8")
    assert said in one_line(forager("verify", str(file)), 2)
    assert "cannot be read" in one_line(forager("verify", str(tmp_path / "absent")), 2)


def test_nothing_of_an_export_reaches_the_terminal_as_a_command(
    forager: Forager, tmp_path: Path
) -> None:
    nasty = "a\x1b]0;t\x07\tb\nc"
    item = {"id": nasty, "url": nasty, "quote": nasty}
    body = {"session": "s", "citations": [item], "evidence": [item]}
    file = tmp_path / "file.json"
    file.write_text(json.dumps(body), encoding="utf-8")
    result = forager("verify", str(file))
    assert result.exit_code == 5
    assert "\x1b" not in result.stdout
    assert len(result.stdout.splitlines()) == 2


def test_an_imported_session_sends_no_key_to_the_address_of_its_file(
    forager: Forager, site: str, endpoint: Endpoint, tmp_path: Path, here: tuple[str, str]
) -> None:
    theirs = Settings(data=tmp_path / "theirs", allow_private=(HOST,))
    model = f"openai:any,base_url={endpoint.url}"
    create_session(theirs, Question(text=SKARN, sites=(site,)), "forager", model, "one")
    file = tmp_path / "one.zip"
    forager("export", "one", "--out", str(file), FORAGER_DATA=str(theirs.data))
    imported = forager("import", str(file))
    assert imported.exit_code == 0
    assert f"imported without its model {model}; it goes on with offline" in imported.stderr
    result = forager("resume", "one", *here, FORAGER_API_KEY="sk-mine")
    assert result.exit_code == 0, result.output
    assert "Marta Lindqvist" in result.stdout
    assert endpoint.requests == []


def test_a_session_with_own_node_types_is_imported_only_if_told_so(
    forager: Forager, site: str, tmp_path: Path
) -> None:
    nodes = tmp_path / "data" / "nodes"
    nodes.mkdir(parents=True)
    handbook = (ROOT / "docs" / "own-nodes.md").read_text()
    (nodes / "fresh.py").write_text(handbook.split("```")[1].removeprefix("python"))
    graph = tmp_path / "own.yaml"
    body = (ROOT / "graphs" / "presets" / "webwalker.yaml").read_text()
    body = body.replace("aggregate.next -> judge", "aggregate.next -> sift\n  - sift.next -> judge")
    graph.write_text(body.replace("  judge:", "  sift: {type: fresh}\n  judge:"))
    own = {"FORAGER_OWN_NODES": "fresh.py"}
    options = ["--site", site, "--allow-private", HOST, "--session", "one", "--graph", str(graph)]
    asked = forager("ask", SKARN, *options, **own)
    assert asked.exit_code in {0, 3, 4}, asked.output
    file = tmp_path / "one.zip"
    assert forager("export", "one", "--out", str(file), **own).exit_code == 0
    refused = forager("import", str(file), **own)
    assert refused.exit_code == 2
    assert "uses your own node types: fresh" in refused.stderr
    assert forager("import", str(file), "--own-nodes", **own).exit_code == 0

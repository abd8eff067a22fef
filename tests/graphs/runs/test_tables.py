"""A question for a list, from the site to a table whose every cell can be verified."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.settings import Settings
from graphs.reports.exports.verify import verify_export
from graphs.reports.report import Report
from graphs.sessions.service import open_sessions
from tests.graphs.lights_site import LIGHTS, QUESTION, SITES
from tests.servers import Site


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as served:
        yield served


def settings(folder: Path) -> Settings:
    return Settings(data=folder, allow_private=("127.0.0.1",))


async def ask(folder: Path, site: Site, text: str) -> tuple[Report, dict[str, bytes]]:
    """The report of one question, and its exports."""
    budget = Budget(rounds=4, steps=6)
    async with open_sessions(settings(folder)) as sessions:
        question = Question(text=text, sites=(site.url(),), budget=budget)
        id = await sessions.start(question, "forager", "offline", "one")
        report = await sessions.run(id)
        formats = ("csv", "json", "md", "html")
        return report, {name: await sessions.export(id, name) for name in formats}


@pytest.mark.parametrize("shape", ["table", "items", "pages"])
async def test_twenty_rows_come_whole_in_their_order_and_verify(
    site: Site, tmp_path: Path, shape: str
) -> None:
    site.routes.update(SITES[shape])
    report, exports = await ask(tmp_path, site, QUESTION)
    assert report.status == "answered"
    assert report.table
    cells = [tuple(cell.text for cell in row) for row in report.table.rows]
    if shape == "items":
        assert cells == [(name, ", ".join(rest)) for name, *rest in LIGHTS]
    else:
        assert cells == list(LIGHTS)
        assert report.table.columns == ("Light", "Height", "Year")
    cited = {item.id for item in report.citations}
    assert all(set(cell.cites) <= cited for row in report.table.rows for cell in row)
    assert report.doubts == ()
    for name in ("csv", "json"):
        file = tmp_path / f"one.{name}"
        file.write_bytes(exports[name])
        found = await verify_export(file, settings(tmp_path), live=False)
        assert found.all_stand
        assert len(found.quotes) >= len(LIGHTS)
    rows = list(csv.DictReader(io.StringIO(exports["csv"].decode())))
    for row, light in zip(rows, LIGHTS, strict=True):
        assert light[0] in row["source: quote"]
        assert int(row["source: end"]) - int(row["source: start"]) == len(row["source: quote"])
    assert len(json.loads(exports["json"])["table"]["rows"]) == len(LIGHTS)
    assert "Kråkenes" in exports["md"].decode()
    shown = exports["html"].decode().split('class="table"')[1].split("</section>")[0]
    assert shown.count("<tr>") == len(LIGHTS) + 1


async def test_a_list_that_is_too_short_is_told(site: Site, tmp_path: Path) -> None:
    site.routes.update(SITES["table"])
    report, _ = await ask(tmp_path, site, QUESTION.replace("20", "25"))
    assert report.status == "partial"
    assert report.table
    assert len(report.table.rows) == len(LIGHTS)
    assert report.open[0] == "25 rows were asked for; 20 were found."


async def test_a_comparison_has_a_cell_for_each_thing_and_property(
    site: Site, tmp_path: Path
) -> None:
    texts = {
        "ona": "The depth of the port of Ona is 9 metres. Its harbour master is Nils Vik.",
        "holm": "The depth of the port of Holm is 14 metres. Nobody knows more.",
    }
    pages = {
        f"/{name}.html": f"<title>{name}</title><h1>Port of {name.title()}</h1><p>{text}</p>"
        for name, text in texts.items()
    }
    links = "".join(f'<li><a href="{path}">{path}</a>' for path in pages)
    site.routes.update({"/": f"<title>Ports</title><p>Ports.</p><ul>{links}</ul>", **pages})
    report, _ = await ask(tmp_path, site, "Compare Ona and Holm in depth and harbour master.")
    assert report.table
    assert report.table.columns == ("", "Depth", "Harbour master")
    [ona, holm] = report.table.rows
    assert [cell.text for cell in ona] == [
        "Ona", "The depth of the port of Ona is 9 metres.", "Its harbour master is Nils Vik.",
    ]  # fmt: skip
    assert [cell.text for cell in holm[1:]] == ["The depth of the port of Holm is 14 metres.", ""]
    assert report.open == ("Harbour master of Holm",)

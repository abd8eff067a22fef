"""The benches from the command line, over a site of three pages."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tests.servers import Site
from ui.cli import app

PAGES = {
    "/": """<title>Lighthouses</title><h1>Lighthouses</h1><p>A small site about lighthouses of the
        northern coast, with one page for each of them.</p>
        <ul><li><a href="/skarn.html">Skarn lighthouse</a>
        <li><a href="/holm.html">Holm lighthouse</a></ul>""",
    "/skarn.html": """<title>Skarn lighthouse</title><h1>Skarn lighthouse</h1><p>The Skarn
        lighthouse was built by the engineer Marta Lindqvist in 1874. Its lamp burned rape oil
        for twenty years, and was then turned over to paraffin.</p>""",
    "/holm.html": """<title>Holm lighthouse</title><h1>Holm lighthouse</h1><p>The Holm lighthouse
        stands 41 metres high on the island of Holm. It is painted in red and white bands.</p>""",
}
RECORDS: list[dict[str, object]] = [
    {
        "id": "coast-01",
        "type": "single",
        "sites": ["coast"],
        "question": "Which engineer built the Skarn lighthouse?",
        "answer": ["Marta Lindqvist|M. Lindqvist"],
        "pages": [{"site": "coast", "path": "/skarn.html", "quote": "Marta Lindqvist"}],
    },
    {
        "id": "coast-02",
        "type": "abstain",
        "sites": ["coast"],
        "question": "How do I bake sourdough bread?",
        "answer": [],
        "pages": [],
    },
]


@pytest.fixture
def site() -> Iterator[Site]:
    with Site(PAGES) as opened:
        yield opened


@pytest.fixture
def questions(tmp_path: Path) -> str:
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(map(json.dumps, RECORDS)))
    return str(path)


def bench(data: Path, *words: str) -> Result:
    """A bench with its data under a folder."""
    env = {"FORAGER_DATA": str(data)}
    return CliRunner().invoke(app, ["bench", *words], env=env, prog_name="forager")


def cells(result: Result, *first: str) -> list[str]:
    """The table's line that begins with these words."""
    assert result.exit_code == 0, result.output
    lines = [line.split() for line in result.stdout.splitlines()]
    [found] = [line for line in lines if line[: len(first)] == list(first)]
    return found


def test_answers_are_scored_and_not_asked_again(tmp_path: Path, site: Site, questions: str) -> None:
    out = tmp_path / "rows.jsonl"
    given = ("answer", "--questions", questions, "--sites", f"coast={site.url()}")
    words = (*given, "--graph", "forager,webwalker", "--out", str(out))
    first = bench(tmp_path, *words)
    assert cells(first, "forager", "single")[2:10] == ["1", *["100"] * 7]
    assert cells(first, "forager", "abstain")[2:6] == ["1", "–", "–", "100"]
    assert cells(first, "webwalker", "single")[2] == "1"
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(row["graph"], row["id"]) for row in rows] == [
        (graph, record["id"]) for graph in ("forager", "webwalker") for record in RECORDS
    ]
    assert rows[0]["quotes"] == rows[0]["verbatim"] > 0
    assert rows[0]["cold"]
    assert 0 < rows[0]["before"] < rows[0]["seconds"]
    site.asked.clear()
    again = bench(tmp_path, *words)
    assert again.stdout == first.stdout
    assert (again.stderr, site.asked) == ("", [])
    assert len(out.read_text().splitlines()) == len(rows)


def test_rankings_stand_side_by_side(tmp_path: Path, site: Site, questions: str) -> None:
    given = ("survey", "--questions", questions, "--sites", f"coast={site.url()}")
    result = bench(tmp_path, *given)
    assert cells(result, "all")[1:10] == ["1", *["100"] * 8]
    assert "No gold page" not in result.stdout


def test_memory_is_measured_in_another_process(tmp_path: Path, site: Site) -> None:
    result = bench(tmp_path, "memory", "--site", site.url())
    assert result.exit_code == 0, result.output
    first, again = result.stdout.splitlines()
    assert first.startswith("first: 3 pages with embeddings, ")
    assert again.startswith("again: 3 pages with embeddings, ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["answer", "--questions", "absent.jsonl", "--sites", "coast=http://h/"], "cannot be read"),
        (["answer", "--sites", "coast=http://h/"], "Missing option '--questions'."),
        (["survey", "--questions", "Q", "--sites", "sea=http://h/"], "no address"),
        (["answer", "--questions", "Q", "--sites", "coast=h"], "Write it as id=https://host/path"),
        (["answer", "--questions", "Q", "--sites", "coast=http://h/", "--model", "x"], "'x'"),
        (
            ["answer", "--questions", "Q", "--sites", "coast=http://h/", "--types", "sngle"],
            "single",
        ),
        (["anwser"], "Did you mean 'answer'?"),
    ],
)
def test_bad_usage_is_told_in_one_line(
    tmp_path: Path, questions: str, words: list[str], said: str
) -> None:
    result = bench(tmp_path, *[questions if word == "Q" else word for word in words])
    assert result.exit_code == 2, result.output
    assert said in result.stderr
    assert "Traceback" not in result.stderr

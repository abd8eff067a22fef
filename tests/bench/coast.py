"""A site of three pages, two questions about it, and the benches' command line."""

from pathlib import Path

from typer.testing import CliRunner, Result

from bench.commands.main import app

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


def run_bench(data: Path, *words: str) -> Result:
    """A bench with its data under a folder."""
    env = {"FORAGER_DATA": str(data)}
    return CliRunner().invoke(app, [*words], env=env, prog_name="./run bench")


def table_cells(result: Result, *first: str) -> list[str]:
    """The table's line that begins with these words."""
    assert result.exit_code == 0, result.output
    lines = [line.split() for line in result.stdout.splitlines()]
    [found] = [line for line in lines if line[: len(first)] == list(first)]
    return found

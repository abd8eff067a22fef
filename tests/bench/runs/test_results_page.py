"""The page of results, and the figures of it that the README shows."""

from bench.runs.results_page import ROOT


def cells(line: str) -> list[str]:
    return [cell.strip().replace("`", "") for cell in line.strip().strip("|").split("|")]


def test_the_readme_shows_rows_of_the_page() -> None:
    page = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    _, _, kept = page.partition("`bench/make_set/questions/second.jsonl`\n")
    figures, _, _ = kept.partition("| right of each type")
    measured = {row[0]: row for row in map(cells, figures.splitlines())}
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    _, _, section = readme.partition("## How good the answers are\n")
    shown = [cells(line) for line in section.partition("\n## ")[0].splitlines() if "%" in line]
    assert shown
    for name, asked, right, wrong, abstained in shown:
        row = measured[name]
        assert asked == row[1]
        assert [right, wrong] == [f"{float(row[at].split()[0]):.0f} %" for at in (2, 4)]
        assert abstained == row[5]

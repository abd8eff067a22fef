"""The pages of an unpacked package."""

from pathlib import Path

from bench.ranker.candidates import read_site


def test_the_distinct_pages_of_a_folder_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "guide.html"  # some packages name folders so
    folder.mkdir()
    page = "<title>Lamps</title><p>The lamp of Skarn burned oil until 1890.</p>"
    for path in (folder / "lamps.html", folder / "again.htm", tmp_path / "lamps.txt"):
        path.write_text(page)
    [document] = read_site(tmp_path)
    assert document.title == "Lamps"
    assert document.url.endswith(("guide.html/lamps.html", "guide.html/again.htm"))

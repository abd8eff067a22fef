"""The applications start, and are what tests take them for."""

from pathlib import Path

import httpx2
import pytest

from bench.apps.datasette_table import make_stations, serve_datasette
from bench.apps.server_process import run_server
from forager.errors import UsageError
from tests.apps.sphinx_manual import PAGES, manual


def test_a_program_that_ends_tells_why(tmp_path: Path) -> None:
    with (
        pytest.raises(UsageError, match="no port today"),
        run_server(["echo", "no port today"], tmp_path),
    ):
        pass


def test_the_table_stands_behind_a_filter_form(tmp_path: Path) -> None:
    station = make_stations()[2345]
    with serve_datasette(tmp_path) as root:
        page = httpx2.get(f"{root}/weather/stations").text
        asked = {"_filter_column": "name", "_filter_op": "exact", "_filter_value": station.name}
        found = httpx2.get(f"{root}/weather/stations", params=asked, follow_redirects=True).text
    assert 'name="_filter_column"' in page
    assert station.name not in page
    assert station.name in found
    assert str(station.elevation) in found


def test_the_manual_is_searched_by_its_own_script(tmp_path: Path) -> None:
    with manual(tmp_path / "manual") as site:
        root, search = httpx2.get(site.url()), httpx2.get(site.url("/search.html"))
        index = httpx2.get(site.url("/searchindex.js"))
    assert all(f'href="{name}.html"' in root.text for name in PAGES)
    assert "JavaScript" in search.text
    assert "brass" in index.text

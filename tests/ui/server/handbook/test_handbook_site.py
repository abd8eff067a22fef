import socket
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from forager.settings import Settings
from ui.server.handbook import handbook_site


def test_the_handbook_is_where_it_was_last_time(tmp_path: Path) -> None:
    with (
        handbook_site.serve_handbook(tmp_path) as first,
        closing(HTTPConnection(urlsplit(first).netloc)) as line,
    ):
        line.request("GET", "/")
        assert b"Handbook" in line.getresponse().read()
    with handbook_site.serve_handbook(tmp_path) as again:
        assert again == first
    allowed = handbook_site.permit_sites(
        Settings(allow_private=("a.example",)), [first]
    ).allow_private
    assert allowed == ("a.example", urlsplit(first).netloc)


def test_it_moves_where_its_port_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        (tmp_path / handbook_site.PORT_FILE).write_text(str(taken.getsockname()[1]))
        with handbook_site.serve_handbook(tmp_path) as moved:
            assert urlsplit(moved).port != taken.getsockname()[1]
            ports = [str(taken.getsockname()[1]), str(urlsplit(moved).port)]
            assert (tmp_path / handbook_site.PORT_FILE).read_text().split() == ports
        with handbook_site.serve_handbook(tmp_path) as again:
            assert again == moved


def test_a_note_that_cannot_be_read_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / handbook_site.PORT_FILE).write_text("no port")
    with handbook_site.serve_handbook(tmp_path) as root:
        assert root.startswith("http://127.0.0.1:")

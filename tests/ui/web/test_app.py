"""What a page cannot show it tells, in words."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from forager.settings import Settings
from ui.server.backend import open_backend
from ui.server.web_server import SCRIPT


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "sessions.sqlite").write_bytes(b"no database " * 100)
    with open_backend(Settings(data=tmp_path, memory=False)):
        at = AppTest.from_file(str(SCRIPT), default_timeout=30)
        at.query_params["session"] = "ona"
        at.run()
    assert not at.exception
    [told] = at.error
    assert "is damaged and cannot be read" in told.value

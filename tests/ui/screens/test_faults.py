"""What a page cannot show it tells, in words."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

import ui
from forager.settings import Settings
from ui.server.backend import open_backend as opened


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "sessions.sqlite").write_bytes(b"no database " * 100)
    with opened(Settings(data=tmp_path, memory=False)):
        at = AppTest.from_file(str(Path(ui.__file__).with_name("app.py")), default_timeout=30)
        at.query_params["session"] = "ona"
        at.run()
    assert not at.exception
    [told] = at.error
    assert "is damaged and cannot be read" in told.value

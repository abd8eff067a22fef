from pathlib import Path

from streamlit.testing.v1 import AppTest

from forager.domain.state import Question
from forager.settings import Settings
from ui.server.backend import open_backend
from ui.server.handbook.handbook_site import HOST


def script() -> None:
    from ui.server.backend import get_backend  # noqa: PLC0415
    from ui.web.export_formats import export_menu  # noqa: PLC0415

    session, report = get_backend().sessions.call(lambda to: to.show_session("ona"))
    export_menu(session, report, explained=False)


def test_what_cannot_be_exported_is_told(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, allow_private=(HOST,), chromium=tmp_path / "absent")
    with open_backend(settings) as office:
        question = Question(text="Who lit the lamp?", sites=("http://127.0.0.1:1/",))
        office.sessions.call(lambda to: to.start(question, "forager", "offline", "ona"))
        page = AppTest.from_function(script).run()
        assert not page.exception
        buttons = {each.proto.label: each.proto for each in page.get("download_button")}
        assert set(buttons) == {
            *("Markdown", "Word", "PDF", "Web page"),
            *("Table", "JSON", "Whole session"),
        }
        assert [name for name, each in buttons.items() if each.disabled] == ["PDF"]
        assert "needs Chromium or Chrome" in buttons["PDF"].help
        assert "No page is cited." in [each.value for each in page.caption]
        assert page.button_group(key="parts-ona").value == ["answer", "sources"]

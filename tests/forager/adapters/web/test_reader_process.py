import pytest

from forager.adapters.web.read import page_reader
from forager.adapters.web.reader_process import ReaderGoneError, ReaderProcess
from forager.errors import ContentError

URL = "http://example.org/a.html"


def ask(helper: ReaderProcess, body: bytes, content_type: str) -> bytes:
    return helper.ask(body, content_type.encode(), URL.encode())


def test_the_reader_process_gives_the_same_document() -> None:
    helper = ReaderProcess(page_reader.__name__)
    for body in (b"<h1>A</h1><p>words <a href=b>b</a>", b"", "日本".encode()):
        expected = page_reader.read_page(body, "text/html", URL).model_dump_json().encode()
        assert ask(helper, body, "text/html") == expected
    with pytest.raises(ContentError, match="holds no readable text"):
        ask(helper, b"\0", "image/png")
    assert b"words" in ask(helper, b"words", "text/plain")
    assert helper.is_running()
    helper.close()
    assert not helper.is_running()
    with pytest.raises(ReaderGoneError):
        ask(helper, b"words", "text/plain")

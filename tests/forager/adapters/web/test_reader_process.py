from concurrent.futures import ThreadPoolExecutor

import pytest

from forager.adapters.web.read import page_reader
from forager.adapters.web.reader_process import Reader, ReaderGoneError, ReaderProcess
from forager.errors import ContentError
from tests.forager.adapters.web import hostile

URL = "http://example.org/a.html"


def ask(helper: ReaderProcess, body: bytes, content_type: str) -> bytes:
    return helper.ask(body, content_type.encode(), URL.encode(), seconds=60)


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


def test_a_page_that_takes_too_long_ends_the_process_and_the_next_starts_another() -> None:
    reader = Reader(page_reader.__name__)
    with pytest.raises(ReaderGoneError):
        reader.ask(hostile.nested_links(), b"text/html", URL.encode(), seconds=2)
    assert b"words" in reader.ask(b"words", b"text/plain", URL.encode(), seconds=60)
    reader.close()
    with pytest.raises(ReaderGoneError):
        reader.ask(b"words", b"text/plain", URL.encode(), seconds=60)


def test_closing_the_reader_ends_a_request_that_it_serves() -> None:
    reader = Reader(page_reader.__name__)
    reader.start()
    with ThreadPoolExecutor(1) as thread:
        asked = thread.submit(
            reader.ask, hostile.nested_links(), b"text/html", URL.encode(), seconds=600
        )
        reader.close()
        with pytest.raises(ReaderGoneError):
            asked.result(60)

import pytest

from forager.adapters.web.read import page_reader
from forager.adapters.web.reader_process import Helper, HelperGoneError
from forager.errors import ContentError

URL = "http://example.org/a.html"


def test_a_helper_reads_as_we_do() -> None:
    helper = Helper()
    for body in (b"<h1>A</h1><p>words <a href=b>b</a>", b"", "日本".encode()):
        expected = page_reader.read(body, "text/html", URL).model_dump_json().encode()
        assert helper.read(body, "text/html", URL) == expected
    with pytest.raises(ContentError, match="holds no readable text"):
        helper.read(b"\0", "image/png", URL)
    assert b"words" in helper.read(b"words", "text/plain", URL)
    helper.close()
    with pytest.raises(HelperGoneError):
        helper.read(b"words", "text/plain", URL)

import pytest

from forager.errors import ContentError
from forager.web import page
from forager.web.helper import Helper, HelperGoneError

URL = "http://example.org/a.html"


def test_a_helper_reads_as_we_do() -> None:
    helper = Helper()
    for body in (b"<h1>A</h1><p>words <a href=b>b</a>", b"", "日本".encode()):
        expected = page.read(body, "text/html", URL).model_dump_json().encode()
        assert helper.read(body, "text/html", URL) == expected
    with pytest.raises(ContentError, match="holds no readable text"):
        helper.read(b"\0", "image/png", URL)
    assert b"words" in helper.read(b"words", "text/plain", URL)
    helper.close()
    with pytest.raises(HelperGoneError):
        helper.read(b"words", "text/plain", URL)

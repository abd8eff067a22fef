import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.adapters.web.library import WebLibrary
from forager.adapters.web.read import page_reader, pdf_process
from forager.adapters.web.reader_process import ReaderGoneError, ReaderProcess
from forager.domain.documents import Document
from forager.errors import ContentError
from tests.forager.adapters.web import pdfs
from tests.forager.adapters.web.pdfs import make_pdf
from tests.servers import Reply, Site

URL = "http://example.org/papers/one.pdf"
unlimited = pytest.mark.skipif(sys.platform != "linux", reason="the memory is not limited here")


def read(body: bytes) -> Document:
    return page_reader.read_page(body, "application/pdf", URL)


def test_a_pdf_is_a_page() -> None:
    document = read(make_pdf("The first  page.", "The second.", link="../next.html"))
    assert document.text == "The first page.\n\nThe second."
    assert document.title == "The first page."
    assert [link.url for link in document.links] == ["http://example.org/next.html"]


def test_a_pdf_is_known_by_its_first_bytes() -> None:
    assert (
        page_reader.read_page(make_pdf("Words."), "application/octet-stream", URL).text == "Words."
    )


def test_a_pdf_has_a_title() -> None:
    assert read(make_pdf("Words.", title="On  tides")).title == "On tides"


def test_a_hyphenated_word_is_joined() -> None:
    lines = (
        b"BT /F 12 Tf 20 100 Td (The light-) Tj 0 -14 Td (house stands on a) Tj"
        b" 0 -14 Td (rock.) Tj ET"
    )
    assert read(pdfs.pages_of([lines])).text == "The lighthouse stands on a\nrock."


def test_characters_beyond_the_first_plane() -> None:
    assert read(pdfs.mapped("D835DC65", "A = 2")).text == "𝑥 = 2"


def test_invalid_characters_do_no_harm() -> None:
    assert "Words." in read(pdfs.mapped("FFFE", "A" * 5000 + "Words.")).text


@pytest.mark.parametrize("body", [make_pdf(""), pdfs.image()], ids=["blank", "scanned"])
def test_a_pdf_without_text(body: bytes) -> None:
    document = read(body)
    assert (document.text, document.title) == ("", "one.pdf")
    assert "no text" in document.note


@pytest.mark.parametrize(
    "body", [b"", b"%PDF-1.4", b"%PDF-1.4\nnonsense", make_pdf("Words.")[:200]]
)
def test_a_broken_pdf(body: bytes) -> None:
    with pytest.raises(ContentError, match="PDF that cannot be read"):
        read(body)


def test_a_truncated_pdf_raises_an_error() -> None:
    whole = make_pdf(*(f"Page {number}." for number in range(100)))
    with pytest.raises(ContentError, match="cannot be read: it is damaged"):
        read(whole[: len(whole) // 2])


def test_a_pdf_with_a_misplaced_table_is_read() -> None:
    assert read(make_pdf("Words.").replace(b"startxref\n", b"startxref\n9")).text == "Words."


def test_a_locked_pdf_raises_an_error() -> None:
    with pytest.raises(ContentError, match="cannot be read: it is locked with a password"):
        read(pdfs.locked("Words.", b"secret"))


def test_a_pdf_with_an_empty_password_is_read() -> None:
    assert read(pdfs.locked("Words.", b"")).text == "Words."


def test_a_long_pdf_is_read_in_part() -> None:
    document = read(make_pdf(*(f"Page {number}." for number in range(600))))
    assert document.text.endswith("Page 499.")
    assert document.note == "Only the first 500 of the PDF's 600 pages were read."


@pytest.mark.parametrize("count", [7, 100_000, 2**31 - 1])
def test_a_pdf_with_fewer_pages_than_it_says(count: int) -> None:
    assert read(make_pdf("Words.").replace(b"/Count 1", b"/Count %d" % count)).text == "Words."


def test_a_page_that_contains_itself() -> None:
    assert read(make_pdf("Words.").replace(b"/Kids [", b"/Kids [2 0 R ")).text == "Words."


@given(st.integers(0, 400), st.binary(min_size=1, max_size=20))
def test_a_damaged_pdf_is_read_or_refused(place: int, damage: bytes) -> None:
    body = make_pdf("Words.", link="a")
    with suppress(ContentError):
        read(body[:place] + damage + body[place + len(damage) :])


@unlimited
def test_a_pdf_that_kills_its_reader_is_refused_and_the_next_is_read() -> None:
    with pytest.raises(ContentError, match="cannot be read: its reader crashed or took too long"):
        read(pdfs.bomb())
    assert read(make_pdf("Words.")).text == "Words."


@unlimited
async def test_a_survey_outlives_a_pdf_that_kills_its_reader(
    site: Site, library: WebLibrary
) -> None:
    kind = "application/pdf"
    site.routes["/"] = "<a href=a.pdf>a</a> <a href=b.pdf>b</a> <a href=c.pdf>c</a>"
    site.routes["/a.pdf"] = Reply(make_pdf("The first."), kind=kind)
    site.routes["/b.pdf"] = Reply(pdfs.bomb(), kind=kind)
    site.routes["/c.pdf"] = Reply(make_pdf("The last."), kind=kind)
    found = await library.survey(site.url(), 10)
    assert {one.url for one in found.pages} == {site.url(), site.url("/a.pdf"), site.url("/c.pdf")}
    assert any("its reader crashed" in note for note in found.notes)


def test_a_pdf_that_takes_too_long_ends_its_reader() -> None:
    helper = ReaderProcess(pdf_process.__name__)
    assert b"Words." in helper.ask(make_pdf("Words."), seconds=60)
    with pytest.raises(ReaderGoneError):
        helper.ask(pdfs.long(), seconds=0.05)
    helper.close()


def test_threads_share_the_reader() -> None:
    bodies = [make_pdf(f"Number {number}.") for number in range(40)]
    with ThreadPoolExecutor(8) as threads:
        texts = [document.text for document in threads.map(read, bodies)]
    assert texts == [f"Number {number}." for number in range(40)]


def test_the_reader_process_ends_with_its_parent() -> None:
    code = f"from {page_reader.__name__} import read_page; from {pdfs.__name__} import make_pdf; "
    code += f"print(read_page(make_pdf('Words.'), 'application/pdf', {URL!r}).text)"
    command = [sys.executable, "-W", "error", "-c", code]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (told.stdout, told.stderr, told.returncode) == ("Words.\n", "", 0)

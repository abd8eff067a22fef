from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.adapters.web.read import page_reader
from forager.errors import ContentError

URL = "http://example.org/papers/one.pdf"


def pdf(*pages: str, link: str = "") -> bytes:
    """A small PDF by hand: one line of text a page, a link on each."""
    note = f"/Annots [<< /Subtype /Link /A << /URI ({link}) >> >>]" if link else ""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>"]
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>")
    objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    for number, words in enumerate(pages):
        content = f"BT /F 12 Tf 20 100 Td ({words}) Tj ET"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] {note}"
            f" /Contents {5 + 2 * number} 0 R /Resources << /Font << /F 3 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    body = "%PDF-1.4\n"
    places = []
    for number, one in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{one}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    trailer = f"trailer << /Size {size} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF"
    return f"{body}xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}".encode()


def test_a_pdf_is_a_page() -> None:
    body = pdf("The first  page.", "The second.", link="../next.html")
    document = page_reader.read(body, "application/pdf", URL)
    assert document.text == "The first page.\n\nThe second."
    assert document.title == "The first page."
    assert [link.url for link in document.links] == ["http://example.org/next.html"]


def test_a_pdf_is_known_by_its_first_bytes() -> None:
    assert page_reader.read(pdf("Words."), "application/octet-stream", URL).text == "Words."


def test_a_pdf_without_text() -> None:
    document = page_reader.read(pdf(""), "application/pdf", URL)
    assert (document.text, document.title) == ("", "one.pdf")
    assert "no text" in document.note


@pytest.mark.parametrize("body", [b"", b"%PDF-1.4", b"%PDF-1.4\nnonsense", pdf("Words.")[:200]])
def test_a_broken_pdf(body: bytes) -> None:
    with pytest.raises(ContentError, match="PDF that cannot be read"):
        page_reader.read(body, "application/pdf", URL)


@given(st.integers(0, 400), st.binary(min_size=1, max_size=20))
def test_a_damaged_pdf_is_read_or_refused(place: int, damage: bytes) -> None:
    body = pdf("Words.", link="a")
    with suppress(ContentError):
        page_reader.read(
            body[:place] + damage + body[place + len(damage) :], "application/pdf", URL
        )

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from urllib.parse import urljoin

import httpx2
import pytest

from ui.server.handbook.handbook_site import all_pages, serve_pages
from ui.server.handbook.markdown_pages import (
    INDEX,
    docs_folder,
    page_path,
    parse_page,
    read_pages,
    render_pages,
)

LINK = re.compile(r'href="([^"]+)"')


@pytest.fixture(scope="module")
def pages() -> dict[str, bytes]:
    return render_pages(read_pages())


def test_the_index_links_every_written_page() -> None:
    leaves = read_pages()
    linked = set(re.findall(r"\]\(([a-z-]+)\.md\)", leaves[INDEX].markdown))
    assert linked == {name for name in leaves if "/" not in name} - {INDEX}


def test_the_architecture_links_every_decision() -> None:
    leaves = read_pages()
    linked = set(re.findall(r"\]\((adr/[a-z0-9-]+)\.md\)", leaves["architecture"].markdown))
    assert linked
    assert linked == {name for name in leaves if "/" in name}


@pytest.mark.parametrize("file", sorted(docs_folder().glob("*.md")), ids=lambda file: file.stem)
def test_a_page_has_a_title_and_fits_a_few_screens(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.startswith("# ")
    assert text.count("\n# ") == 0
    assert 28 <= len(text.splitlines()) <= 80


def test_every_link_leads_to_a_page(pages: dict[str, bytes]) -> None:
    for page in pages.values():
        for target in LINK.findall(page.decode()):
            assert target in pages


def test_every_page_is_in_the_menu_of_every_page(pages: dict[str, bytes]) -> None:
    for here, page in pages.items():
        menu = page.decode().partition("<nav")[2].partition("</nav>")[0]
        assert set(LINK.findall(menu)) == pages.keys()
        assert f'<a href="{here}" aria-current="page">' in menu


def test_markup_is_well_formed(pages: dict[str, bytes]) -> None:
    for page in pages.values():
        body = page.decode().partition("<main>")[2].partition("</main>")[0]
        ET.fromstring(f"<main>{body}</main>")  # noqa: S314  our own pages


def test_raw_html_stays_text() -> None:
    hostile = "# <b>Title</b>\n\n<script>alert(1)</script>\n\n[x](javascript:alert)\n"
    page = render_pages({INDEX: parse_page(hostile)})["/"].decode()
    assert "<script>" not in page
    assert 'href="javascript' not in page
    assert "<title>&lt;b&gt;Title" in page


def test_a_picture_of_a_page_is_served() -> None:
    with serve_pages(all_pages()) as root, httpx2.Client(trust_env=False) as client:
        page = client.get(root + "architecture.html").text
        (source,) = re.findall(r'<img src="([^"]+)"', page)
        picture = client.get(urljoin(root + "architecture.html", source))
        decision = client.get(root + "adr/0001-graph-as-data.html")
    assert picture.headers["content-type"] == "image/svg+xml; charset=utf-8"
    assert ET.fromstring(picture.text).tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314
    assert "A graph is data" in decision.text


def test_the_pages_are_served(pages: dict[str, bytes]) -> None:
    with serve_pages(pages) as root, httpx2.Client(trust_env=False) as client:
        assert root.startswith("http://127.0.0.1:")
        found = client.get(root + page_path("budgets").lstrip("/"))
        assert found.headers["content-type"] == "text/html; charset=utf-8"
        assert "rounds" in found.text
        assert client.get(root + "absent.html").status_code == 404
    with pytest.raises(httpx2.ConnectError):
        httpx2.get(root, trust_env=False)


def test_every_picture_of_a_page_is_there(pages: dict[str, bytes]) -> None:
    there = all_pages()
    for page in pages.values():
        for source in re.findall(r'<img src="([^"]+)"', page.decode()):
            assert there[f"/{source}"]


def test_a_picture_that_is_not_there_is_left_out() -> None:
    page = render_pages({INDEX: parse_page("# One\n\n![Two](images/none.png)\n\nThree\n")})["/"]
    assert b"<img" not in page
    assert b"Three" in page

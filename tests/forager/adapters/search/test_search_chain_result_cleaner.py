import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.adapters.search.provider import ResultRow
from forager.adapters.search.search_chain import ResultCleaner, to_plain_text
from forager.adapters.web.fetch.address_guard import AddressGuard

TEXT = "The tower is 41 metres high and was built of granite by two brothers."


def cleaned(
    *rows: ResultRow, count: int = 300, site: str = "", allow: str = ""
) -> tuple[list[str], str]:
    """The URLs that are kept, and the note."""
    cleaner = ResultCleaner("brave", site, AddressGuard([allow]))
    kept = cleaner.clean_rows(rows, count)
    assert [result.rank for result in kept] == list(range(1, len(kept) + 1))
    assert {result.source for result in kept} <= {"brave"}
    return [result.url for result in kept], cleaner.describe_left_out()


def at(*urls: str) -> list[ResultRow]:
    return [ResultRow(url, f"Title of {url}", "") for url in urls]


def test_urls_are_made_canonical() -> None:
    urls, note = cleaned(*at("HTTPS://Example.ORG:443/a/../b?utm_source=x#part", "http://e.org"))
    assert urls == ["https://example.org/b", "http://e.org/"]
    assert note == ""


def test_two_hundred_similar_results() -> None:
    same = [f"https://a.org/p?utm_source={n}#s{n}" for n in range(100)]
    same += [f"http://www.a.org/p?gclid={n}" for n in range(100)]
    urls, note = cleaned(*at(*same, "https://a.org/q"))
    assert urls == ["https://a.org/p", "https://a.org/q"]
    assert note == "brave: results were left out: 199 that repeat other results."


def test_mirrors_are_one() -> None:
    mirrors = [ResultRow(f"https://mirror{n}.org/tower", "The tower", TEXT) for n in range(200)]
    urls, _ = cleaned(
        *mirrors, ResultRow("https://x.org/", "The tower", TEXT.replace("two", "<b>2</b>"))
    )
    assert urls == ["https://mirror0.org/tower", "https://x.org/"]


def test_items_of_a_list_stay_apart() -> None:
    """Different numbers or titles, or too few words: these are no duplicates."""
    towers = [
        ResultRow(f"https://a.org/{n}", "Tower", TEXT.replace("41", str(n))) for n in range(20)
    ]
    titled = [ResultRow(f"https://b.org/{n}", f"Tower {n}", TEXT) for n in range(20)]
    short = [ResultRow(f"https://c.org/{n}", "Tower", "Read more") for n in range(20)]
    assert len(cleaned(*towers, *titled, *short)[0]) == 60


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://localhost:8000/a",
        "http://a.localhost/",
        "http://192.168.1.1/admin",
        "http://169.254.169.254/latest/meta-data",
        "http://[::1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://0x7f000001/",
        "http://2130706433/",
    ],
)
def test_private_addresses_are_left_out(url: str) -> None:
    urls, note = cleaned(*at(url, "https://a.org/"))
    assert urls == ["https://a.org/"]
    assert note.startswith("brave: results were left out: 1 with a private address.")
    assert "--allow-private" in note


def test_private_addresses_that_are_allowed_stay() -> None:
    urls, _ = cleaned(*at("http://127.0.0.1:81/", "http://127.0.0.1/"), allow="127.0.0.1:81")
    assert urls == ["http://127.0.0.1:81/"]


def test_public_addresses_in_numbers_stay() -> None:
    assert len(cleaned(*at("http://93.184.216.34/", "http://[2606:2800:220:1::1]/"))[0]) == 2


def test_files_and_invalid_urls_are_left_out() -> None:
    urls, note = cleaned(
        *at("ftp://a.org/", "mailto:a@b.org", "//", "http://", "https://a b/", "javascript:x()"),
        *at("https://a.org/film.mp4", "https://a.org/paper.PDF", "https://a.org/data.zip"),
    )
    assert urls == ["https://a.org/paper.PDF"]
    assert "6 without a web address" in note
    assert "2 that are files, not pages" in note


def test_other_sites_are_left_out() -> None:
    rows = at("https://a.org/1", "http://www.a.org/2", "https://docs.a.org/3", "https://b.org/4")
    urls, note = cleaned(*rows, site="https://a.org/")
    assert urls == ["https://a.org/1", "http://www.a.org/2"]
    assert note == "brave: results were left out: 2 of another site."


def test_at_most_count_results_are_kept() -> None:
    assert len(cleaned(*at(*(f"https://a.org/{n}" for n in range(50))), count=7)[0]) == 7


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a <b>lamp</b> &amp; a <strong class='x'>tower</strong>", "a lamp & a tower"),
        ("if x<y and y>z", "if x<y and y>z"),
        ("two\n  lines\x1b[31m\x00\u202e!", "two lines [31m !"),
        ("&lt;script&gt;alert(1)&lt;/script&gt;", "<script>alert(1)</script>"),
    ],
)
def test_highlighting_is_removed(text: str, shown: str) -> None:
    assert to_plain_text(text) == shown


@given(rows=st.lists(st.builds(ResultRow, st.text(), st.text(), st.text()), max_size=8))
def test_any_rows_are_cleaned(rows: list[ResultRow]) -> None:
    urls, _ = cleaned(*rows)
    assert len(urls) == len(set(urls)) <= len(rows)

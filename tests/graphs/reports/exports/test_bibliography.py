"""References to the cited pages, read back by the parsers of others."""

import json
from datetime import UTC, datetime

import pytest
import rispy
from bibtexparser.entrypoint import parse_string
from hypothesis import given
from hypothesis import strategies as st

from forager.errors import UsageError
from graphs.reports.exports.bibliography import LOCAL, TEX_SIGNS, as_bibtex, as_csl, as_ris
from graphs.reports.exports.document import Export, ExportedEvidence
from tests.graphs.sample_export import MADE

HARD = '100% of {A_B} & "C" #1 ~ ^ \\ $5 – 灯塔 é }'
URL = "https://www.example.org/a_b%20c?x=1&y={2}#z"
ADDRESS = "https://www.example.org/a_b%20c?x=1&y=%7B2%7D#z"
SEEN = datetime(2026, 2, 3, 4, 5, tzinfo=UTC)


def cited(title: str, url: str = URL, dated: str = "") -> Export:
    """An export that cites one page of this title."""
    entry = ExportedEvidence(
        id="e1", url=url, title=title, quote="q", part="p", round=1, fetched=SEEN, dated=dated
    )
    return MADE.model_copy(update={"evidence": (entry,), "citations": (entry,)})


def tex(text: str) -> str:
    """What TeX sets for a text."""
    for sign, command in sorted(
        ((chr(code), str(command)) for code, command in TEX_SIGNS.items()), key=lambda each: each[0]
    ):
        text = text.replace(command, sign) if sign != "\\" else text
    return text.replace(r"\textbackslash{}", "\\")


def read_bibtex(text: str) -> list[dict[str, str]]:
    """The entries that a parser finds."""
    library = parse_string(text)
    assert not library.failed_blocks
    return [
        {"ID": each.key, **{field.key: field.value for field in each.fields}}
        for each in library.entries
    ]


def test_bibtex_escapes_what_tex_would_read() -> None:
    [entry] = read_bibtex(as_bibtex(cited(HARD, dated="2024-05-31")))
    assert tex(entry["title"]).strip("{}") == HARD.strip("{}")
    assert {name: entry[name] for name in ("url", "urldate", "year", "month", "date")} == {
        "url": ADDRESS,
        "urldate": "2026-02-03",
        "year": "2024",
        "month": "may",
        "date": "2024-05-31",
    }
    assert entry["organization"] == "example.org"
    assert "note" not in entry, "the date of access stands in urldate"


@given(st.text(max_size=60), st.sampled_from(["2024", "2024-05", "2024-05-31", "", "May"]))
def test_any_title_makes_one_entry_in_each_format(title: str, dated: str) -> None:
    export = cited(f"{title}\nER  - \nTY  - BOOK\n}}, evil = {{x", dated=dated)
    [entry] = read_bibtex(as_bibtex(export))
    [page] = rispy.loads(as_ris(export))
    [item] = json.loads(as_csl(export))
    assert entry["ID"] == page["id"] == item["id"]
    assert "evil" not in entry
    assert page["type_of_reference"] == "ELEC"
    assert page["urls"] == [item["URL"]] == [entry["url"]]
    assert page["title"] == item["title"]
    assert ("issued" in item) == ("year" in entry) == ("year" in page) == dated.startswith("2024")


def test_ris_has_the_dates_of_the_page_and_of_the_visit() -> None:
    [page] = rispy.loads(as_ris(cited("T", dated="2024-05")))
    assert (page["year"], page["date"], page["access_date"]) == ("2024", "2024/05//", "2026/02/03/")
    assert page["secondary_title"] == "example.org"


def test_csl_has_dates_in_parts() -> None:
    [item] = json.loads(as_csl(cited("T", dated="2024-05")))
    assert item["type"] == "webpage"
    assert item["issued"] == {"date-parts": [[2024, 5]]}
    assert item["accessed"] == {"date-parts": [[2026, 2, 3]]}


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "http://[", "x", ""])
def test_only_addresses_of_the_web_are_referred_to(url: str) -> None:
    export = cited("T", url=url)
    assert "url" not in read_bibtex(as_bibtex(export))[0]
    assert "URL" not in json.loads(as_csl(export))[0]
    assert "urls" not in rispy.loads(as_ris(export))[0]


def test_keys_are_made_from_the_address_alone() -> None:
    other = cited("Another title", dated="2020")
    assert read_bibtex(as_bibtex(cited("T")))[0]["ID"] == read_bibtex(as_bibtex(other))[0]["ID"]
    quote = MADE.citations[0]
    many = (
        quote.model_copy(update={"id": f"e{place}", "url": f"http://h.org/{place % 50}"})
        for place in range(100)
    )
    pages = MADE.model_copy(update={"citations": tuple(many)})
    keys = [each["ID"] for each in read_bibtex(as_bibtex(pages))]
    assert len(keys) == len(set(keys)) == 50
    assert all(key.startswith("h-org-") for key in keys)


def test_without_a_cited_page_there_is_nothing_to_refer_to() -> None:
    bare = MADE.model_copy(
        update={"citations": (), "status": "abstained", "parts": ("sources",), "answer": ""}
    )
    with pytest.raises(UsageError, match=r"Not found.*evidence"):
        as_bibtex(bare)
    read = bare.model_copy(update={"parts": ("sources", "evidence")})
    assert len(json.loads(as_csl(read))) == 2


def test_a_page_of_a_site_that_ships_with_the_program_goes_by_the_name_of_the_site() -> None:
    """Its address is of this machine, and may have another port next time."""

    def served(port: int) -> Export:
        export = cited("Harrow Light", f"http://127.0.0.1:{port}/harrow.html")
        return export.model_copy(update={"site_names": {f"127.0.0.1:{port}": "Orrin Isles"}})

    [entry] = read_bibtex(as_bibtex(served(8110)))
    assert (entry["organization"], entry["howpublished"]) == ("Orrin Isles", LOCAL)
    assert "127.0.0.1" not in as_bibtex(served(8110)) + as_ris(served(8110)) + as_csl(served(8110))
    assert entry["ID"].startswith("orrin-isles-")
    [later] = read_bibtex(as_bibtex(served(8111)))
    assert later["ID"] == entry["ID"]
    [item] = json.loads(as_csl(served(8110)))
    assert (item["container-title"], item["note"]) == ("Orrin Isles", LOCAL)
    [listed] = rispy.loads(as_ris(served(8110)))
    assert (listed["secondary_title"], listed["notes"]) == ("Orrin Isles", [LOCAL])

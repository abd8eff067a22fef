"""Question files, site maps, and the choice among questions."""

import json
from pathlib import Path

import pytest

from forager.errors import UsageError
from graphs.experiments.question_set import (
    GoldPage,
    Record,
    choose_records,
    load_records,
    read_sites,
    refuse_unserved,
)

SITES = {"coast": "http://127.0.0.1:8101/index.html", "sea": "http://127.0.0.1:8102/docs/Sea.html"}
SINGLE = {
    "id": "coast-01",
    "type": "single",
    "sites": ["coast"],
    "question": "Who built it?",
    "answer": ["Lindqvist"],
    "pages": [{"site": "coast", "path": "/skarn.html", "quote": "built by Lindqvist"}],
    "difficulty": "easy",
    "lang": "en",
    "derived": False,
}
TALK = {
    "id": "coast-02",
    "type": "conversation",
    "sites": ["coast"],
    "turns": [{"question": "How high?", "answer": ["41"], "pages": []}, {"question": "And wide?"}],
}
ABSTAIN = {**SINGLE, "id": "coast-03", "type": "abstain", "answer": [], "pages": []}


def file_of(folder: Path, *records: object) -> Path:
    path = folder / "questions.jsonl"
    path.write_text("\n\n".join(map(json.dumps, records)), encoding="utf-8")
    return path


def test_a_conversation_is_asked_by_its_first_turn(tmp_path: Path) -> None:
    single, talk = load_records(file_of(tmp_path, SINGLE, TALK))
    assert single.pages == (GoldPage(site="coast", path="/skarn.html", quote="built by Lindqvist"),)
    assert (talk.question, talk.answer, talk.turns) == ("How high?", ("41",), 2)


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ([], "has no questions"),
        ([SINGLE, SINGLE], "has the id 'coast-01' twice"),
        ([SINGLE, {**SINGLE, "id": "x", "sites": []}], "line 3 is not a question: sites:"),
        ([[1]], "line 1 is not a question"),
    ],
)
def test_a_fault_is_reported_with_its_line(
    tmp_path: Path, records: list[object], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        load_records(file_of(tmp_path, *records))


def test_missing_files_and_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        load_records(tmp_path / "absent.jsonl")
    (tmp_path / "torn.jsonl").write_text('{"id": ')
    with pytest.raises(UsageError, match="line 1 is not a question"):
        load_records(tmp_path / "torn.jsonl")


def test_gold_pages_have_the_identity_of_visited_ones() -> None:
    pages = [GoldPage(site=site, path=path) for site, path in [("coast", "/a/index.html")] * 2]
    record = Record.model_validate({**SINGLE, "pages": [page.model_dump() for page in pages]})
    assert record.gold_keys(SITES) == ("http://127.0.0.1:8101/a/",)
    assert GoldPage(site="sea", path="/docs/a b.html").key(SITES).endswith(":8102/docs/a%20b.html")


def test_sites_come_from_text_or_a_file(tmp_path: Path) -> None:
    listing = tmp_path / "sites.txt"
    listing.write_text(
        "# id address\n\ncoast   http://127.0.0.1:8101/index.html   coast-doc   3 pages\n"
        "sea HTTP://127.0.0.1:8102/docs/Sea.html"
    )
    assert read_sites(str(listing)) == SITES
    assert read_sites(", ".join(f"{name}={address}" for name, address in SITES.items())) == SITES


@pytest.mark.parametrize("text", ["coast=", "coast=8101", "=http://h/", "coast", "no/such/file"])
def test_a_site_without_an_address_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        read_sites(text)


def test_every_site_of_a_question_needs_an_address() -> None:
    record = Record.model_validate(SINGLE)
    refuse_unserved([record], SITES)
    with pytest.raises(UsageError, match=r"coast-01 is about 'coast'.*Did you mean 'coasts'"):
        refuse_unserved([record], {"coasts": "http://127.0.0.1/"})


def test_a_choice_is_seeded_and_keeps_the_order() -> None:
    records = [
        Record.model_validate({**(ABSTAIN if number % 2 else SINGLE), "id": str(number)})
        for number in range(20)
    ]
    some = choose_records(records, limit=5, seed=1)
    assert some == choose_records(records, limit=5, seed=1)
    assert some != choose_records(records, limit=5, seed=2)
    assert sorted(some, key=records.index) == list(some)
    assert choose_records(records) == tuple(records)
    assert {record.type for record in choose_records(records, ["abstain"])} == {"abstain"}
    with pytest.raises(UsageError, match="Did you mean 'abstain'"):
        choose_records(records, ["abstian"])

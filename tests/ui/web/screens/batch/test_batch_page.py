"""The page Batch: a file is checked, started, and seen row by row."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from forager.domain.spend import Budget
from forager.errors import UsageError
from graphs.system.batch.batch_rows import parse_file, parse_rows
from ui.language.catalogue import translate_told
from ui.server.batches import OPEN, BatchRowLine
from ui.server.space_backend import Backend
from ui.web.screens.batch.batch_form import TEMPLATE, start_batch
from ui.web.screens.batch.batch_page import _as_choice
from ui.web.screens.batch.batch_view import describe_rest, describe_row, describe_rows, share_done
from ui.web.words import local_time

HEIGHT = "How high is the Holm lighthouse?"


def shown() -> None:
    from ui.web.screens.batch import batch_page  # noqa: PLC0415  # the script runs by itself

    batch_page.page()


def wait_done(office: Backend, id: str) -> None:
    work = office.batches._loaded[id].going  # there is no other way to wait
    if work:
        work.result(60)


def questions(*texts: str) -> bytes:
    return "".join(f"{json.dumps({'question': text})}\n" for text in texts).encode()


def test_without_batches_a_file_is_asked_for(office: Backend) -> None:
    at = AppTest.from_function(shown, default_timeout=30).run()
    assert not at.exception
    assert [each.label for each in at.file_uploader] == ["Questions"]
    assert at.code[0].value.startswith("./run batch questions.csv")


def test_a_file_is_checked_and_shown_before_it_is_started(office: Backend, site: str) -> None:
    at = AppTest.from_function(shown, default_timeout=30).run()
    at.file_uploader[0].set_value(("mine.csv", b"text\nWhy?\n", "text/csv")).run()
    assert "no column question" in at.error[0].value
    assert not office.batches.list()
    at.file_uploader[0].set_value(("mine.jsonl", questions(HEIGHT), "text/plain")).run()
    assert not at.exception
    assert "1 question, such as:" in [each.value for each in at.caption]
    assert f"1. {HEIGHT}" in [each.value for each in at.text]
    at.text_input(key="batch-sites").set_value(site)
    next(each for each in at.button if each.label == "Start").click().run()
    assert not at.exception
    [status] = office.batches.list()
    assert (status.name, status.rows, status.sites) == ("mine.jsonl", 1, (site,))
    wait_done(office, status.batch)
    at.run()
    assert not at.exception
    labels = [each.label for each in at.button]
    assert "Delete" in labels
    assert "Pause" not in labels
    assert office.batches.status(status.batch).statuses == {"answered": 1}


def test_rows_that_failed_can_be_asked_again(office: Backend, site: str) -> None:
    chosen = (site,), "forager", "offline"
    id = start_batch("mine.jsonl", questions(HEIGHT, " "), chosen, Budget(pages=20), 2)
    wait_done(office, id)
    at = AppTest.from_function(shown, default_timeout=30).run()
    assert not at.exception
    next(each for each in at.button if each.label == "Ask failed rows again").click().run()
    wait_done(office, id)
    assert office.batches.status(id).statuses == {"answered": 1, "failed": 1}


def test_private_hosts_are_allowed_by_one_click_before_a_batch_starts(
    office: Backend, site: str
) -> None:
    settings = office.settings
    office.renew(settings.model_copy(update={"allow_private": ()}))
    at = AppTest.from_function(shown, default_timeout=30).run()
    at.file_uploader[0].set_value(("mine.jsonl", questions(HEIGHT), "text/plain")).run()
    at.text_input(key="batch-sites").set_value(site)
    next(each for each in at.button if each.label == "Start").click().run()
    assert not office.batches.list()
    assert "is a private address" in at.error[0].value
    assert "--allow-private" not in at.error[0].value
    at.button(key="allow").click().run()
    assert not at.exception
    [status] = office.batches.list()
    wait_done(office, status.batch)
    assert office.batches.status(status.batch).statuses == {"answered": 1}


def test_a_batch_says_how_many_of_its_rows_failed(office: Backend, site: str) -> None:
    private = json.dumps({"question": HEIGHT, "sites": ["http://127.0.0.9:1/"]}).encode()
    chosen = (site,), "forager", "offline"
    id = start_batch("mine.jsonl", private, chosen, Budget(pages=20), 2)
    wait_done(office, id)
    status = office.batches.status(id)
    assert (describe_rows(status), share_done(status)) == ("1 of 1 rows, 1 failed", 0.0)
    at = AppTest.from_function(shown, default_timeout=30).run()
    assert any(each.value.replace("\\", "").startswith("Done, 1 failed") for each in at.caption)
    [row] = office.batches.rows(id).rows
    told = describe_row(row)["lead"]
    assert isinstance(told, str)
    assert "--allow-private" not in told
    assert "Settings, Privacy" in told


def sessions_page() -> None:
    from ui.web.screens.sessions import sessions_page  # noqa: PLC0415  # the script runs by itself

    sessions_page.page()


def test_rows_are_listed_among_the_sessions_only_if_that_is_wanted(
    office: Backend, site: str
) -> None:
    id = start_batch("m.jsonl", questions(HEIGHT), ((site,), "forager", "offline"), Budget(), 1)
    wait_done(office, id)
    at = AppTest.from_function(sessions_page, default_timeout=30).run()
    assert not at.exception
    assert "2 sessions" in [each.value for each in at.caption]
    assert [each.label for each in at.toggle] == ["Also 1 row of batches"]
    at.toggle[0].set_value(True).run()
    assert not at.exception
    assert "3 sessions" in [each.value for each in at.caption]


def test_a_row_tells_what_answers_and_no_quote_that_only_comes_close(office: Backend) -> None:
    line = BatchRowLine(
        id="1", question="?", status="abstained", answer="Page: “Not this” [1]", pages=2
    )
    assert describe_row(line)["lead"] == ""
    assert describe_row(line)["cost"] == "$0"
    answered = line.model_copy(update={"status": "answered", "lead": "- Format; - Date; x - y"})
    assert describe_row(answered)["lead"] == "Format; Date; x - y"
    assert describe_row(BatchRowLine(id="1", question="?", status=OPEN))["cost"] == ""


def test_what_cannot_be_asked_is_not_kept(office: Backend) -> None:
    with pytest.raises(UsageError):
        start_batch("mine.jsonl", questions(HEIGHT), ((), "forager", "none"), Budget(), 1)
    assert not office.batches.list()


def test_a_rest_is_told_as_a_person_says_it(office: Backend) -> None:
    rests = [describe_rest(each) for each in (5, 70, 3_700, 9_000)]
    assert rests == ["5 seconds", "1 minute", "1 hour", "2 hours"]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("q.csv", b"id,question,sites\n1,Why?,\n2,,\n,,\n3,,\n4,Who?,\n"),
        (
            "q.jsonl",
            b'{"question": "Why?"}\n{}\n{"id": "3", "question": ""}\n{"question": "Who?"}',
        ),
    ],
)
def test_rows_that_ask_nothing_are_skipped_and_counted(name: str, data: bytes) -> None:
    rows, skipped = parse_file(name, data)
    assert [row.question for row in rows] == ["Why?", "Who?"]
    assert skipped == 2


@pytest.mark.parametrize("language", ["de", "zh"])
@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("q.csv", b""),
        ("q.csv", b"text\nWhy?\n"),
        ("q.csv", b"question\n\xff\n"),
        ("q.csv", b"question\nWho, and when?\n"),
        ("q.csv", b"id,question\n1,Why?\n1,Who?\n"),
        ("q.csv", b'question\n"Why?\n'),
        ("q.jsonl", b"Why?\n"),
        ("q.jsonl", b"[1]\n"),
        ("q.jsonl", b'{"sites": []}\n'),
        ("q.csv", b"PK\x03\x04"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_in_every_language(
    language: str, name: str, data: bytes
) -> None:
    with pytest.raises(UsageError) as refused:
        parse_rows(name, data)
    for said in (refused.value.what, refused.value.mend):
        assert translate_told(language, said) != said


def test_files_of_one_name_are_told_apart_and_a_list_says_what_is_done(
    office: Backend, site: str
) -> None:
    budget = Budget(pages=5)
    for _ in range(2):
        id = start_batch("b.csv", b"question\nWhy?\n", ((site,), "forager", "offline"), budget, 1)
        wait_done(office, id)
    found = office.batches.list()
    titles = [_as_choice(each, repeats=True)["title"] for each in found]
    assert titles == [f"b.csv · {local_time(each.created)}" for each in found]
    assert _as_choice(found[0], repeats=False)["title"] == "b.csv"


def test_a_template_can_be_read_and_the_sites_of_a_file_are_shown(office: Backend) -> None:
    assert [len(row.sites) for row in parse_rows("questions.csv", TEMPLATE.encode())] == [1, 2]
    at = AppTest.from_function(shown, default_timeout=30).run()
    assert len(at.get("download_button")) == 1
    at.file_uploader[0].set_value(("mine.csv", TEMPLATE.encode(), "text/csv")).run()
    assert not at.exception
    assert "2 rows name their own sites." in [each.value for each in at.caption]
    assert "1. How high is it? · https://docs.example/" in [each.value for each in at.text]
    assert "Best pages first" in at.selectbox(key="batch-graph").options

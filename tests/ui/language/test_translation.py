import time

import pytest

from forager.browsing.action_text import ACTION_PHRASES, describe_action
from forager.domain.actions import Action, Element, Kind
from ui.language.catalogue import (
    pick_language,
    spoken_language,
    translate,
    translate_count,
    translate_lesson,
    translate_told,
)
from ui.language.local_formats import format_dollars, format_moment, format_number


@pytest.mark.parametrize(
    ("setting", "locale", "language"),
    [
        ("browser", "de-AT", "de"),
        ("browser", "de", "de"),
        ("browser", "zh-CN", "zh"),
        ("browser", "zh_TW", "zh"),
        ("browser", "fr-FR", "en"),
        ("browser", None, "en"),
        ("zh", "de-DE", "zh"),
        ("en", "de-DE", "en"),
    ],
)
def test_the_setting_comes_before_the_browser(
    setting: str, locale: str | None, language: str
) -> None:
    assert pick_language(setting, locale) == language


def test_a_page_without_a_script_goes_by_the_header() -> None:
    accepted = ["de-DE,de;q=0.9,en;q=0.8", "zh-CN", "fr,de;q=0.5", ""]
    assert [spoken_language(each) for each in accepted] == ["de", "zh", "en", "en"]


def test_a_text_is_translated_with_its_values() -> None:
    values = {"found": 1234, "all": 5678}
    text = "{found} of {all} sessions"
    assert translate("en", text, values) == "1,234 of 5,678 sessions"
    assert translate("de", text, values) == "1.234 von 5.678 Sitzungen"
    assert translate("zh", text, values) == "5,678 个会话中的 1,234 个"
    assert translate("de", "not in the catalogue", {}) == "not in the catalogue"


def test_a_text_about_a_number_has_its_form() -> None:
    def say(language: str, n: int) -> str:
        return translate_count(language, n, ("{n} page", "{n} pages"), {})

    assert [say("en", 1), say("en", 0), say("en", 1234)] == ["1 page", "0 pages", "1,234 pages"]
    assert [say("de", 1), say("de", 0), say("de", 1234)] == ["1 Seite", "0 Seiten", "1.234 Seiten"]
    assert [say("zh", 1), say("zh", 1234)] == ["1 个页面", "1,234 个页面"]


@pytest.mark.parametrize(
    ("said", "german"),
    [
        ("The question is empty.", "Die Frage ist leer."),
        ("“The question is empty. · No.”", "„The question is empty. · No.“"),
        ("“Lit in 1874.” (Holm, a list).", "„Lit in 1874.“ (Holm, a list)."),
        (
            "The budget of pages is spent. Pages read: 12 of 1,234.",
            "Das Budget ist verbraucht: Seiten. Gelesene Seiten: 12 von 1.234.",
        ),
        ("1 passage · kept 2 quotes · own words", "1 Abschnitt · 2 Zitate behalten · own words"),
        (
            "2 lessons recalled · 3 attempts of earlier sessions",
            "2 Lehren erinnert · 3 Versuche aus früheren Sitzungen",
        ),
        (
            "11 pages known, 1 sub-question · 10 ranked pages",
            "11 Seiten bekannt, 1 Teilfrage · 10 Seiten in der Rangliste",
        ),
        ("not in the catalogue. Nor this.", "not in the catalogue. Nor this."),
    ],
)
def test_what_the_server_says_is_translated_piece_by_piece(said: str, german: str) -> None:
    assert translate_told("de", said) == german
    assert translate_told("en", said) == said


def test_a_value_is_not_read_as_a_text() -> None:
    assert translate("de", "Deleted “{name}”", {"name": "{name} {n}"}) == "„{name} {n}“ gelöscht"


def test_numbers_and_times_are_written_as_in_the_language() -> None:
    assert [format_number(each, 1234567.25, 2) for each in ("en", "de", "zh")] == [
        "1,234,567.25",
        "1.234.567,25",
        "1,234,567.25",
    ]
    amounts = [format_dollars(each, 1234.5, 2) for each in ("en", "de", "zh")]
    assert amounts == ["$1,234.50", "1.234,50 $", "$1,234.50"]
    noon = time.mktime((2026, 11, 27, 13, 5, 0, 0, 0, -1))
    assert [format_moment(each, noon) for each in ("en", "de", "zh")] == [
        "2026-11-27 13:05",
        "27.11.2026, 13:05",
        "2026年11月27日 13:05",
    ]


def test_a_text_that_is_too_long_for_a_sentence_is_not_taken_for_one() -> None:
    assert translate_told("de", "Open " + "a" * 100) == "a" * 100 + " öffnen"
    assert translate_told("de", "Open " + "a " * 2_000) == "Open " + "a " * 2_000


def test_elements_that_an_action_names_are_told_by_their_roles() -> None:
    told = "Click the button “Delete” in the row “Dome 1887”"
    assert translate_told("de", told) == "Schaltfläche „Delete“ (Zeile „Dome 1887“) anklicken"
    assert translate_told("de", "Open “Sula”") == "„Sula“ öffnen"
    assert translate_told("en", told) == told


@pytest.mark.parametrize(
    ("told", "german"),
    [
        ("Kelp: a trade: answered here.", "Kelp: a trade: hier beantwortet."),
        ("A: 1 passage; open: Who?", "A: 1 Abschnitt; offen: Who?"),
        ("A: It is: so.", "A: It is: so."),
        ("Open “Sula: a ship”", "„Sula: a ship“ öffnen"),
        ("nothing: nothing about the question.", "nothing: nichts zur Frage."),
    ],
)
def test_what_was_learned_is_told_after_the_title_of_its_page(told: str, german: str) -> None:
    assert translate_lesson("de", told) == german
    assert translate_lesson("en", told) == told


@pytest.mark.parametrize("language", ["de", "zh"])
@pytest.mark.parametrize("kind", ACTION_PHRASES)
def test_each_action_is_told_in_every_language(language: str, kind: Kind) -> None:
    button = Element(role="button", name="Delete")
    action = Action(kind=kind, target="e1", value="x", element=button)
    told = describe_action(action)
    assert translate_told(language, told) != told

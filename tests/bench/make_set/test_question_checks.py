"""Each fault of a question is found, and told with its place and a way to mend it."""

import pytest

from bench.make_set.halves import split_halves
from bench.make_set.question_checks import SetChecker
from bench.make_set.set_questions import Question, QuotedPage
from tests.bench.make_set.harbour import CHARGES, LAMP, NAME, ROW, ask, read_harbour


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> SetChecker:
    site = read_harbour(tmp_path_factory.mktemp("harbour"))
    return SetChecker({NAME: site, "other-doc": site})


def quoted(path: str, quote: str, site: str = NAME) -> QuotedPage:
    return QuotedPage(site=site, path=path, quote=quote)


FEES = quoted("/berths/fees.html", CHARGES)
FLEET = quoted("/berths/fleet.html", ROW)
BEACON = quoted("/light/beacon.html", LAMP)
YES_NO = {"type": "yesno", "answer": ["no"], "pages": [FEES]}
ABSTAIN = {"type": "abstain", "answer": [], "pages": [], "rare": ["Zanzibar"]}


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"answer": ["colza|rape oil"]},
        {"type": "table", "answer": ["red"], "pages": [FLEET], "question": "Which paint?"},
        {"type": "number", "answer": ["23"], "pages": [FLEET], "question": "How big is it?"},
        {**YES_NO, "answer": ["no|nein"], "lang": "de", "question": "Kostet es ewig etwas?"},
        {**YES_NO, "question": "Must I hand over more money after a fortnight?"},
        {"type": "multi", "answer": ["rape oil", "red"], "pages": [BEACON, FLEET]},
        {
            "type": "cross",
            "sites": [NAME, "other-doc"],
            "answer": ["rape oil", "red"],
            "pages": [BEACON, quoted("/berths/fleet.html", ROW, "other-doc")],
        },
        {**ABSTAIN, "question": "Do boats that come from Zanzibar count in all weathers?"},
        {"answer": ["480 litres a year"], "derived": True},
    ],
)
def test_a_good_question_passes(checker: SetChecker, fields: dict[str, object]) -> None:
    assert checker.check_all([ask(1, **fields)]) == []


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"type": "singel"}, "type 'singel' is unknown. Did you mean 'single'"),
        ({"type": ""}, "Use one of: single, multi"),
        ({"lang": "english"}, "'english' is no code"),
        ({"sites": ["harbor-doc"]}, "No package is called 'harbor-doc'"),
        ({"pages": [quoted("/light/beacn.html", LAMP)]}, "has no page '/light/beacn.html'"),
        ({"pages": [quoted("/lost.html", "here")]}, "has no page '/lost.html'"),
        ({"pages": [quoted("/light/beacon.html", LAMP.upper())]}, "The quote is not on"),
        ({"answer": ["whale oil"]}, "No quote has the answer 'whale oil'"),
        ({"answer": []}, "There is no answer"),
        ({"answer": ["rape oil|"]}, "There is no answer, or an empty one"),
        ({"answer": ["a"]}, "'a' is in most texts"),
        ({"question": "Is it rape oil that burns?"}, "has the answer 'rape oil' in it"),
        ({"type": "number"}, "has no digits"),
        ({"type": "number", "answer": ["2"], "pages": [FLEET]}, "No quote has the answer '2'"),
        ({"type": "table"}, "in no table"),
        ({"type": "yesno"}, 'Write ["yes"] or ["no"]'),
        ({"type": "multi"}, "It quotes 1 pages. multi needs 2"),
        ({"type": "cross", "pages": [BEACON, FLEET]}, "It quotes 1 packages"),
        ({"pages": [BEACON, FLEET]}, "Use the type multi or cross"),
        ({"sites": [NAME, "other-doc"]}, "Name these in `sites`"),
        ({**ABSTAIN, "pages": [BEACON]}, "It has an answer or a quote"),
        ({**ABSTAIN, "rare": []}, "No rare words are named"),
        ({**ABSTAIN, "question": "Do boats come?"}, "does not have 'Zanzibar'"),
        (
            {**ABSTAIN, "rare": ["keeper", "litres"], "question": "Has the keeper litres of gin?"},
            "/light/beacon.html has the rare words",
        ),
        ({**ABSTAIN, "question": "Is Zanzibar far?"}, "shares 0 words with the site"),
        (
            {"question": "What does the beacon on the mole burn, fetched by the keeper?"},
            "BM25 alone finds the answer, on /light/beacon.html",
        ),
        (
            {**YES_NO, "question": "Is there more to pay for who stays longer than a week?"},
            "BM25 alone finds the answer, on /berths/fees.html",
        ),
    ],
)
def test_a_fault_is_told(checker: SetChecker, fields: dict[str, object], said: str) -> None:
    faults = [str(fault) for fault in checker.check_all([ask(1, **fields)])]
    assert any(said in fault for fault in faults), faults
    assert all(fault.startswith(f"form.toml:7: {NAME}-01: ") for fault in faults)


def test_nothing_is_asked_twice(checker: SetChecker) -> None:
    again = ask(2, question=ask(1).question)
    assert [fault.what for fault in checker.check_all([ask(1), again])] == [
        f"form.toml:7: {NAME}-01 is the same."
    ]


def make_questions() -> list[Question]:
    """Forty questions on eight packages, two of which a question joins."""
    kinds = ("single", "number", "yesno", "abstain", "howto")
    made = [
        ask(place, id=f"p{number}-{place}", type=kind, sites=[f"p{number}"])
        for number in range(8)
        for place, kind in enumerate(kinds)
    ]
    return [*made[:-1], ask(9, id="p7-9", type="cross", sites=["p0", "p7"])]


def test_the_halves_share_no_package_and_are_alike() -> None:
    asked = make_questions()
    first, second = split_halves(asked, seed=4)
    assert (len(first), len(second)) == (20, 20)
    assert {site for one in first for site in one.sites}.isdisjoint(
        site for one in second for site in one.sites
    )
    assert sum(one.type == "single" for one in first) == 4
    assert split_halves(asked, seed=4) == (first, second)
    assert split_halves(asked, seed=5) != (first, second)

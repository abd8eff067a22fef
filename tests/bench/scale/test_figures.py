"""What the benches of scale make of what they saw."""

from collections import Counter

from bench.scale.api_users import UserOutcome, quantile, user_lines
from bench.scale.counted_sites import MOST_QUESTIONS, CountedSite
from bench.scale.killed_batch import BatchOutcome, batch_rows, judge_rows, outcome_lines
from bench.scale.session_memory import SessionMemory, memory_lines
from bench.scale.worker_rates import Rate, rate_rows

ROWS = [{"id": "a", "question": "A?"}, {"id": "b", "question": "B?"}]
GOOD = [{"id": row["id"], "question": row["question"], "status": "answered"} for row in ROWS]


def judged(lines: list[dict[str, str]], fetched: Counter[str] | None = None) -> BatchOutcome:
    return judge_rows(
        ROWS, lines, fetched=fetched or Counter(), kills=3, seconds=60.0, calls=10, repeated=0
    )


def test_rows_that_are_answered_once_pass() -> None:
    found = judged(GOOD, Counter({"/": 2, "/a.html": 1}))
    assert found.has_passed
    assert dict(outcome_lines(found))["rows a minute, kills included"] == "2"
    assert dict(outcome_lines(found))["pages asked for once, twice, more often"] == "1, 1, 0"


def test_a_row_that_is_lost_twice_or_of_another_question_is_named() -> None:
    lost, twice = judged(GOOD[:1]), judged([*GOOD, GOOD[0]])
    wrong = judged([GOOD[0], {**GOOD[1], "question": "C?"}])
    assert (lost.lost, twice.twice, wrong.wrong) == (("b",), ("a",), ("b",))
    assert not any(each.has_passed for each in (lost, twice, wrong))


def test_a_failed_row_and_a_page_asked_for_too_often_do_not_pass() -> None:
    assert not judged([GOOD[0], {**GOOD[1], "status": "failed"}]).has_passed
    often = judged(GOOD, Counter({"/": 3}))
    assert (often.too_often, often.has_passed) == (["/"], False)


def test_rows_are_spread_over_sites_and_differ() -> None:
    sites = [CountedSite(number, f"http://{number}.test") for number in range(3)]
    rows = list(batch_rows(3 * MOST_QUESTIONS, sites))
    assert len({(row["question"], row["site"]) for row in rows}) == len(rows)
    assert Counter(row["site"] for row in rows) == {site.url: MOST_QUESTIONS for site in sites}


def test_a_site_counts_each_request_of_a_page() -> None:
    site = CountedSite(0)
    assert site.count("/skarby.html") == site.count("/skarby.html")
    assert site.count("/none.html") is None
    assert site.fetched == {"/skarby.html": 2, "/none.html": 1}


def test_a_quantile_is_one_of_the_values() -> None:
    assert quantile([], 0.95) == 0.0
    assert quantile([3.0], 0.5) == 3.0
    assert quantile([float(each) for each in range(100)], 0.95) == 95.0


def test_users_pass_without_errors_and_with_quick_reads() -> None:
    quick = {"list": [0.01] * 99 + [9.0], "ask": [2.0]}
    assert UserOutcome(seconds=quick).has_passed
    assert not UserOutcome(seconds=quick, errors=Counter({"list: 500": 1})).has_passed
    assert not UserOutcome(seconds={"list": [0.01] * 9 + [0.4]}).has_passed
    [_, _, last] = user_lines(UserOutcome(seconds=quick))
    assert last == ("all reads", "100", "10", "10", "9000", "9000")


def test_memory_is_that_above_a_warm_process() -> None:
    found = SessionMemory(10, before=300.0, most=500.0, after=310.0, answered=10, load=1.0)
    assert (found.each, found.has_passed) == (20.0, True)
    assert dict(memory_lines(found))["MB for each session"] == "20.00 (at most 40)"
    assert not found.__class__(10, 300.0, 700.0, 310.0, 10, 1.0).has_passed
    assert not found.__class__(10, 300.0, 500.0, 310.0, 9, 1.0).has_passed


def test_rates_are_compared_with_the_first() -> None:
    rates = [Rate(1, 10, 60.0, 0, 0.5, 1.0), Rate(2, 19, 60.0, 1, 0.5, 2.0)]
    assert [row[:3] for row in rate_rows(rates)] == [("1", "10.0", "1.00"), ("2", "19.0", "1.90")]

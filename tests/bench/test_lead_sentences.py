"""The script that fits which sentence answers."""

import logging

import pytest

from bench.ranker.lead_sentences import Choice, fit, fit_likelihood, report, report_likelihood

CHOICES = [
    Choice(
        f"s{number % 4}",
        f"q{number}",
        number % 5 > 0,
        [
            {"rating": 2.0, "kind": 0.0, "length": number % 3},
            {"rating": 1.0, "kind": 1.0, "length": number % 3},
            {"rating": 0.0, "kind": 0.0, "length": number % 3},
        ],
        [False, number % 10 > 0, number % 10 == 0],
        {"bias": 1.0, "rating": number % 7 - 3.0, "terms": 0.5},
        lead_right=number % 5 > 0 and number % 7 > 2,
    )
    for number in range(40)
]


def test_what_the_right_sentences_have_in_common_is_learned(
    caplog: pytest.LogCaptureFixture,
) -> None:
    weights = fit(CHOICES).signs
    assert weights["kind"] > 1
    assert weights["length"] == 0, "it is the same for all sentences of a question"
    with caplog.at_level(logging.INFO):
        report(CHOICES)
    said = {line.split("  ")[0].strip(): line for line in caplog.messages}
    assert "0.900" in said["as fitted"]
    assert "0.000" in said["rating"]


def test_how_likely_a_lead_is_right_is_learned(caplog: pytest.LogCaptureFixture) -> None:
    weights = fit_likelihood(CHOICES)
    low, high = ({"bias": 1.0, "rating": rating, "terms": 0.5} for rating in (-3.0, 3.0))
    assert weights.log_odds(low) < 0 < weights.log_odds(high)
    with caplog.at_level(logging.INFO):
        report_likelihood(CHOICES)
    assert "40 questions, 8 without an answer" in caplog.text

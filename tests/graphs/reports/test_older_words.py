"""What older sessions say of an answer, in the words of today."""

from forager.domain.answers import NearestQuote
from graphs.reports.turns import nearest_today, reason_today


def test_what_an_older_session_says_is_told_in_the_words_of_today() -> None:
    quote = NearestQuote(
        id="e1", url="http://a.test/", title="A", quote="Ada.", why="It gives no date."
    )
    told = [
        nearest_today(quote.model_copy(update={"why": why})).why
        for why in ("It gives no date.", "It does not say what is asked.", "No quote gives it.")
    ]
    assert told == [
        "The nearest passage mentions no date.",
        "The nearest passage does not say what is asked.",
        "No quote gives it.",
    ]
    reason = reason_today("Every arm is retired. Pages read: 1 of 10.")
    assert reason == "No other page looked likely. Pages read: 1 of 10."

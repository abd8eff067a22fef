"""What did an attempt come to, without a model?"""

import pytest

from forager.offline.reflector import judge_attempt


@pytest.mark.parametrize(
    ("found", "open", "failures", "judged"),
    [
        (["Brandt."], [], [], ("adequate", "Home: answered here.")),
        (["Brandt."], ["When?"], [], ("partial", "Home: 1 passage; open: When?")),
        (["Brandt."], ["The year."], [], ("partial", "Home: 1 passage; open: The year.")),
        (["a", "b"], ["Who?", "When?"], [], ("partial", "Home: 2 passages; open: Who?; When?")),
        ([], ["When?"], ["It answered 404."], ("infeasible", "Home: It answered 404.")),
        ([], [], [], ("infeasible", "Home: nothing about the question.")),
    ],
)
def test_quotes_failures_and_what_is_open_decide(
    found: list[str], open: list[str], failures: list[str], judged: tuple[str, str]
) -> None:
    assert judge_attempt(["Home", "Dome"], failures, found, open) == judged

"""A text refers to its sums; their formulas come in their places, and are checked claims."""

from forager.answers.arithmetic import UNWORKED, Formulas, Operand, Operation, Sum
from forager.answers.citation_check import CheckedText, check_citations
from tests.nodes.states import entry, passage

LEDGER = (
    entry(1, passage("The dome of Skarn has 45 steps.")),
    entry(2, passage("The dome of Holm has 24 steps.", 100)),
)
QUESTION = "How many more steps has the dome of Skarn than that of Holm?"
QUOTES = {item.id: item.passage.text for item in LEDGER}


def asked(*values: str, operation: Operation = "difference") -> Sum:
    """A sum of `id value` words."""
    pairs = [value.split(" ", 1) for value in values]
    return Sum(
        operation=operation, operands=[Operand(quote=id, value=value) for id, value in pairs]
    )


MORE = asked("e1 45", "e2 24")
WRONG = asked("e1 45", "e2 25")
FORMULA = "45 [e1] − 24 [e2] = 21"


def checked(text: str, *sums: Sum) -> CheckedText:
    formulas = Formulas(sums, QUOTES)
    return check_citations(formulas.append_unused(text), LEDGER, QUESTION, formulas)


def test_a_formula_comes_where_the_text_wants_it() -> None:
    for text in ("The dome of Skarn has more: {sum 1}.", "{sum 1}", "- {Sum 1} steps [e1][e2]"):
        found = checked(text, MORE)
        assert FORMULA in found.text
        assert found.cited == ("e1", "e2")
        assert found.doubts == ()
    assert checked("More: {sum 1}. And {sum 2}.", MORE, asked("e2 24", "e1 45")).text == (
        f"More: {FORMULA}. And 24 [e2] − 45 [e1] = −21."
    )


def test_a_sum_takes_the_result_of_an_earlier_one() -> None:
    share = asked("e1 {sum 1}", "e1 45", operation="percent")
    found = checked("Skarn has {sum 2} more.", MORE, share)
    assert found.text == "Skarn has 21 (45 [e1] − 24 [e2]) ÷ 45 [e1] ≈ 46.6667 % more."
    assert found.cited == ("e1", "e2")
    assert found.doubts == ()
    assert Formulas([MORE, share], QUOTES).find_faults("Skarn has {sum 2} more.") == []


def test_a_sum_takes_no_result_that_comes_later() -> None:
    for value in ("{sum 1}", "{sum 2}", "{sum 9}"):
        [why] = Formulas([asked(f"e1 {value}", "e1 45")], QUOTES).failure_reasons("{sum 1}")
        assert value in why
    assert Formulas([WRONG, asked("e1 {sum 1}", "e1 45")], QUOTES).failure_reasons("{sum 2}")


def test_the_result_of_a_formula_is_known() -> None:
    text = "Skarn has 21 more steps [e1][e2]: {sum 1}."
    assert checked(text, MORE).doubts == ()
    [doubt] = checked(text.replace("21", "22"), MORE).doubts
    assert "22" in doubt.why


def test_what_no_quote_has_and_nothing_gives_is_a_doubt() -> None:
    assert "23" in checked("Skarn has 23 more steps [e1][e2].").doubts[0].why
    assert "22" in checked("It has 22 more: {sum 1}", MORE).doubts[0].why


def test_a_formula_that_the_text_forgets_has_a_line_of_its_own() -> None:
    assert checked("Skarn has 21 more steps [e1].", MORE).text == (
        f"Skarn has 21 more steps [e1].\n{FORMULA}"
    )
    assert checked("", MORE).text == ""


def test_what_cannot_be_worked_out_is_told() -> None:
    found = checked("Skarn has {sum 1} more steps.", WRONG)
    assert found.text == f"Skarn has {UNWORKED} more steps. [e1][e2]"
    [doubt] = found.doubts
    assert doubt.sentence == f"Skarn has {UNWORKED} more steps."
    assert "The quote does not say '25'" in doubt.why


def test_a_sum_that_is_not_there_is_told() -> None:
    found = checked("The dome of Skarn has {sum 2} more steps [e1].", MORE)
    assert found.text.startswith(f"The dome of Skarn has {UNWORKED} more steps [e1].")
    assert found.doubts[0].why == "There is no sum 2."
    nothing = checked("It is {sum 1}.", asked("e8 45", "e9 24"))
    assert nothing.text == ""
    assert nothing.doubts[0].why.startswith("There is no quote 'e8'.")


def test_faults_say_what_to_mend() -> None:
    formulas = Formulas([MORE, WRONG], QUOTES)
    assert formulas.find_faults("{sum 1} {sum 3}") == [
        "There is no sum 3.",
        "Sum 2 cannot be worked out: The quote does not say '25'. Copy a value that stands in it.",
    ]
    assert Formulas([MORE], QUOTES).find_faults("21") == [
        "Write {sum 1} in the text where sum 1 belongs."
    ]
    assert Formulas([MORE], QUOTES).find_faults("{sum 1}") == []
    assert Formulas().find_faults("21 {1} {0}") == []


def test_braces_of_pages_are_no_sums() -> None:
    assert checked("Its steps: {1} of {0} [e1].", MORE).text.startswith(
        "Its steps: {1} of {0} [e1]."
    )

"""The answer comes first: its leads, then what contradicts them, its further quotes last."""

import pytest

from forager.domain.answers import Lead, Quote
from graphs.reports.answer_layout import SO_FAR, lay_out_answer

SAID = "A token is valid for 24 hours."
QUOTES = (
    Quote(id="e3", url="http://h/a", title="A", quote=f"### Tokens\n\n{SAID} More."),
    Quote(id="e7", url="http://h/b", title="B", quote="name | 7 days\nother | 1 day"),
)
HOURS = Lead(
    part="How long?",
    kind="value",
    text="24 hours",
    quote="e3",
    start=33,
    end=41,
    sentence_start=12,
    sentence_end=12 + len(SAID),
    confidence=0.9,
)
TEXT = (
    f"Worked out: 24 − 1 = 23 [e3].\n24 hours: “{SAID}” [e3]\nMore quotes:\n"
    "A, Tokens: “More.” [e3]\n"
    "B: “name | 7 days” [e7]\n“other | 1 day” [e7]\nSources disagree: 24 [e3]; 7 [e7]."
)


def test_leads_stand_before_further_quotes_and_conflicts_are_not_folded() -> None:
    laid = lay_out_answer(TEXT, QUOTES, [HOURS], {})
    assert laid.before == ("Worked out: 24 − 1 = 23 [e3].",)
    assert laid.after == ("Sources disagree: 24 [e3]; 7 [e7].",)
    assert laid.more == (1, 2), "what stands beside a lead is read with it"
    assert laid.further == (2,), "a quote that is shown is no further one"
    [lead] = laid.leads
    assert (lead.part, lead.words, lead.number) == ("How long?", "24 hours", 1)
    assert [block.text for block in lead.blocks] == [SAID]
    assert [piece.text for piece in lead.blocks[0].cells[0] if piece.marked] == ["24 hours"]


def test_a_lead_that_was_not_judged_is_its_sentence_alone() -> None:
    [lead] = lay_out_answer(TEXT, QUOTES, [HOURS], {}, ["How long?"]).leads
    assert (lead.words, lead.note) == ("", SO_FAR)
    assert [block.text for block in lead.blocks] == [SAID]
    assert not any(piece.marked for piece in lead.blocks[0].cells[0])


def test_a_yes_has_the_condition_that_its_sentence_names() -> None:
    text = "Children may use it if an adult has shown them how."
    quote = Quote(id="e8", url="http://h/c", title="C", quote=text)
    whole = {"start": 9, "end": 12, "sentence_start": 0, "sentence_end": len(text)}
    yes = HOURS.model_copy(update={"kind": "yes_no", "text": "Yes", "quote": "e8", **whole})
    [lead] = lay_out_answer(f"Yes: “{text}” [e8]", [quote], [yes], {}).leads
    assert lead.yes_no
    assert lead.words == "Yes, if an adult has shown them how"


@pytest.mark.parametrize(
    ("part", "undecided"), [("Was he born in Hull?", True), ("Where was he born?", False)]
)
def test_a_sentence_may_answer_neither_yes_nor_no(part: str, undecided: bool) -> None:
    text = "He was born in Whitby."
    whole = {"start": 0, "end": len(text), "sentence_start": 0, "sentence_end": len(text)}
    said = HOURS.model_copy(
        update={"part": part, "kind": "sentence", "text": text, "quote": "e8", **whole}
    )
    quote = Quote(id="e8", url="http://h/c", title="C", quote=text)
    [lead] = lay_out_answer(f"“{text}” [e8]", [quote], [said], {}).leads
    assert lead.undecided == undecided


def test_a_row_has_the_header_of_its_table() -> None:
    row = HOURS.model_copy(
        update={"quote": "e7", "start": 7, "end": 13, "sentence_start": 0, "sentence_end": 13}
    ).model_copy(update={"text": "7 days"})
    text = "7 days: “name | 7 days” [e7]"
    [lead] = lay_out_answer(text, QUOTES, [row], {"e7": "Limits › Name | Age"}).leads
    assert lead.columns == ("Name", "Age")
    assert [[piece.text for piece in cell] for cell in lead.blocks[0].cells] == [
        ["name"],
        ["7 days"],
    ]


def test_a_row_has_the_header_that_its_quote_begins_with() -> None:
    table = "Part | Number\nAir filter | 12-0310\nTank | 12-0220\nHose | 12-0450"
    start = table.index("Air filter")
    said = {"start": start, "end": start + 20, "sentence_start": start, "sentence_end": start + 20}
    row = HOURS.model_copy(update={"quote": "e8", "text": "Air filter | 12-0310", **said})
    quote = Quote(id="e8", url="http://h/c", title="C", quote=table)
    [lead] = lay_out_answer("“Air filter | 12-0310” [e8]", [quote], [row], {}).leads
    assert lead.columns == ("Part", "Number")


def test_a_text_without_the_lines_of_its_leads_is_shown_as_it_is() -> None:
    laid = lay_out_answer("It is a day [e3].\nOr so [e7].", QUOTES, [HOURS], {})
    assert laid == (("It is a day [e3].", "Or so [e7]."), (), (), (), ())


def test_each_sub_question_has_its_own_text_where_one_sentence_answers_two() -> None:
    whole = {"kind": "sentence", "text": SAID, "start": 12, "end": 12 + len(SAID)}
    what = HOURS.model_copy(update={"part": "What is a token?", **whole})
    text = f"24 hours: “{SAID}” [e3]"
    laid = lay_out_answer(text, QUOTES, [HOURS, what], {})
    assert [(lead.part, lead.words) for lead in laid.leads] == [
        ("How long?", "24 hours"),
        ("What is a token?", ""),
    ]
    assert [[block.text for block in lead.blocks] for lead in laid.leads] == [[SAID], [SAID]]
    marked = [
        [piece.text for piece in lead.blocks[0].cells[0] if piece.marked] for lead in laid.leads
    ]
    assert marked == [["24 hours"], []], "what is all that is said is not marked"


def test_words_too_long_for_a_heading_only_stand_marked_in_their_sentence() -> None:
    words = (
        "as long as nobody who was there before it was lit has asked for another one in writing "
        * 2
    )
    said = f"A token is valid {words}and no longer."
    quote = Quote(id="e8", url="http://h/c", title="C", quote=said)
    end = 17 + len(words.strip())
    at = {"start": 17, "end": end, "sentence_start": 0, "sentence_end": len(said)}
    long = HOURS.model_copy(update={"quote": "e8", "text": words.strip(), **at})
    [lead] = lay_out_answer(f"{words.strip()}: “{said}” [e8]", [quote], [long], {}).leads
    assert not lead.words
    assert [piece.text for piece in lead.blocks[0].cells[0] if piece.marked] == [words.strip()]


def cite(id: str, quote: str) -> Quote:
    return Quote(id=id, url="http://h/d", title="Support", quote=quote)


def test_an_answer_of_quotes_alone_is_laid_out_as_passages() -> None:
    quotes = [cite("e1", "More Info"), cite("e2", "## Costs\n\nIt costs $8.\n\n- More Info")]
    text = "Support: “More Info” [e1]\nSupport, Costs: “It costs $8.” [e2]\n“More Info” [e2]"
    laid = lay_out_answer(text, quotes, [], {})
    assert laid[:4] == ((), (), (), ())
    said = [(number, [block.text for block in blocks]) for number, blocks in laid.passages]
    assert said == [(2, ["Costs", "It costs $8."]), (1, ["More Info"])], "a fragment stands last"


def test_passages_say_nothing_twice() -> None:
    quotes = [
        cite("e1", "Membership. Premium support.\n\nCost: $120K/year\n\n- More Info"),
        cite("e2", "4. | Membership. Premium support. | $120K/year"),
        cite("e3", "Licenses\n\nCost: call\n\n- More Info"),
    ]
    text = "\n".join(f"“{quote.quote.splitlines()[0]}” [{quote.id}]" for quote in quotes)
    laid = lay_out_answer(text, quotes, [], {})
    said = [(number, [block.text for block in blocks]) for number, blocks in laid.passages]
    assert said == [
        (1, ["Membership. Premium support.", "Cost: $120K/year", "More Info"]),
        (3, ["Licenses", "Cost: call"]),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "It costs $8 a year, “It costs $8.” [e2]",
        "Support: “It costs $9.” [e2]",
        "It is cheap.\n“It costs $8.” [e2]",
        "Support: “It costs $8.” [e9]",
        "",
    ],
)
def test_what_says_more_than_its_quotes_is_no_list_of_passages(text: str) -> None:
    assert lay_out_answer(text, [cite("e2", "It costs $8.")], [], {}).passages == ()

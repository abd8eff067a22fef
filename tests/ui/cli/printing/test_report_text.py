import io
import re

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from forager.domain.answers import Citation, Lead, Quote
from graphs.reports.report import Report, ReportedSpend
from graphs.reports.turns import EarlierTurn
from ui.cli.printing.report_text import describe_spending, number_citations, print_report
from ui.cli.printing.terminal_text import strip_controls

QUOTES = (
    Quote(id="E4", url="http://h/a", title="A page", quote="It has\nten rounds."),
    Quote(id="E2", url="http://h/b", title="", quote="It is 24 hours."),
)


def made(answer: str, **more: object) -> Report:
    base = {
        "session": "s",
        "graph": "forager",
        "graph_hash": "0",
        "model": "offline",
        "status": "answered",
        "answer": answer,
        "citations": QUOTES,
    }
    return Report.model_validate(base | more)


LONG = made("word " * 9 + "[E4]", citations=QUOTES[:1])


def printed(report: Report, *, terminal: bool = False, whole: bool = True) -> str:
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=40, highlight=False)
    print_report(report, console, whole=whole)
    return out.getvalue()


def test_citations_are_numbered_in_their_order() -> None:
    assert number_citations("Ten [E4]. A day [E2].", QUOTES) == "Ten [1]. A day [2]."
    assert number_citations("Both [E4, E2].", QUOTES) == "Both [1][2]."
    assert number_citations("An array x[i] and [E9].", QUOTES) == "An array x[i] and [E9]."


def test_each_quote_stands_with_its_title_and_address() -> None:
    text = printed(made("Ten [E4]. A day [E2].", open=("the third thing",)))
    assert text.splitlines() == [
        "Ten [1]. A day [2].",
        "",
        "[1] A page",
        "    http://h/a",
        "    “It has ten rounds.”",
        "",
        "[2] http://h/b",
        "    “It is 24 hours.”",
        "",
        "Still open:",
        "  - the third thing",
        "",
        "answered, uncertain · 0 rounds, 0 actions, 0 pages fetched, 0 cached, 0.0 s · session s",
    ]


TEN = Lead(
    part="How many rounds?",
    kind="value",
    text="ten rounds",
    quote="E4",
    start=7,
    end=17,
    sentence_start=0,
    sentence_end=18,
    confidence=0.93,
)
ITEM = "- It is 24 hours.\n- It rests."
LISTED = QUOTES[1].model_copy(update={"quote": ITEM})
LED = made(
    "ten rounds: “It has” [e4]\n“ten rounds.” [e4]\nMore quotes:\nB: “It is 24 hours.” [e2]",
    citations=(QUOTES[0].model_copy(update={"id": "e4"}), LISTED.model_copy(update={"id": "e2"})),
    leads=(TEN.model_copy(update={"quote": "e4"}),),
)


def test_the_words_that_answer_come_first_and_further_quotes_last() -> None:
    assert printed(LED).splitlines() == [
        "ten rounds: “It has ten rounds.” [1]",
        "",
        "[1] A page",
        "    http://h/a",
        "",
        "More quotes:",
        "",
        "[2] http://h/b",
        "    “It is 24 hours. It rests.”",
        "",
        "answered · certainty: 93 % · 0 rounds, 0 actions, 0 pages fetched, 0 cached, "
        "0.0 s · session s",
    ]


def test_what_stands_around_a_lead_is_printed_without_its_sentence() -> None:
    said = "It is old. It has ten rounds. Each has six steps."
    lead = TEN.model_copy(
        update={"quote": "e4", "start": 18, "end": 28, "sentence_start": 11, "sentence_end": 29}
    )
    around = made(
        "ten rounds: “It has ten rounds.” [e4]\nMore quotes:\n"
        "A: “It is old.” [e4]\n“Each has six steps.” [e4]",
        citations=(QUOTES[0].model_copy(update={"id": "e4", "quote": said}),),
        leads=(lead,),
    )
    lines = printed(around).splitlines()
    assert lines[0] == "ten rounds: “It has ten rounds.” [1]"
    assert lines[lines.index("More quotes:") + 4].strip() == "“It is old. … Each has six steps.”"


def test_the_words_that_answer_are_bold_on_a_terminal() -> None:
    bold = re.findall("\x1b\\[1m([^\x1b]*)", printed(LED, terminal=True))
    assert bold == ["ten rounds", "ten rounds"]


def test_quotes_of_a_run_that_found_no_answer_are_told_as_that() -> None:
    lines = printed(made("Ten [E4].", status="abstained")).splitlines()
    assert lines[:3] == [
        "No answer was recognized on the pages that were read. The nearest passages:",
        "",
        "Ten [1].",
    ]


def test_a_quote_that_the_answer_gives_is_not_given_again() -> None:
    text = printed(made("A page, Limits: “It has ten rounds.” [E4]", citations=QUOTES[:1]))
    assert text.splitlines()[:4] == [
        "A page, Limits: “It has ten rounds.” [1]",
        "",
        "[1] A page",
        "    http://h/a",
    ]


def test_a_page_that_is_cited_twice_stands_once() -> None:
    second = QUOTES[0].model_copy(update={"id": "E7", "quote": "And more."})
    text = printed(made("Ten [E4]. A day [E2]. More [E7].", citations=(*QUOTES, second)))
    assert text.splitlines()[2:6] == [
        "[1][3] A page",
        "    http://h/a",
        "    [1] “It has ten rounds.”",
        "    [3] “And more.”",
    ]


def test_every_turn_is_laid_out_as_the_last_one() -> None:
    first = Citation(
        id="E1", url="http://h/a", title="A page", quote="It has nine.", blob="b", start=0, end=9
    )
    again = first.model_copy(update={"id": "E3", "quote": "Or so."})
    turn = EarlierTurn(
        number=1,
        question="How many?",
        status="answered",
        answer="Nine [E1].\n\nOr [E3].",
        citations=(first, again),
    )
    report = made("Ten [E4].", citations=QUOTES[:1], turns=(turn,), question="And?", meant="And b?")
    last = [
        "2. And?",
        "    understood as: And b?",
        "Ten [1].",
        "",
        "[1] A page",
        "    http://h/a",
        "    “It has ten rounds.”",
    ]
    assert printed(report).splitlines()[:-2] == [
        "1. How many?",
        "Nine [1].",
        "",
        "Or [2].",
        "",
        "[1][2] A page",
        "    http://h/a",
        "    [1] “It has nine.”",
        "    [2] “Or so.”",
        "",
        *last,
    ]
    assert printed(report, whole=False).splitlines()[:-2] == [
        "1 earlier question: forager show s prints all.",
        *last,
    ]


def test_a_paragraph_is_one_line_where_it_is_no_terminal() -> None:
    assert "word " * 50 + "[1]" in printed(made("word " * 50 + "[E4]"))


def test_a_terminal_gets_its_lines_wrapped_and_indented() -> None:
    plain = [
        re.sub("\x1b[^m]*m", "", line).rstrip()
        for line in printed(LONG, terminal=True).splitlines()
    ]
    assert plain[:2] == ["word " * 7 + "word", "word [1]"]
    assert plain[2:6] == ["", "[1] A page", "    http://h/a", "    “It has ten rounds.”"]


def test_nothing_of_a_page_reaches_the_terminal_as_a_command() -> None:
    text = printed(made("a\x1b[31mb\x1b]0;t\x07c\x9bd\u202ee [bold]f[/bold]"), terminal=False)
    assert "\x1b" not in text
    assert text.startswith("a[31mb]0;tcde [bold]f[/bold]\n")
    assert "\x1b]0;" not in printed(made("\x1b]0;t\x07"), terminal=True)


@given(st.text())
def test_clean_text_has_no_control_characters(text: str) -> None:
    assert all(
        char in "\n\t" or char.isprintable() or ord(char) > 0x9F for char in strip_controls(text)
    )


def test_a_session_that_is_not_finished_says_so() -> None:
    assert "forager resume s" in printed(made("", status="interrupted", citations=()))
    assert "forager resume s" in printed(made("", status="failed", citations=()))


def test_money_and_model_calls_are_told_where_there_are_any() -> None:
    used = ReportedSpend(rounds=1, pages_fetched=1, model_calls=3, tokens_in=1000, usd=0.25)
    assert describe_spending(used) == (
        "1 round, 0 actions, 1 page fetched, 0 cached, 3 model calls, 1,000 tokens, $0.2500, 0.0 s"
    )
    assert "model" not in describe_spending(ReportedSpend(model_calls=9))


def test_what_searches_said_is_shown_where_something_is_lacking() -> None:
    notes = {"notes": ("brave is out of quota.",)}
    shown = "What went wrong:\n  - brave is out of quota.\n"
    assert shown in printed(made("", status="abstained", citations=(), **notes))
    assert "brave" not in printed(made("So it is [E4].", **notes))
    assert "brave" in made("So it is [E4].", **notes).model_dump_json()
    assert "notes" not in made("So it is [E4].").model_dump()

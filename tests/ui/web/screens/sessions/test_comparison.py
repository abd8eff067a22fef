"""Two sessions side by side."""

from typing import Any

from forager.domain.answers import Cell, Lead, Quote, Table
from forager.domain.state import Question
from graphs.reports.report import Report, ReportedEvidence, ReportedSpend, VisitedPage
from graphs.reports.turns import EarlierTurn
from graphs.sessions.service import Session, SessionLine
from ui.web.screens.sessions.comparison import compare_sessions
from ui.web.screens.sessions.session_rows import nearness, sort_by_nearness

LIGHT = "http://lights/light"
QUESTION = Question(text="Who keeps the light?", sites=("http://lights/",))


def kept(id: str, quote: str, round: int) -> ReportedEvidence:
    return ReportedEvidence(
        id=id, url=LIGHT, title="The light", quote=quote, part="p1", round=round
    )


def side(
    graph: str, answer: str, *evidence: ReportedEvidence, turns: tuple[EarlierTurn, ...] = ()
) -> tuple[Session, Report]:
    session = Session(
        id=graph, question=QUESTION, graph=graph, graph_hash="", graph_body="", model="offline"
    )
    cited = [
        Quote(id=each.id, url=each.url, title=each.title, quote=each.quote) for each in evidence
    ]
    report = Report(
        session=graph,
        graph=graph,
        graph_hash="",
        model="offline",
        status="answered",
        answer=answer,
        question=QUESTION.text,
        turns=turns,
        citations=tuple(cited[:1]),
        evidence=evidence,
        visited=(
            VisitedPage(url=LIGHT, depth=0, round=1),
            VisitedPage(url="http://lights/far/rock", depth=1, round=2),
        ),
        spent=ReportedSpend(actions=2, usd=0.5, tokens_in=3, tokens_out=4),
    )
    return session, report


def compared() -> dict[str, Any]:
    one = side("mango", "Ada [e4].", kept("e4", "Ada keeps it.", 1))
    other = side(
        "forager", "Ada kept it [e1].", kept("e1", "Ada  keeps it.", 2), kept("e2", "So.", 0)
    )
    return compare_sessions([one, other])


def test_answers_have_their_citations_by_number_and_their_own_words_marked() -> None:
    [[one, other]] = compared()["turns"]
    first, second = one["answer"], other["answer"]
    assert [piece["cite"] for piece in first] == [0, 1, 0]
    assert [piece["text"].strip() for piece in second if piece["only"]] == ["kept it"]


def test_turns_stand_beside_each_other() -> None:
    earlier = EarlierTurn(number=1, question="Who built it?", status="answered", answer="Marta.")
    found: Any = compare_sessions([side("a", "Ada.", turns=(earlier,)), side("b", "Marta.")])
    first, second = found["turns"]
    assert [turn["question"] for turn in first] == ["Who built it?", QUESTION.text]
    assert not any(piece["only"] for turn in first for piece in turn["answer"])
    assert (second[0]["question"], second[1]) == (QUESTION.text, None)
    assert [side["title"] for side in found["sides"]] == ["Who built it?", QUESTION.text]


def test_further_quotes_are_folded_and_rows_have_their_header() -> None:
    row = kept("e1", "Code | Meaning | Cure\nE1 | No reading | Repair\nE3 | Blocked | Wash", 1)
    session, report = side("mango", "“E3 | Blocked | Wash” [e1]\nMore quotes:\n“So.” [e2]", row)
    cited = (*report.citations, Quote(id="e2", url=LIGHT, title="", quote="- So."))
    found: Any = compare_sessions([(session, report.model_copy(update={"citations": cited}))] * 2)
    [[turn, _]] = found["turns"]
    assert "".join(piece["text"] for piece in turn["answer"]).strip() == "“E3 | Blocked | Wash”"
    assert turn["columns"] == {"1": ["Code", "Meaning", "Cure"]}
    assert turn["more"] == [
        {"quote": "2", "blocks": [{"kind": "item", "cells": [[["So.", False]]]}]}
    ]
    assert [block["kind"] for block in found["evidence"][0]["blocks"]] == ["row"] * 3


def test_quotes_that_only_come_closest_do_not_stand_for_an_answer() -> None:
    session, report = side("mango", "“So.” [e1]", kept("e1", "So.", 1))
    vain = session, report.model_copy(update={"status": "abstained"})
    found: Any = compare_sessions([vain, vain])
    [[turn, _]] = found["turns"]
    assert (turn["vain"], turn["answer"], len(turn["more"])) == (True, [], 1)


def line(id: str, question: str = "", site: str = "", fork: str = "") -> SessionLine:
    return SessionLine(
        id=id,
        title="",
        status="answered",
        turn=1,
        question=question,
        sites=(site,) if site else (),
        forked_from=fork,
    )


def test_the_nearest_session_is_offered_first_and_none_that_has_nothing_in_common() -> None:
    own = line("own", "Who?", "http://a/", fork="parent")
    others = [
        line("newest", "Why?", "http://b/"),
        line("site", "Why?", "http://a/"),
        line("asked", "who? ", "http://b/"),
        line("both", "Who?", "http://a/"),
        line("sibling", fork="parent"),
        line("fork", fork="own"),
        line("parent"),
        line("web"),
    ]
    order = sort_by_nearness(own, others)
    assert order == ["fork", "parent", "sibling", "both", "asked", "site", "newest", "web"]
    assert [nearness(own, each) > 0 for each in (others[0], others[1], others[-1])] == [
        False,
        True,
        False,
    ]
    assert not nearness(line("a"), line("b"))


def test_a_quote_that_both_have_is_one_row_and_stands_first() -> None:
    rows = compared()["evidence"]
    assert [row["rounds"] for row in rows] == [[1, 2], [None, 0]]


def test_pages_are_signed_by_what_came_of_them() -> None:
    path = compared()["sides"][0]["path"]
    assert [(page["title"], page["sign"]) for page in path] == [
        ("The light", "found"),
        ("rock", "nothing"),
    ]


def test_pages_known_from_before_are_among_those_of_an_answer_that_quotes_them() -> None:
    session, report = side("mango", "", kept("e4", "Ada keeps it.", 0))
    [page] = {each.url for each in report.evidence}
    unopened = report.model_copy(update={"visited": ()})
    sides = compare_sessions([(session, unopened), (session, report)])["sides"]
    assert isinstance(sides, list)
    assert [(each["url"], each["round"]) for each in sides[0]["path"]] == [(page, 0)]


def test_what_comes_closest_is_cited_by_no_answer() -> None:
    session, report = side("mango", "", kept("e4", "Ada keeps it.", 1))
    vain = report.model_copy(update={"status": "abstained"})
    path = compare_sessions([(session, vain), (session, report)])["sides"]
    assert isinstance(path, list)
    assert [each["path"][0]["sign"] for each in path] == ["partial", "found"]
    assert path[0]["graph"] == "Site map first"


def test_spends_stand_beside_each_other() -> None:
    spend = compared()["sides"][0]["spend"]
    assert spend == {"Pages opened": 2, "Calls": 0, "Tokens": 7, "Dollars": 0.5, "Time": 0.0}


def test_a_table_stands_for_its_leads_and_shown_quotes_are_no_further_ones() -> None:
    said = "Ada “keeps” it."
    lead = Lead(
        part="Keeper of Ona", kind="comparison", text=said, quote="e1",
        start=0, end=len(said), sentence_start=0, sentence_end=len(said),
    )  # fmt: skip
    cells = (Cell(text="Ona", cites=("e1",)), Cell(text=said, cites=("e1",)))
    table = Table(columns=("", "keeper"), rows=(cells, (Cell(text="Holm"), Cell(text=""))))
    answer = f"“{said}” [e1]\nMore quotes:\n“At night.” [e1]\n“So.” [e2]"
    session, report = side("mango", answer, kept("e1", f"{said} At night.", 1))
    cited = (*report.citations, Quote(id="e2", url=LIGHT, title="", quote="So."))
    tabled = report.model_copy(update={"citations": cited, "leads": (lead,), "table": table})
    found: Any = compare_sessions([(session, tabled)] * 2)
    [[turn, _]] = found["turns"]
    words = "".join(piece["text"] or f"[{piece['cite']}]" for piece in turn["answer"])
    assert words.splitlines() == ['“Ona | Ada "keeps" it.” [1]', "“Holm | –” "]
    assert turn["columns"]["1"] == ["", "keeper"]
    assert [quote["quote"] for quote in turn["more"]] == ["2"]

"""One task of every role, about a page that attacks."""

import json
import re
from collections.abc import Sequence
from typing import Any

from forager.browsing.action_text import describe_action
from forager.browsing.search_targets import PastSearch, SearchTarget
from forager.browsing.shown_page import ShownPage
from forager.domain.actions import Action, Element
from forager.domain.browser import Snapshot
from forager.domain.documents import Document, Link
from forager.domain.experience import Moment, Snippet
from forager.domain.state import Evidence, Passage, SubQuestion
from forager.domain.survey import SearchResult, SiteSurvey
from forager.ports import Task
from nodes.aggregator import AggregatorParams, EditAndJudge, EditLedger
from nodes.answerer import AnswererParams, WriteAnswer
from nodes.critic import CriticParams, JudgePart
from nodes.extractor import ExtractorParams, ReadAndJudge, ReadPage
from nodes.navigator import NavigatorParams
from nodes.navigator.browser import ActInBrowser
from nodes.navigator.links import ChooseLink
from nodes.navigator.search import SearchOrRead
from nodes.navigator.tree import RateActions
from nodes.reflector import Reflect
from nodes.surveyor import PlanSearch
from tests.hostile.attacks import HOST

QUESTION = "Who founded the observatory?"
LOOK_UP = "the founder of the observatory"
PART = SubQuestion(id="p1", text=LOOK_UP, query=LOOK_UP, site=f"{HOST}/", terms={"found": 1.0})


def passages(document: Document) -> list[Passage]:
    """Every piece of the page as a passage, up to a number."""
    pieces = [piece for piece in re.split(r"\n\n", document.text) if piece.strip()][:24]
    return [
        Passage(
            url=document.url,
            title=document.title,
            section=document.headings[-1].text if document.headings else "",
            blob="b",
            start=place,
            end=place + len(piece),
            text=piece,
            part="p1",
            scores={"p1": 0.5},
        )
        for place, piece in enumerate(pieces)
    ]


def tasks(document: Document) -> list[Task[Any]]:
    """One task of every role, with the page's words wherever words of pages get to."""
    found = passages(document)
    ledger = tuple(
        Evidence(id=f"e{number}", passage=each, round=1, step="1.1")
        for number, each in enumerate(found, start=1)
    )
    lines = tuple(each.text for each in found)
    links = document.links or (Link(id=1, url=f"{HOST}/dome.html", text="dome"),)
    return [
        PlanSearch(
            question=QUESTION,
            sites=(SiteSurvey(site=f"{HOST}/", pages=2, title=document.title, lang=document.lang),),
        ),
        ChooseLink(
            question=QUESTION,
            open=lines[:4],
            noted=True,
            lessons=lines[:4],
            trail=(document.title, document.url),
            page=document.title,
            unread=True,
            links=links,
            terms={"found": 1.0},
            least=NavigatorParams().least,
            examples=_examples(document, lines),
        ),
        _searching(document, lines, links),
        *_browsing(document, lines, links),
        *_reading(document, found, ledger),
        JudgePart(
            question=QUESTION, parts=(PART,), ledger=ledger, elsewhere={}, params=CriticParams()
        ),
        Reflect(
            question=QUESTION,
            open=lines[:4],
            noted=True,
            trail=(document.title,),
            failures=(f"{document.url} answered 404.", *lines[:2]),
            found=lines,
        ),
        WriteAnswer(question=QUESTION, parts=(PART,), ledger=ledger, params=AnswererParams()),
    ]


def _reading(
    document: Document, found: Sequence[Passage], ledger: tuple[Evidence, ...]
) -> list[Task[Any]]:
    """The page's words as a page, as the ledger, and as what was copied for it."""
    passages = tuple(found)
    return [
        ReadPage(
            question=QUESTION, parts=(PART,), best={}, document=document, params=ExtractorParams()
        ),
        ReadAndJudge(
            question=QUESTION,
            parts=(PART,),
            best={},
            document=document,
            params=ExtractorParams(),
            ledger=ledger,
        ),
        EditAndJudge(
            question=QUESTION,
            parts=(PART,),
            ledger=ledger,
            passages=passages,
            params=AggregatorParams(),
        ),
        EditLedger(
            question=QUESTION,
            parts=(PART,),
            ledger=ledger,
            passages=passages,
            params=AggregatorParams(),
        ),
    ]


def _examples(document: Document, lines: Sequence[str]) -> tuple[Snippet, ...]:
    """The page's words in steps that were remembered."""
    click = Action(kind="click", target="e1", element=Element(role="link", name=document.title))
    return tuple(
        Snippet(
            id=f"s:1:{number}",
            session="s",
            time=0.0,
            moment=Moment(instruction=QUESTION, before=(f"Open “{document.title}”", line)),
            page="\n".join(lines),
            action=click,
            told=describe_action(click),
            rationale=line,
        )
        for number, line in enumerate(lines[:3])
    )


def _searching(document: Document, lines: Sequence[str], links: Sequence[Link]) -> SearchOrRead:
    """The page's words in what was searched for, and in what was found."""
    return SearchOrRead(
        question=QUESTION,
        open=tuple(lines[:4]),
        noted=True,
        lookups=(SearchTarget(text=LOOK_UP, terms={"found": 1.0}, queries=(LOOK_UP,)),),
        searches=tuple(
            PastSearch(query=line, site="", found=number % 2, reason=line, away=False)
            for number, line in enumerate(lines[:4])
        ),
        read=(document.title, document.url),
        results=tuple(
            SearchResult(url=link.url, title=link.text, snippet=line, rank=1, source="x")
            for link, line in zip(links, lines, strict=False)
        ),
    )


def _browsing(
    document: Document, lines: Sequence[str], links: Sequence[Link]
) -> tuple[ActInBrowser, RateActions]:
    """The page's words in a snapshot, in the steps so far, and in what was proposed."""
    tree = "\n".join(
        (
            f"- heading {json.dumps(document.title)} [ref=e1]",
            *(f"- link {json.dumps(link.text)} [ref=e{n}]" for n, link in enumerate(links, 2)),
            *(f"- text: {json.dumps(line)}" for line in lines),
        )
    )
    snapshot = Snapshot(url=document.url, title=document.title, tree=tree)
    shown = ShownPage(snapshot).relevant_lines(PART.terms, 1500)
    element = Element(role="link", name=document.title, ancestors=(f"listitem {document.title}",))
    action = Action(kind="click", target="e2", element=element, value=document.title)
    told = (f"{describe_action(action)}: failed. {document.title}", *lines[:4])
    browsing = ActInBrowser(
        question=QUESTION,
        open=tuple(lines[:4]),
        noted=True,
        lessons=tuple(lines[:4]),
        history=told,
        beside=tuple(lines[:4]),
        lines=shown,
        found=ShownPage(snapshot).find_words("dome observatory founded"),
        kinds=("click", "stop"),
        starts=(f"{HOST}/",),
        snapshot=snapshot,
        terms=PART.terms,
        examples=_examples(document, lines),
    )
    rating = RateActions(
        question=QUESTION,
        open=tuple(lines[:4]),
        noted=True,
        history=told,
        lines=shown,
        actions=(action, Action(kind="stop", value=document.title)),
    )
    return browsing, rating

"""States to start a node's test from: a question, one site, and what has happened so far."""

from collections.abc import Sequence

from forager.domain.actions import Action
from forager.domain.answers import Lead
from forager.domain.documents import Document, Link
from forager.domain.experience import Outcome
from forager.domain.spend import Budget
from forager.domain.state import (
    Arm,
    Draw,
    Evidence,
    Lesson,
    Page,
    Passage,
    Question,
    State,
    Step,
    SubQuestion,
    Survey,
)
from tests.fakes import MemoryBlobs

SITE = "http://host/"


def url(path: str = "") -> str:
    """An address of the site."""
    return f"{SITE}{path}"


def part(
    id: str = "p1", text: str = "Who founded it?", site: str = SITE, **terms: float
) -> SubQuestion:
    """A part of the question; its terms have the weights that are given."""
    return SubQuestion(id=id, text=text, query=text, site=site, terms=terms or {"found": 1.0})


def state(*parts: SubQuestion, urls: Sequence[str] = (), budget: Budget | None = None) -> State:
    """A state in its first round, with the arms of these addresses and the first of them drawn."""
    arms = tuple(Arm(url=each, site=SITE, score=1.0) for each in urls)
    return State(
        question=Question(text="Who founded it?", sites=(SITE,), budget=budget or Budget()),
        survey=Survey(parts=parts or (part(),)),
        arms=arms,
        draw=Draw(round=1, urls=tuple(urls[:1])),
    )


def document(path: str, text: str = "", links: Sequence[str] = ()) -> Document:
    """A page; a link is an address, or an address and the link's text."""
    pairs = [link.partition(" ") for link in links]
    return Document(
        url=url(path),
        title=path or "Home",
        text=text,
        links=tuple(
            Link(id=id, url=target, text=said) for id, (target, _, said) in enumerate(pairs)
        ),
    )


def step(blobs: MemoryBlobs, opened: Document, round: int = 1, number: int = 1) -> Step:
    """The step that opened a page."""
    blob = blobs.put(opened.model_dump_json().encode())
    return Step(
        id=f"{round}.{number}",
        round=round,
        number=number,
        action=Action(kind="visit", target=opened.url),
        outcome="moved",
        page=Page(url=opened.url, title=opened.title, site=SITE, blob=blob),
    )


def failed(target: str, round: int = 1, number: int = 1) -> Step:
    """A step that led nowhere."""
    return Step(
        id=f"{round}.{number}",
        round=round,
        number=number,
        action=Action(kind="visit", target=target),
        outcome="failed",
        reason="It answered 404.",
    )


def passage(text: str, start: int = 0, blob: str = "b1", **scores: float) -> Passage:
    """A piece of a page, with a score per part."""
    scores = scores or {"p1": 0.5}
    return Passage(
        url=url("page"),
        title="Page",
        blob=blob,
        start=start,
        end=start + len(text),
        text=text,
        part=max(scores, key=lambda name: scores[name]),
        scores=scores,
    )


def entry(
    number: int, found: Passage, *, round: int = 1, step: str = "1.1", dropped: bool = False
) -> Evidence:
    """An entry of the ledger."""
    return Evidence(id=f"e{number}", passage=found, round=round, step=step, dropped=dropped)


def whole_lead(part: str, text: str, quote: str, confidence: float | None = None) -> Lead:
    """A lead that is all of a quote."""
    return Lead(
        part=part,
        kind="sentence",
        text=text,
        quote=quote,
        start=0,
        end=len(text),
        sentence_start=0,
        sentence_end=len(text),
        confidence=confidence,
    )


def lesson(
    round: int,
    target: str,
    outcome: Outcome = "partial",
    *,
    alpha: float = 1.0,
    retired: bool = False,
) -> Lesson:
    """The judgement of a round."""
    return Lesson(
        id=f"r{round}:{target}",
        round=round,
        url=target,
        outcome=outcome,
        alpha=alpha,
        beta=0.0,
        retired=retired,
        text=f"{outcome} in round {round}",
    )

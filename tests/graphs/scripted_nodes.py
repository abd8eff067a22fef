"""Scripted nodes: small, deterministic, one of each role."""

from typing import ClassVar

from pydantic import BaseModel

from forager.budget import current_meter, exhausted_limit, smaller_limit
from forager.domain.actions import Action
from forager.domain.answers import Answer, Citation
from forager.domain.base import Frozen
from forager.domain.state import (
    Arm,
    Draw,
    Evidence,
    Feedback,
    Lesson,
    Meaning,
    Page,
    Passage,
    Proposal,
    Reading,
    Recall,
    State,
    Step,
    SubQuestion,
    Survey,
    Update,
    Verdict,
)
from forager.ports import Ports, Task
from forager.prompts.sections import Section, text_section


class SurveyorParams(Frozen):
    pages: int = 100
    top: int = 10


class SelectorParams(Frozen):
    strategy: str = "greedy"
    rounds: int = 10
    parallel: int = 1


class NavigatorParams(Frozen):
    mode: str = "links"
    steps: int = 10


class CriticParams(Frozen):
    enough: int = 1000


class ExtractorParams(Frozen):
    pages: str = "opened"


class NoParams(Frozen):
    pass


class Found(BaseModel):
    text: str


class Look(Task[Found]):
    ROLE: ClassVar[str] = "extractor"
    PROMPT: ClassVar[str] = "What does the page say?"
    REPLY: ClassVar[type[BaseModel]] = Found
    page: str

    def sections(self) -> tuple[Section, ...]:
        return (text_section("Page", self.page),)

    def offline(self, embedder: object) -> Found:
        return Found(text=f"What {self.page} says. " * 8)


async def interpret(state: State, ports: Ports, params: NoParams) -> Update:
    return {"meaning": Meaning(text=state.question.text if state.past else "")}


async def survey(state: State, ports: Ports, params: SurveyorParams) -> Update:
    if state.survey.parts:
        return {}
    site = state.question.sites[0]
    known = await ports.web.survey(site, params.pages)
    arms = tuple(
        Arm(url=f"{site}{n}", title=f"Page {n}", site=site, part="P1", score=1 / (n + 1))
        for n in range(min(params.top, known.pages or 1))
    )
    text = state.question.text
    part = SubQuestion(id="P1", text=text, query=text, site=site, terms={"word": 2.5})
    return {"survey": Survey(parts=(part,), pages={site: known.pages}), "arms": arms}


async def select(state: State, ports: Ports, params: SelectorParams) -> Update:
    last = state.draw.round
    rounds = smaller_limit(params.rounds, state.question.budget.rounds)
    first = last * params.parallel
    urls = tuple(arm.url for arm in state.arms[first : first + params.parallel])
    if last >= rounds or not urls or exhausted_limit(state.question.budget, state.spend):
        return {"draw": Draw(round=last, reason="exhausted")}
    return {"draw": Draw(round=last + 1, urls=urls)}


async def recall(state: State, ports: Ports, params: NoParams) -> Update:
    return {"recall": Recall(round=state.draw.round)}


async def navigate(state: State, ports: Ports, params: NavigatorParams) -> Update:
    """Visit a page, read it, visit the next, until the steps are spent."""
    done = [step for step in state.steps if step.round == state.draw.round]
    url = next(iter(state.draw.urls), "")
    steps = smaller_limit(params.steps, state.question.budget.steps)
    opened = [step for step in done if step.page]
    unread = opened and (state.reading is None or state.reading.step != opened[-1].id)
    if unread:
        action = Action(kind="aggregate", reason="read what was opened")
    elif not url or len(done) >= steps or exhausted_limit(state.question.budget, state.spend):
        action = Action(kind="stop", reason="the steps are spent")
    else:
        action = Action(kind="visit", target=f"{url}/{len(done)}", reason="the best link so far")
    return {"proposal": Proposal(round=state.draw.round, action=action)}


async def act(state: State, ports: Ports, params: NoParams) -> Update:
    assert state.proposal
    action = state.proposal.action
    number = sum(step.round == state.draw.round for step in state.steps) + 1
    step = Step(
        id=f"{state.draw.round}.{number}",
        round=state.draw.round,
        number=number,
        action=action,
        outcome="failed",
    )
    current_meter().actions += 1
    if not action.target:
        return {"steps": (step,)}
    opened = await ports.web.open(action.target)
    page = Page(
        url=action.target, title=f"Title of {action.target}", blob=opened.blob, depth=number
    )
    return {"steps": (step.model_copy(update={"outcome": "moved", "page": page}),)}


async def extract(state: State, ports: Ports, params: ExtractorParams) -> Update:
    if params.pages == "recalled":
        return {"reading": Reading(step="")}
    step = next((step for step in reversed(state.steps) if step.page), None)
    if step is None or step.page is None:
        return {"reading": Reading(step="")}
    found = await ports.model.ask(Look(page=step.page.url))
    passage = Passage(
        url=step.page.url,
        title=step.page.title,
        blob=step.page.blob,
        start=0,
        end=len(found.text),
        text=found.text,
        part="P1",
    )
    return {"reading": Reading(step=step.id, passages=(passage,))}


async def aggregate(state: State, ports: Ports, params: NoParams) -> Update:
    assert state.reading
    new = tuple(
        Evidence(
            id=f"E{state.reading.step}",
            passage=passage,
            round=state.draw.round,
            step=state.reading.step,
        )
        for passage in state.reading.passages
    )
    return {"evidence": new, "feedback": Feedback(open=("the rest",), added=len(new), gain=1.0)}


async def criticise(state: State, ports: Ports, params: CriticParams) -> Update:
    enough = len(state.evidence) >= params.enough
    return {"verdict": Verdict(sufficient=enough, reason=f"{len(state.evidence)} passages")}


async def reflect(state: State, ports: Ports, params: NoParams) -> Update:
    url = next(iter(state.draw.urls), "")
    return {
        "lessons": (
            Lesson(
                id=f"L{url}",
                round=state.draw.round,
                url=url,
                outcome="partial",
                alpha=1.0,
                beta=0.0,
                retired=True,
                text="It led somewhere.",
            ),
        )
    }


async def answer(state: State, ports: Ports, params: NoParams) -> Update:
    passages = [(item.id, item.passage) for item in state.evidence[:3]]
    citations = tuple(
        Citation(id=id, url=p.url, title=p.title, quote=p.text, blob=p.blob, start=0, end=p.end)
        for id, p in passages
    )
    if not citations:
        return {"answer": Answer(text="The site does not say.", status="abstained")}
    text = " ".join(f"Said there [{citation.id}]." for citation in citations)
    return {"answer": Answer(text=text, status="answered", citations=citations)}

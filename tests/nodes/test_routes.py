import pytest

from forager.domain.actions import Action
from forager.domain.state import (
    Arm,
    Draw,
    Lesson,
    Passage,
    Proposal,
    Question,
    Reading,
    State,
    Step,
    Verdict,
)
from graphs.spec.registry import REGISTRY

EMPTY = State(question=Question(text="?", sites=("s",)))
PASSAGE = Passage(url="u", title="t", blob="b", start=0, end=1, text="x", part="p")


def lesson(outcome: str) -> Lesson:
    body = {"id": "r", "round": 1, "url": "u", "alpha": 1, "beta": 1, "retired": False, "text": ""}
    return Lesson.model_validate({**body, "outcome": outcome})


def step(outcome: str) -> Step:
    body = {"id": "1.1", "round": 1, "number": 1, "action": Action(kind="visit")}
    return Step.model_validate({**body, "outcome": outcome})


@pytest.mark.parametrize(
    ("node", "change", "way"),
    [
        ("surveyor", {}, "none"),
        ("surveyor", {"arms": (Arm(url="u"),)}, "found"),
        ("selector", {}, "exhausted"),
        ("selector", {"draw": Draw(round=1, urls=("u",))}, "arm"),
        ("actor", {"steps": (step("failed"), step("moved"))}, "moved"),
        ("actor", {"steps": (step("moved"), step("failed"))}, "failed"),
        ("extractor", {}, "nothing"),
        ("extractor", {"reading": Reading(step="1.1")}, "nothing"),
        (
            "extractor",
            {"reading": Reading(step="1.1", passages=(PASSAGE,))},
            "found",
        ),
        ("critic", {}, "insufficient"),
        ("critic", {"verdict": Verdict(sufficient=True)}, "sufficient"),
        (
            "reflector",
            {"lessons": (lesson("adequate"), lesson("partial"))},
            "continue",
        ),
        ("reflector", {"lessons": (lesson("partial"), lesson("adequate"))}, "done"),
    ],
)
def test_routes(node: str, change: dict[str, object], way: str) -> None:
    state = State(**{"question": EMPTY.question, **change})  # type: ignore[arg-type]
    assert REGISTRY[node].route(state) == way


@pytest.mark.parametrize(
    ("kind", "way"),
    [("visit", "act"), ("search", "act"), ("aggregate", "aggregate"), ("stop", "stop")],
)
def test_the_navigators_routes_follow_its_action(kind: str, way: str) -> None:
    proposal = Proposal.model_validate({"round": 1, "action": {"kind": kind}})
    assert REGISTRY["navigator"].route(State(question=EMPTY.question, proposal=proposal)) == way


@pytest.mark.parametrize("kind", REGISTRY.values(), ids=lambda kind: kind.name)
def test_every_route_is_declared(kind: object) -> None:
    from_empty = REGISTRY[getattr(kind, "name", "")]
    assert from_empty.route(EMPTY) in from_empty.routes

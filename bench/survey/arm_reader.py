"""What an attempt on an arm brings: its page is opened and read as a run without a model reads it.

The program's own nodes do it: the actor opens the page, the extractor copies passages from it, the
aggregator lets new ones into the ledger, the reflector judges by its rule and rewards the arm. No
link is followed. Then nothing is left to do there, as most walks from an arm end, and the reward
retires it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bench.survey.node_params import ReadingParams
from forager.domain.actions import Action
from forager.domain.state import Draw, Lesson, Proposal, Reading, State, Step, merge
from forager.ports import Ports
from nodes.actor import ActorParams, act
from nodes.aggregator import aggregate
from nodes.extractor import extract
from nodes.reflector import ReflectorParams, reflect

REWARDS = ReflectorParams(rewards="forager", asked=False)


@dataclass(frozen=True)
class ArmReader:
    """Plays attempts on the arms of one surveyed question.

    Each page is read once, and each order of attempts is judged once.
    """

    surveyed: State
    ports: Ports
    params: ReadingParams
    readings: dict[str, tuple[Step, Reading]] = field(default_factory=dict)
    played: dict[tuple[str, ...], State] = field(default_factory=dict)

    async def lessons_after(self, visited: Sequence[str]) -> tuple[Lesson, ...]:
        """The lessons of attempts on these arms, in this order."""
        return (await self._state_after(tuple(visited))).lessons

    async def _state_after(self, visited: tuple[str, ...]) -> State:
        if not visited:
            return self.surveyed
        if visited not in self.played:
            before = await self._state_after(visited[:-1])
            self.played[visited] = await self._attempt(before, visited[-1])
        return self.played[visited]

    async def _attempt(self, state: State, url: str) -> State:
        round = state.draw.round + 1
        step, reading = await self._read_arm(url)
        step = step.model_copy(update={"id": f"{round}.1", "round": round})
        now = replace(
            state,
            draw=Draw(round=round, urls=(url,)),
            steps=(*state.steps, step),
            reading=reading.model_copy(update={"step": step.id}),
            proposal=Proposal(round=round, action=Action(kind="stop"), nothing_left=True),
        )
        if reading.passages:
            edited = await aggregate(now, self.ports, self.params.aggregator)
            now = replace(
                now,
                evidence=merge(now.evidence, edited["evidence"]),
                feedback=edited["feedback"],
            )
        learned = await reflect(now, self.ports, REWARDS)
        return replace(now, lessons=(*now.lessons, *learned["lessons"]))

    async def _read_arm(self, url: str) -> tuple[Step, Reading]:
        """The step that opens the arm's page, and what a run would read there first."""
        if url not in self.readings:
            opens = Proposal(round=1, action=Action(kind="visit", target=url))
            there = replace(self.surveyed, draw=Draw(round=1, urls=(url,)), proposal=opens)
            (step,) = (await act(there, self.ports, ActorParams()))["steps"]
            reading = Reading(step=step.id)
            if step.page:
                arrived = replace(there, steps=(step,))
                found = await extract(arrived, self.ports, self.params.extractor)
                reading = found["reading"] or reading
            self.readings[url] = step, reading
        return self.readings[url]

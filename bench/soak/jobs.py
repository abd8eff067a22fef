"""The jobs of a soak, drawn at random, and what must be there at its end."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from bench.soak.unreliable_sites import UnreliableSite
from forager.domain.base import Frozen
from forager.domain.spend import Budget
from forager.domain.state import Question

Verb = Literal["ask", "follow", "fork", "move", "delete", "clean"]
VERBS: tuple[Verb, ...] = ("ask", "follow", "fork", "move", "delete", "clean")
WEIGHTS = (5, 3, 2, 2, 1, 1)
RUNNING: frozenset[Verb] = frozenset({"ask", "follow", "fork"})
MOST_SESSIONS = 25
"""So that memory and files have a bound, sessions beyond these are deleted."""
GRAPHS = ("forager", "webwalker", "mango", "infogent", "abreast")
BROWSER_GRAPH = "weboperator"
WORDS = (
    "Which engineer built the {} lighthouse?",
    "How high is the {} lighthouse?",
    "In which year was the {} lighthouse built, and how many keepers did it have?",
)
FOLLOW_UPS = ("And the {} lighthouse?", "How many keepers did the {} lighthouse have?")


class Job(Frozen):
    """A job on session `id`: ask, follow up as turn `turn`, fork `source` into it, export, delete
    and import it again (`move`), or delete it; or clean the pages up."""

    verb: Verb
    id: str = ""
    question: Question | None = None
    graph: str = ""
    turn: int = 1
    text: str = ""
    source: str = ""
    draw: float = 0.0


@dataclass
class Journal:
    """Draws jobs, and keeps how many turns each session has that the jobs made.

    The first question is for the first of the `graphs`.
    """

    draw: random.Random
    sites: Sequence[UnreliableSite]
    seconds: float
    graphs: tuple[str, ...] = GRAPHS
    turns: dict[str, int] = field(default_factory=dict)
    asked: dict[str, UnreliableSite] = field(default_factory=dict)
    busy: set[str] = field(default_factory=set)
    made: int = 0

    def next_job(self) -> Job:
        """A job on sessions that no other job is on; they are busy until it is done."""
        job = self._draw_job()
        self.busy |= {job.id, job.source}
        return job

    def finish(self, job: Job) -> None:
        """Note what a job has made."""
        self.busy -= {job.id, job.source}
        if job.verb == "delete":
            del self.turns[job.id]
        elif job.verb in RUNNING:
            self.turns[job.id] = job.turn

    def _draw_job(self) -> Job:
        idle = sorted(self.turns.keys() - self.busy)
        [verb] = self.draw.choices(VERBS, WEIGHTS)
        if verb == "clean":
            return Job(verb=verb, draw=self.draw.random())
        if len(self.turns) > MOST_SESSIONS and idle:
            return Job(verb="delete", id=self.draw.choice(idle))
        if verb == "ask" or not idle:
            return self._draw_question()
        chosen = self.draw.choice(idle)
        if verb == "follow":
            light = self.draw.choice(self.asked[chosen].names)
            text = self.draw.choice(FOLLOW_UPS).format(light)
            return Job(verb=verb, id=chosen, turn=self.turns[chosen] + 1, text=text)
        if verb == "fork":
            new = self._new_id(self.asked[chosen])
            turn, draw = self.turns[chosen], self.draw.random()
            return Job(verb=verb, id=new, source=chosen, turn=turn, draw=draw)
        return Job(verb=verb, id=chosen)

    def _draw_question(self) -> Job:
        site = self.draw.choice(self.sites)
        question = Question(
            text=self.draw.choice(WORDS).format(self.draw.choice(site.names)),
            sites=(site.url,),
            budget=Budget(rounds=2, steps=3, pages=20, seconds=self.seconds),
            seed=self.draw.randrange(1000),
        )
        graph = self.draw.choice(self.graphs) if self.made else self.graphs[0]
        return Job(verb="ask", id=self._new_id(site), question=question, graph=graph)

    def _new_id(self, site: UnreliableSite) -> str:
        self.made += 1
        id = f"soak-{self.made}"
        self.asked[id] = site
        return id

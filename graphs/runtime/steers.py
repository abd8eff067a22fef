"""What a user may change of a question while it is pursued, and how a run takes it up."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

from pydantic import Field, JsonValue

from forager.adapters.store.checkpoints.lineage import Lineage
from forager.adapters.store.sessions.session_records import STEER
from forager.adapters.store.sessions.session_store import Session, SessionStore
from forager.bandit.add_site import annexed
from forager.domain.base import Stored
from forager.domain.spend import Budget, Spend
from forager.domain.state import Question, State, Survey, Update
from forager.domain.url_rules import forbidden
from forager.errors import QuestionError, WebError
from forager.node_type import Registry
from forager.ports import Ports
from graphs.reports.events import Emit
from graphs.runtime.checkpoint_edit import lay_question, lean
from graphs.runtime.compile import Work, work
from graphs.runtime.metering import Run
from graphs.runtime.validation import checked, site_address
from graphs.spec.spec import GRAPH, GraphSpec

MOST_HINTS = 20


LONGEST_HINT = 1000


MOST_FORBIDDEN = 200


class Steer(Stored):
    """A hint, sites to read too, hosts or addresses not to read, and limits of the budget.

    Of the budget only the limits that are named count: `Budget(pages=50)` leaves the others.
    """

    hint: str = ""
    sites: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()
    budget: Budget | None = None

    @property
    def limits(self) -> Mapping[str, Any]:
        """The limits that are named."""
        return self.budget.model_dump(exclude_unset=True) if self.budget else {}

    def told(self) -> str:
        """The change in one line."""
        hint = [f"hint: {self.hint.strip()}"] if self.hint.strip() else []
        sites = [f"site: {site}" for site in self.sites]
        forbid = [f"forbidden: {entry}" for entry in self.forbid]
        limits = [f"{name}: {_limit(value)}" for name, value in self.limits.items()]
        return " · ".join((*hint, *sites, *forbid, *limits))

    def data(self) -> dict[str, JsonValue]:
        """The change as an event's data."""
        told: dict[str, JsonValue] = self.model_dump(mode="json", exclude={"budget"})
        told["budget"] = dict(self.limits)
        return {name: value for name, value in told.items() if value}


class Otherwise(Steer):
    """What a fork does otherwise; an empty model or graph stays that of the session.

    `mapping` says at which node of the graph it goes on, for each that is to run next.
    """

    model: str = ""
    graph: str | GraphSpec = Field("")
    mapping: Mapping[str, str] = Field(default_factory=dict)


def steered(question: Question, steer: Steer) -> Question:
    """The question with the change laid over it. Raises QuestionError and AddressError."""
    hint = " ".join(steer.hint.split())
    if len(hint) > LONGEST_HINT:
        raise QuestionError(
            f"The hint has {len(hint):,} characters; at most {LONGEST_HINT:,} are read.",
            "Say it in fewer words.",
        )
    sites = tuple(map(site_address, steer.sites))
    changed = checked(
        question.model_copy(
            update={
                "sites": (*question.sites, *sites),
                "hints": _once(question.hints, [hint] if hint else []),
                "forbidden": _once(question.forbidden, map(_entry, steer.forbid)),
                "budget": question.budget.model_copy(update=dict(steer.limits)),
            }
        )
    )
    _refuse(changed, sites)
    return changed


def _refuse(question: Question, added: Iterable[str]) -> None:
    if len(question.hints) > MOST_HINTS or len(question.forbidden) > MOST_FORBIDDEN:
        raise QuestionError(
            "There are too many hints or forbidden addresses.",
            f"At most {MOST_HINTS} hints and {MOST_FORBIDDEN} addresses are kept.",
        )
    if not question.sites:
        return
    left = [site for site in question.sites if not forbidden(question.forbidden, site)]
    if not left:
        raise QuestionError(
            "No site of the question would be left to read.",
            "Add another site, forbid less, or stop the session.",
        )
    for site in added:
        if entry := forbidden(question.forbidden, site):
            raise QuestionError(f"{site} is forbidden, by {entry!r}.", "Leave out one of them.")


def _once(old: tuple[str, ...], new: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*old, *new)))


def _entry(text: str) -> str:
    """A host, or the beginning of addresses, in one spelling. Raises AddressError."""
    address, bare = site_address(text), text.strip().rstrip("/")
    if "/" in bare or "?" in bare:
        return address
    return address.removeprefix("https://").rstrip("/")


def _limit(value: float | None) -> str:
    return "no limit" if value is None else f"{value:,.10g}"


UNMAPPED = frozenset({"survey", "arms"})


class Due(NamedTuple):
    """Sites that are to be surveyed for a change."""

    seq: int
    sites: tuple[str, ...]


@dataclass
class TakingUp:
    """Takes up what waits for a session, whose lease the caller holds."""

    store: SessionStore
    lineage: Lineage
    session: Session
    emit: Emit

    async def laid(self) -> Session:
        """Lay the changes into the question and the checkpoint, and tell of them."""
        store, own = self.store, self.session.thread
        await asyncio.to_thread(store.ask, self.session.id, STEER, "")
        for seq, body, laid in await asyncio.to_thread(store.steers.waiting, own):
            if laid:
                continue
            change = Steer.model_validate_json(body)
            question = steered(self.session.question, change)
            await lay_question(self.lineage, own, question)
            await lean(self.lineage, own, self.session.question, question)
            await self._kept(question)
            end = store.steers.lay if change.sites else store.steers.done
            await asyncio.to_thread(end, own, seq)
            await self.emit("", "steered", change.told(), change.data())
        return self.session

    async def due(self) -> tuple[Due, ...]:
        """The sites that are still to be surveyed."""
        waiting = await asyncio.to_thread(self.store.steers.waiting, self.session.thread)
        changes = [(seq, Steer.model_validate_json(body)) for seq, body, laid in waiting if laid]
        known = self.session.question.sites
        return tuple(
            Due(seq, steered(Question(text="?", sites=()), replaced(change)).sites)
            for seq, change in changes
            if known
        )

    async def _kept(self, question: Question) -> None:
        self.session = self.session.model_copy(update={"question": question})
        body = question.model_dump_json()
        await asyncio.to_thread(self.store.change, self.session.id, question=body)


def replaced(change: Steer) -> Steer:
    """Its sites alone."""
    return Steer(sites=change.sites)


def surveyor(spec: GraphSpec, registry: Registry, ports: Ports) -> tuple[str, Work] | None:
    """The name and the work of the graph's surveyor, if it has one."""
    for name, node in spec.nodes.items():
        if node.type in registry and registry[node.type].writes >= UNMAPPED:
            return name, work(registry[node.type], node, ports)
        if node.type == GRAPH and (found := surveyor(spec.inner(name), registry, ports)):
            return found
    return None


async def annex(taking: TakingUp, sites: Sequence[str], survey: Run) -> None:
    """Survey sites that were added, and lay what was found beside what was known.

    Before the first survey nothing is done: that one knows of them. A site that cannot be had is
    warned of.
    """
    own, question = taking.session.thread, taking.session.question
    values = await taking.lineage.state(own)
    if "survey" not in values or not values["survey"].parts:
        return
    known: dict[str, Any] = {
        key: values[key] for key in State.__dataclass_fields__ if key in values
    }
    state = State(**known)
    wanted = tuple(site for site in sites if not forbidden(question.forbidden, site))
    alone = question.model_copy(update={"sites": wanted})
    try:
        update = await survey(replace(state, question=alone, survey=Survey(), arms=(), past=()))
    except WebError as error:
        await taking.emit("", "warned", str(error), {})
        return
    found = cast(Update, update)
    joined, arms = annexed(state, found["survey"], found["arms"])
    spend = state.spend + cast(Spend, update["spend"])
    await taking.lineage.lay(own, {"survey": joined, "arms": arms, "spend": spend})

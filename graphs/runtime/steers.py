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
from graphs.runtime.checkpoint_edit import apply_new_hints, write_question
from graphs.runtime.compile import NodeFunction, bind_node
from graphs.runtime.metering import MeteredNode
from graphs.runtime.validation import check_question, site_address
from graphs.spec.spec import GRAPH, GraphSpec

MAX_HINTS = 20


MAX_HINT_CHARACTERS = 1000


MAX_FORBIDDEN = 200


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

    def describe_change(self) -> str:
        """The change in one line."""
        hint = [f"hint: {self.hint.strip()}"] if self.hint.strip() else []
        sites = [f"site: {site}" for site in self.sites]
        forbid = [f"forbidden: {entry}" for entry in self.forbid]
        limits = [f"{name}: {_format_limit(value)}" for name, value in self.limits.items()]
        return " · ".join((*hint, *sites, *forbid, *limits))

    def event_data(self) -> dict[str, JsonValue]:
        """The change as an event's data."""
        told: dict[str, JsonValue] = self.model_dump(mode="json", exclude={"budget"})
        told["budget"] = dict(self.limits)
        return {name: value for name, value in told.items() if value}


class ForkChange(Steer):
    """What a fork does otherwise; an empty model or graph stays that of the session.

    `mapping` says at which node of the graph it goes on, for each that is to run next.
    """

    model: str = ""
    graph: str | GraphSpec = Field("")
    mapping: Mapping[str, str] = Field(default_factory=dict)


def apply_steer(question: Question, steer: Steer) -> Question:
    """The question with the change laid over it. Raises QuestionError and AddressError."""
    hint = " ".join(steer.hint.split())
    if len(hint) > MAX_HINT_CHARACTERS:
        raise QuestionError(
            f"The hint has {len(hint):,} characters; at most {MAX_HINT_CHARACTERS:,} are read.",
            "Say it in fewer words.",
        )
    sites = tuple(map(site_address, steer.sites))
    changed = check_question(
        question.model_copy(
            update={
                "sites": (*question.sites, *sites),
                "hints": _append_new(question.hints, [hint] if hint else []),
                "forbidden": _append_new(question.forbidden, map(_forbidden_entry, steer.forbid)),
                "budget": question.budget.model_copy(update=dict(steer.limits)),
            }
        )
    )
    _refuse_excess(changed, sites)
    return changed


def _refuse_excess(question: Question, added: Iterable[str]) -> None:
    if len(question.hints) > MAX_HINTS or len(question.forbidden) > MAX_FORBIDDEN:
        raise QuestionError(
            "There are too many hints or forbidden addresses.",
            f"At most {MAX_HINTS} hints and {MAX_FORBIDDEN} addresses are kept.",
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


def _append_new(old: tuple[str, ...], new: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*old, *new)))


def _forbidden_entry(text: str) -> str:
    """A host, or the beginning of addresses, in one spelling. Raises AddressError."""
    address, bare = site_address(text), text.strip().rstrip("/")
    if "/" in bare or "?" in bare:
        return address
    return address.removeprefix("https://").rstrip("/")


def _format_limit(value: float | None) -> str:
    return "no limit" if value is None else f"{value:,.10g}"


SURVEY_KEYS = frozenset({"survey", "arms"})


class DueSurvey(NamedTuple):
    """Sites that are to be surveyed for a change."""

    seq: int
    sites: tuple[str, ...]


@dataclass
class PendingSteers:
    """Takes up what waits for a session, whose lease the caller holds."""

    store: SessionStore
    lineage: Lineage
    session: Session
    emit: Emit

    async def apply_waiting(self) -> Session:
        """Lay the changes into the question and the checkpoint, and tell of them."""
        store, own = self.store, self.session.thread
        await asyncio.to_thread(store.ask, self.session.id, STEER, "")
        for seq, body, laid in await asyncio.to_thread(store.steers.waiting, own):
            if laid:
                continue
            change = Steer.model_validate_json(body)
            question = apply_steer(self.session.question, change)
            await write_question(self.lineage, own, question)
            await apply_new_hints(self.lineage, own, self.session.question, question)
            await self._keep_question(question)
            end = store.steers.lay if change.sites else store.steers.done
            await asyncio.to_thread(end, own, seq)
            await self.emit("", "steered", change.describe_change(), change.event_data())
        return self.session

    async def due_surveys(self) -> tuple[DueSurvey, ...]:
        """The sites that are still to be surveyed."""
        waiting = await asyncio.to_thread(self.store.steers.waiting, self.session.thread)
        changes = [(seq, Steer.model_validate_json(body)) for seq, body, laid in waiting if laid]
        known = self.session.question.sites
        return tuple(
            DueSurvey(seq, apply_steer(Question(text="?", sites=()), sites_alone(change)).sites)
            for seq, change in changes
            if known
        )

    async def _keep_question(self, question: Question) -> None:
        self.session = self.session.model_copy(update={"question": question})
        body = question.model_dump_json()
        await asyncio.to_thread(self.store.change, self.session.id, question=body)


def sites_alone(change: Steer) -> Steer:
    """Its sites alone."""
    return Steer(sites=change.sites)


def find_surveyor(
    spec: GraphSpec, registry: Registry, ports: Ports
) -> tuple[str, NodeFunction] | None:
    """The name and the work of the graph's surveyor, if it has one."""
    for name, node in spec.nodes.items():
        if node.type in registry and registry[node.type].writes >= SURVEY_KEYS:
            return name, bind_node(registry[node.type], node, ports)
        if node.type == GRAPH and (found := find_surveyor(spec.inner(name), registry, ports)):
            return found
    return None


async def survey_added_sites(
    taking: PendingSteers, sites: Sequence[str], survey: MeteredNode
) -> None:
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

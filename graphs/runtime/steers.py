"""Steers: changes that a user makes to a question during its run, and how the run applies them."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

from pydantic import Field, JsonValue

from forager.adapters.store.checkpoints.lineage import CheckpointRow, Lineage
from forager.adapters.store.checkpoints.saver import Checkpoints
from forager.adapters.store.sessions.session_records import STEER
from forager.adapters.store.sessions.session_store import Session, SessionStore
from forager.bandit.add_site import add_site_survey
from forager.bandit.hints import favour_hinted_arms
from forager.budget import tighten_budget
from forager.domain.base import Stored
from forager.domain.spend import Budget, Spend
from forager.domain.state import Evidence, Feedback, Question, State, Survey, Update
from forager.domain.urls import forbidding_entry, link_target
from forager.errors import QuestionError, WebError
from forager.evidence.ledger import drop_evidence
from forager.node_type import Registry
from forager.ports import Ports
from graphs.reports.events import Emit
from graphs.runtime.graph_nodes import NodeFunction, bind_node
from graphs.runtime.metering import MeteredNode
from graphs.runtime.position import INPUT_CHANNEL
from graphs.runtime.validation import check_question, site_address
from graphs.spec.spec import GRAPH, GraphSpec

SURVEY_KEYS = frozenset({"survey", "arms"})
"""The keys that a surveyor writes."""


class Steer(Stored):
    """A hint, sites to add, hosts or address prefixes to forbid, and limits of the budget.

    `set_aside` are the ids of quotes that do not answer, as the user says. Only the limits that are
    named count: `Budget(pages=50)` leaves the others as they are.
    """

    hint: str = ""
    sites: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()
    set_aside: tuple[str, ...] = ()
    budget: Budget | None = None

    @property
    def limits(self) -> Mapping[str, Any]:
        """The limits that are named."""
        return self.budget.model_dump(exclude_unset=True) if self.budget else {}

    def describe_change(self) -> str:
        """The change in one line; empty for none."""
        hint = [f"hint: {self.hint.strip()}"] if self.hint.strip() else []
        sites = [f"site: {site}" for site in self.sites]
        forbid = [f"forbidden: {entry}" for entry in self.forbid]
        limits = [f"{name}: {_format_limit(value)}" for name, value in self.limits.items()]
        aside = [f"set aside: {', '.join(self.set_aside)}"] if self.set_aside else []
        return " · ".join((*hint, *sites, *forbid, *aside, *limits))

    def event_data(self) -> dict[str, JsonValue]:
        """The change as an event's data."""
        data: dict[str, JsonValue] = self.model_dump(mode="json", exclude={"budget"})
        data["budget"] = dict(self.limits)
        return {name: value for name, value in data.items() if value}


class ForkChange(Steer):
    """What a fork does differently; with an empty model or graph it keeps that of the session.

    `mapping` names, for nodes that run next, the node of the new graph where they go on. `values`
    are keys of the state that were changed by hand, as JSON.
    """

    model: str = ""
    graph: str | GraphSpec = Field("")
    mapping: Mapping[str, str] = Field(default_factory=dict)
    values: Mapping[str, JsonValue] = Field(default_factory=dict)


def apply_steer(question: Question, steer: Steer) -> Question:
    """The question with the change applied. Raises QuestionError and AddressError."""
    hint = " ".join(steer.hint.split())
    sites = tuple(map(site_address, steer.sites))
    forbid = [entry for text in steer.forbid for entry in _forbidden_entries(text, question.sites)]
    changed = check_question(
        question.model_copy(
            update={
                "sites": (*question.sites, *sites),
                "hints": _append_new(question.hints, [hint] if hint else []),
                "forbidden": _append_new(question.forbidden, forbid),
                "budget": question.budget.model_copy(update=dict(steer.limits)),
            }
        )
    )
    _refuse_excess(changed, sites)
    return changed


def _refuse_excess(question: Question, added: Iterable[str]) -> None:
    """Raise QuestionError where a site is forbidden or none is left."""
    if not question.sites:
        return
    left = [site for site in question.sites if not forbidding_entry(question.forbidden, site)]
    if not left:
        raise QuestionError(
            "The question would have no site left to read.",
            "Add another site, forbid less, or stop the session.",
        )
    for site in added:
        if entry := forbidding_entry(question.forbidden, site):
            raise QuestionError(f"{site} is forbidden by {entry!r}.", "Leave out one of them.")


def _append_new(old: tuple[str, ...], new: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*old, *new)))


def _forbidden_entries(text: str, sites: Sequence[str]) -> list[str]:
    """What a text forbids; a path alone, such as `/blog/`, is meant on each of the sites."""
    if text.strip().startswith("/") and sites:
        return [_forbidden_entry(link_target(site, text.strip()) or text) for site in sites]
    return [_forbidden_entry(text)]


def _forbidden_entry(text: str) -> str:
    """A host, or the beginning of addresses, in one spelling. Raises AddressError."""
    address, bare = site_address(text), text.strip().rstrip("/")
    if "/" in bare or "?" in bare:
        return address
    return address.partition("://")[2].rstrip("/")


def _format_limit(value: float | None) -> str:
    return "no limit" if value is None else f"{value:,.10g}"


class DueSurvey(NamedTuple):
    """Sites to survey for the change with number `seq`."""

    seq: int
    sites: tuple[str, ...]


@dataclass
class PendingSteers:
    """Applies the changes that wait for a session. The caller holds the session's lease."""

    store: SessionStore
    checkpoints: Checkpoints
    session: Session
    emit: Emit

    @property
    def lineage(self) -> Lineage:
        """The checkpoints as lines that can be followed and edited."""
        return Lineage(self.checkpoints)

    async def apply_waiting(self) -> Session:
        """Write the changes to the question and the checkpoints, and emit them as events."""
        store, own = self.store, self.session.thread
        await asyncio.to_thread(store.set_request, self.session.id, STEER, "")
        for seq, body, laid in await asyncio.to_thread(store.steers.list_waiting, own):
            if laid:
                continue
            change = Steer.model_validate_json(body)
            question = apply_steer(self.session.question, change)
            await write_question(self.lineage, own, question)
            await apply_new_hints(self.lineage, own, self.session.question, question)
            await self._keep_question(question)
            end = store.steers.mark_applied if change.sites else store.steers.mark_done
            await asyncio.to_thread(end, own, seq)
            await self.emit("", "steered", change.describe_change(), change.event_data())
        return self.session

    async def due_surveys(self) -> tuple[DueSurvey, ...]:
        """The added sites that are still to be surveyed."""
        waiting = await asyncio.to_thread(self.store.steers.list_waiting, self.session.thread)
        changes = [(seq, Steer.model_validate_json(body)) for seq, body, laid in waiting if laid]
        known = self.session.question.sites
        empty = Question(text="?", sites=())
        return tuple(
            DueSurvey(seq, apply_steer(empty, Steer(sites=change.sites)).sites)
            for seq, change in changes
            if known
        )

    async def _keep_question(self, question: Question) -> None:
        self.session = self.session.model_copy(update={"question": question})
        body = question.model_dump_json()
        await asyncio.to_thread(self.store.set_columns, self.session.id, question=body)


async def write_question(lineage: Lineage, own: str, question: Question) -> None:
    """Put a question in the newest checkpoint of a thread and of the branches begun there.

    The nodes that run next stay the same. A branch keeps its share of the budget, if it is one.
    """
    rows: tuple[CheckpointRow, ...] = await lineage.read_rows(own)
    if not rows:
        return
    versions = rows[-1].checkpoint["channel_versions"]
    channel = INPUT_CHANNEL
    begun = (
        await lineage.read_values(own, {channel: versions[channel]}) if channel in versions else {}
    )
    if channel in begun:
        begun[channel].question = question
        await lineage.put_values(own, begun)
        return
    await lineage.put_values(own, {"question": question})
    for branch in await lineage.branches_from(own, rows[-1].id):
        last = await lineage.newest_values(own, branch)
        if "question" in last:
            share = tighten_budget(last["question"].budget, question.budget)
            kept = question.model_copy(update={"budget": share})
            await lineage.put_values(own, {"question": kept}, branch)


async def apply_new_hints(lineage: Lineage, own: str, before: Question, after: Question) -> None:
    """Raise the priors of the known arms that the hints added to a question point to."""
    new = after.hints[len(before.hints) :]
    arms = (await lineage.newest_values(own)).get("arms") if new else ()
    if arms:
        await lineage.put_values(own, {"arms": favour_hinted_arms(arms, new)})


async def refuse_unknown_quotes(
    lineage: Lineage, own: str, checkpoint: str, ids: Sequence[str]
) -> None:
    """Raise QuestionError for a quote that is not in the ledger of a step, `checkpoint`."""
    if not ids:
        return
    rows = [row for row in await lineage.read_rows(own) if row.id == checkpoint]
    versions = {key: each for row in rows for key, each in row.channel_versions(["evidence"])}
    ledger = (await lineage.read_values(own, versions)).get("evidence", ())
    if missing := sorted({*ids} - {item.id for item in ledger if not item.dropped}):
        raise QuestionError(
            f"There is no quote {missing[0]!r} in the ledger of that step.",
            "Name quotes of the answer, such as e1.",
        )


async def set_quotes_aside(lineage: Lineage, own: str, ids: Sequence[str]) -> None:
    """Drop quotes from the ledger of the newest checkpoint of a thread, and the judgements by them.

    All of them are in it.
    """
    if not ids:
        return
    values = await lineage.newest_values(own)
    ledger: tuple[Evidence, ...] = values["evidence"]
    changed = {item.id: item for item in drop_evidence(ledger, ids)}
    feedback: Feedback = values.get("feedback", Feedback())
    grounds = {
        part: () if set(ids).intersection(quotes) else quotes
        for part, quotes in feedback.grounds.items()
    }
    kept = {
        "evidence": tuple(changed.get(item.id, item) for item in ledger),
        "feedback": feedback.model_copy(update={"grounds": grounds}),
    }
    await lineage.put_values(own, kept)


def find_surveyor(
    spec: GraphSpec, registry: Registry, ports: Ports
) -> tuple[str, NodeFunction] | None:
    """The name and the function of the graph's surveyor; None if it has none."""
    for name, node in spec.nodes.items():
        if node.type in registry and registry[node.type].writes >= SURVEY_KEYS:
            return name, bind_node(registry[node.type], node, ports)
        if node.type == GRAPH and (found := find_surveyor(spec.inner(name), registry, ports)):
            return found
    return None


async def survey_added_sites(
    pending: PendingSteers, sites: Sequence[str], survey: MeteredNode
) -> None:
    """Survey sites that were added, and add their arms to those that are known.

    Before the first survey nothing is done, as that one reads the new sites. A site that cannot be
    read becomes a warning.
    """
    own, question = pending.session.thread, pending.session.question
    values = await pending.lineage.newest_values(own)
    if "survey" not in values or not values["survey"].parts:
        return
    known: dict[str, Any] = {
        key: values[key] for key in State.__dataclass_fields__ if key in values
    }
    state = State(**known)
    wanted = tuple(site for site in sites if not forbidding_entry(question.forbidden, site))
    alone = question.model_copy(update={"sites": wanted})
    try:
        update = await survey(replace(state, question=alone, survey=Survey(), arms=(), past=()))
    except WebError as error:
        await pending.emit("", "warned", str(error), {})
        return
    found = cast(Update, update)
    joined, arms = add_site_survey(state, found["survey"], found["arms"])
    spend = state.spend + cast(Spend, update["spend"])
    await pending.lineage.put_values(own, {"survey": joined, "arms": arms, "spend": spend})

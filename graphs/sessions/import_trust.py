"""What of an imported session is not taken over, because its file may come from anywhere."""

import time
from collections.abc import Iterable, Iterator

from forager.adapters.store.checkpoints.thread_transfer import COLUMNS, Rows
from forager.adapters.store.sessions.chronicle import Chronicle
from forager.adapters.store.sessions.session_records import UNDER_WAY, NodeEvent
from forager.adapters.store.sessions.session_store import Session
from forager.budget import tighten_budget
from forager.domain.spend import Budget, Spend
from forager.domain.state import Question
from forager.errors import UsageError
from forager.node_type import Registry
from forager.settings import Settings
from graphs.reports.events import shorten
from graphs.sessions.model_choice import OFFLINE, choose_models
from graphs.spec.resolved_graph import filled_graph
from graphs.spec.spec import GRAPH, GraphSpec, graph_of

IMPORTED = "imported"
"""The kind of the event that tells what was left out."""
RESUME = "__resume__"
"""The channel in which LangGraph keeps the answers that a run resumes with."""
LIMITS = ("rounds", "steps")
MANY = 300
"""Ten times what any preset allows."""
CHANNEL = COLUMNS["writes"].index("channel")


def distrust_session(
    session: Session, chronicle: Chronicle, settings: Settings
) -> tuple[Session, Chronicle]:
    """The session without the model, the approvals and the larger budget of its file.

    It goes on with the user's own model; an answer names the one that wrote it. What was left out
    stands in an event at its end.
    """
    model = OFFLINE if session.model == OFFLINE else _own_model(settings)
    question = _tighten_question(session.question)
    turns = tuple(
        turn.model_copy(update={"question": _tighten_question(turn.question)})
        for turn in chronicle.turns
    )
    left_out = [f"its model {session.model}"] if model != session.model else []
    if count := sum(map(len, chronicle.pleas.values())):
        left_out.append(f"its approval{'s' if count > 1 else ''}")
    budgets = [session.question.budget, *(turn.question.budget for turn in chronicle.turns)]
    if any(budget != tighten_budget(budget, Budget()) for budget in budgets):
        left_out.append("its budget beyond the default")
    events = chronicle.events
    limits = _unusual_limits(filled_graph(graph_of(session), {}))
    if told := _tell_imported(left_out, model, limits):
        message = f"imported {told}"
        events = (*events, _imported_event(events[-1].seq + 1 if events else 1, message))
    ended = session.status not in UNDER_WAY and session.writer != model
    own = {"model": model, "written_by": session.writer if ended else ""}
    return (
        session.model_copy(update={**own, "question": question, "asked": ""}),
        chronicle.model_copy(update={"turns": turns, "pleas": {}, "events": events}),
    )


def _tell_imported(left_out: list[str], model: str, limits: list[str]) -> str:
    """What an event says of an import; empty if everything was taken over."""
    without = f"without {', '.join(left_out)}; it goes on with {model}" if left_out else ""
    graph = f"with a graph that allows {', '.join(limits)}; its budget binds" if limits else ""
    return "; ".join(filter(None, (without, graph)))


def _unusual_limits(spec: GraphSpec) -> list[str]:
    """The rounds and steps of a graph that are far beyond those of any preset, in words."""
    found: list[str] = []
    for name, node in spec.nodes.items():
        if node.type == GRAPH:
            found += _unusual_limits(spec.inner(name))
        for limit in LIMITS:
            value = node.params.get(limit)
            if isinstance(value, int) and value > MANY:
                found.append(f"{value:,} {limit}")
    return found


def drop_answers(rows: Rows) -> Rows:
    """The rows of a thread without the answers that a person gave to it."""
    writes = rows.get("writes", [])
    kept = [row for row in writes if len(row) <= CHANNEL or row[CHANNEL] != RESUME]
    return {**rows, "writes": kept}


def refuse_own_nodes(session: Session, types: Registry) -> None:
    """Raise UsageError if the graph has nodes of the user's own types, which run code."""
    names = {name for name in _type_names(graph_of(session)) if name in types and types[name].own}
    if names:
        raise UsageError(
            f"The graph of this session uses your own node types: {', '.join(sorted(names))}.",
            "If you know where the file is from, import it with --own-nodes.",
        )


def refuse_negative_spend(spends: Iterable[Spend]) -> None:
    """Raise UsageError for a spend that would add to a budget."""
    if any(value < 0 for spend in spends for value in spend.model_dump().values()):
        raise UsageError("The session in this file has spent less than nothing.")


def _type_names(spec: GraphSpec) -> Iterator[str]:
    for name, node in spec.nodes.items():
        if node.type == GRAPH:
            yield from _type_names(spec.inner(name))
        else:
            yield node.type


def _own_model(settings: Settings) -> str:
    """The model of the settings; offline if it cannot be asked."""
    try:
        return choose_models((), settings)
    except UsageError:
        return OFFLINE


def _tighten_question(question: Question) -> Question:
    budget = tighten_budget(question.budget, Budget())
    return question.model_copy(update={"budget": budget})


def _imported_event(seq: int, message: str) -> NodeEvent:
    return NodeEvent(
        seq=seq, time=time.time(), node="", kind=IMPORTED, message=shorten(message), data={}
    )

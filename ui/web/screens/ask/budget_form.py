"""How much a run may spend: presets, every limit by itself, and raising the limits of a run."""

from typing import NamedTuple

import streamlit as st

from forager.domain.spend import Budget
from forager.errors import ForagerError
from graphs.sessions.model_choice import OFFLINE
from graphs.sessions.service import Session, Steer
from graphs.spec.plugins import load_registry
from graphs.spec.resolved_graph import most_rounds
from graphs.spec.spec import graph_of
from ui.server.backend import get_backend
from ui.web.markdown import escape_markdown
from ui.web.screens.ask.ask_state import ask_state
from ui.web.words import later, local_number, say, say_count, say_told


class Preset(NamedTuple):
    """A budget with a name. Models are limited by calls and tokens."""

    about: str
    budget: Budget


class RoundLimits(NamedTuple):
    """The most rounds that a method takes, and the most offline if none are asked for.

    None is for a method without such a limit. A site of at most `whole` pages is read
    whole offline.
    """

    most: int | None = None
    offline: int | None = None
    whole: int = 0


PRESETS = {
    later("Quick"): Preset(
        later("200 fetches, 2 min"),
        Budget(pages=200, rounds=3, seconds=120, calls=30, tokens=60_000),
    ),
    later("Standard"): Preset(
        later("2,000 fetches, 5 min"),
        Budget(pages=2000, seconds=300, calls=90, tokens=180_000),
    ),
    later("Thorough"): Preset(later("20 min"), Budget(seconds=1200, calls=300, tokens=600_000)),
}
STANDARD = "Standard"
LIMITS = {
    "pages": later("Pages fetched"),
    "seconds": later("Seconds"),
    "rounds": later("Rounds"),
    "steps": later("Steps per round"),
    "calls": later("Model calls"),
    "tokens": later("Tokens"),
    "usd": later("US dollars"),
}
ABOUT_LIMITS = {
    "pages": later(
        "Pages fetched in total: most only map the sites, a few are read for the answer"
    ),
    "seconds": later("Seconds of work, including mapping the site"),
    "rounds": later("Visits to the best-ranked pages"),
    "steps": later("Actions in one round"),
    "calls": later("Calls of a language model"),
    "tokens": later("Tokens in and out"),
    "usd": later("US dollars"),
}
OF_MODELS = frozenset({"calls", "tokens", "usd"})
"""Limits that mean nothing to a run without a language model."""
NOT_RAISED = "steps"
LEAST = 0.01
MINUTE = 60
MINUTES = later("Minutes")
MORE = 2
"""How many times the present limit a raised one suggests."""


def usual_preset() -> str:
    """The name of the preset that the settings begin with."""
    return get_backend().settings.default_budget.capitalize()


def choose_preset() -> str:
    """The control; the name of the preset that is chosen."""
    return (
        st.segmented_control(
            say("Budget"),
            tuple(PRESETS),
            default=usual_preset(),
            required=True,
            key="measure",
            format_func=lambda name: f"{say(name)} :small[{say(PRESETS[name].about)}]",
            width="stretch",
            persist_state="session",
        )
        or STANDARD
    )


def limit_fields(preset: str, *, offline: bool, rounds: RoundLimits) -> Budget:
    """A field for every limit that applies, which begins as the preset has it.

    No more `rounds` are offered than the method takes, which is said below. The others stay as the
    preset has them, for a model that takes the session over.
    """
    given: dict[str, float | int | None] = PRESETS[preset].budget.model_dump()
    columns = (*st.columns(4), *(() if offline else st.columns(4)))
    for column, (field, title) in zip(columns, applicable_limits(offline=offline), strict=False):
        whole = field not in {"seconds", "usd"}
        value = getattr(PRESETS[preset].budget, field)
        least = 0 if field == "rounds" else 1
        most = rounds.most if field == "rounds" else None
        if value is not None and most is not None:
            value = min(value, most)
        with column:
            given[field] = st.number_input(
                say(title),
                min_value=least if whole else LEAST,
                max_value=most,
                value=value if value is None or whole else float(value),
                step=1 if whole else None,
                format=None if whole else "%g",
                placeholder=say("set by the method")
                if field in {"rounds", "steps"}
                else say("no limit"),
                key=f"limit-{field}-{preset}" + (f"-{most}" if most else ""),
                help=say(ABOUT_LIMITS[field]),
                persist_state="session",
            )
    if rounds.most is not None:
        st.caption(_describe_limits(rounds, offline=offline))
    kept = {field: value for field, value in given.items() if value is not None}
    return Budget.model_validate(kept)


def applicable_limits(*, offline: bool) -> list[tuple[str, str]]:
    """The limits that apply, each with its title."""
    return [each for each in LIMITS.items() if not (offline and each[0] in OF_MODELS)]


def describe_budget(budget: Budget, *, offline: bool) -> str:
    """The limits of time and of what a model is asked, in one line."""
    limits = [_describe_time(budget.seconds)]
    if offline:
        return say("at most {limits}; no model is called.", limits=limits[0])
    if budget.calls is not None:
        limits.append(say_count(budget.calls, "{n} model call", "{n} model calls"))
    if budget.tokens is not None:
        limits.append(say_count(budget.tokens, "{n} token", "{n} tokens"))
    return say("at most {limits}.", limits=", ".join(limits))


def _describe_time(seconds: float) -> str:
    minutes, rest = divmod(seconds, MINUTE)
    if minutes and not rest:
        return say_count(int(minutes), "{n} minute", "{n} minutes")
    return say("{n} seconds", n=f"{seconds:g}")


def raise_limits(session: Session, *, ended: bool, rounds: int = 0) -> None:
    """A form to raise the limits of a session; one that ended continues with them.

    `rounds` are those of one that ended as it had taken all that its method allows. No more are
    offered than its graph takes.
    """
    budget = session.question.budget
    limits_here = applicable_limits(offline=session.model == OFFLINE)
    names = {name: title for name, title in limits_here if name != NOT_RAISED}
    granted = "-".join(str(getattr(budget, name)) for name in names)
    popover = st.popover(
        say("Raise limits"),
        icon=":material/add_circle:",
        type="tertiary",
        key=f"raising-{session.id}-{granted}",  # another one, shut, once they are raised
    )
    with popover, st.form("more", border=False):
        limits: dict[str, float] = {}
        for name, title in names.items():
            old = getattr(budget, name)
            most = None
            if name == "rounds":
                most = most_rounds(graph_of(session), load_registry(get_backend().settings))
                old = old or rounds or None
                if old is not None and most is not None and old >= most:
                    st.caption(_describe_most(most))
                    continue
            if old is not None:
                limits[name] = _raised_field(name, title, old, session.id, most)
        label = say("Raise limits and resume") if ended else say("Raise limits")
        if st.form_submit_button(label, type="primary"):
            _raise(session.id, Steer(budget=Budget.model_validate(limits)), ended=ended)
        if refused := ask_state().take("budget_refused"):
            st.error(escape_markdown(say_told(refused)))


def _raised_field(name: str, title: str, old: float, id: str, most: int | None) -> float:
    """A field for more of a limit, which says what it is now; a time in minutes, as its meter."""
    minutes = name == "seconds" and old >= MINUTE
    unit = MINUTE if minutes else 1
    shown = old / unit if minutes else old
    now = _write_clock(old) if minutes else local_number(old, 0 if old == int(old) else 2)
    label = say(MINUTES) if minutes else say(title)
    raised = st.number_input(
        say("{limit} (now {value})", limit=label, value=now),
        min_value=type(shown)(0) if name == "rounds" else shown,
        max_value=most,
        value=shown * MORE if most is None else min(shown * MORE, most),
        format="%g" if isinstance(shown, float) else None,
        key=f"more-{name}-{old}-{id}",
        help=None if most is None else _describe_most(most),
    )
    return raised * unit


def _write_clock(seconds: float) -> str:
    """A time as the meters of a run write it."""
    minutes, rest = divmod(int(seconds), MINUTE)
    return f"{minutes}:{rest:02}"


def _describe_limits(rounds: RoundLimits, *, offline: bool) -> str:
    """The most rounds that a method takes, and what it takes offline without a number."""
    told = [] if rounds.most is None else [_describe_most(rounds.most)]
    fewer = rounds.offline is not None and rounds.most is not None and rounds.offline < rounds.most
    if offline and fewer and rounds.offline:
        told.append(
            say(
                "If none is named, it takes {n}, and one more for each further sub-question.",
                n=rounds.offline,
            )
        )
    return " ".join(told)


def _describe_most(rounds: int) -> str:
    return say_count(
        rounds,
        "{n} round is all that the method takes: it follows links in one go.",
        "{n} rounds are the most that the method takes, since later ones seldom find anything. A "
        "copy of it can be given more under Methods.",
    )


def _raise(id: str, change: Steer, *, ended: bool) -> None:
    """A run in progress adopts the limits; one that ended continues from where it stopped."""
    try:
        if ended:
            get_backend().sessions.call(lambda to: to.forks.continue_from(id, None, change))
            get_backend().run(id)
        else:
            get_backend().sessions.call(lambda to: to.steering.steer(id, change))
    except ForagerError as error:
        ask_state().budget_refused = str(error)
    st.rerun()

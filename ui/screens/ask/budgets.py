"""How much a run may spend: three measures to choose from, and every limit by itself."""

from typing import NamedTuple

import streamlit as st

from forager.domain.spend import Budget


class Measure(NamedTuple):
    """A budget with a name; models are held by calls and tokens."""

    about: str
    budget: Budget


MEASURES = {
    "Quick": Measure("4 pages, 2 min", Budget(pages=4, seconds=120, calls=30, tokens=60_000)),
    "Standard": Measure("12 pages, 5 min", Budget(pages=12, seconds=300, calls=90, tokens=180_000)),
    "Thorough": Measure(
        "40 pages, 20 min", Budget(pages=40, seconds=1200, calls=300, tokens=600_000)
    ),
}
STANDARD = "Standard"
NAMES = {
    "pages": "Pages",
    "seconds": "Seconds",
    "rounds": "Rounds",
    "steps": "Steps in a round",
    "calls": "Model calls",
    "tokens": "Tokens",
    "usd": "US dollars",
}
LEAST = 0.01


def measure() -> str:
    """The control; the name of the measure that is chosen."""
    return (
        st.segmented_control(
            "Budget",
            tuple(MEASURES),
            default=STANDARD,
            required=True,
            key="measure",
            format_func=lambda name: f"{name} :small[{MEASURES[name].about}]",
            width="stretch",
            persist_state="session",
        )
        or STANDARD
    )


def limits(name: str) -> Budget:
    """Every limit, as the measure has it until it is changed."""
    given: dict[str, float | int | None] = {}
    columns = st.columns(4) + st.columns(4)
    for column, (field, title) in zip(columns, NAMES.items(), strict=False):
        whole = field not in {"seconds", "usd"}
        value = getattr(MEASURES[name].budget, field)
        least = 0 if field == "rounds" else 1
        with column:
            given[field] = st.number_input(
                title,
                min_value=least if whole else LEAST,
                value=value if value is None or whole else float(value),
                step=1 if whole else None,
                format=None if whole else "%g",
                placeholder="the graph's" if field in {"rounds", "steps"} else "no limit",
                key=f"limit-{field}-{name}",
                help=Budget.model_fields[field].description,
                persist_state="session",
            )
    kept = {field: value for field, value in given.items() if value is not None}
    return Budget.model_validate(kept)


def in_words(budget: Budget, *, offline: bool) -> str:
    """What the limits allow, in one line."""
    said = [f"{budget.pages:,} page{'' if budget.pages == 1 else 's'}"]
    if offline:
        return f"at most {said[0]}, and no model is called."
    if budget.calls is not None:
        said.append(f"{budget.calls:,} model calls")
    if budget.tokens is not None:
        said.append(f"{budget.tokens:,} tokens")
    return f"at most {', '.join(said)}."

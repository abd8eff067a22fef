"""Questions on the handbook, which need no key and no network."""

import streamlit as st

from forager.domain.spend import Budget
from forager.domain.state import Question
from graphs.sessions.model_choice import OFFLINE
from ui.parts.plain import escaped
from ui.screens.ask.beginning import begin
from ui.server.backend import get_backend as here
from ui.server.handbook.demo_questions import GRAPH, QUESTIONS
from ui.server.handbook.demo_questions import DemoQuestion as Asked

MORE = (Asked("a table", "Which exit codes are there, and what does each of them mean?"),)
BUDGET = Budget(pages=12, seconds=120)


def examples() -> None:
    """The questions; one click begins a run."""
    with st.container(key="examples"):
        st.markdown(
            "**Or try one of these** &nbsp; :small[:gray[runs within a minute, without a key]]"
        )
        columns = st.columns(2, gap="medium")
        for place, asked in enumerate(QUESTIONS + MORE):
            with columns[place % 2], st.container(key=f"example-{place}"):
                st.button(
                    f"{escaped(asked.text)} :small[Handbook · {asked.needs}]",
                    key=f"ask-{place}",
                    type="tertiary",
                    on_click=_pick,
                    args=(asked,),
                    width="stretch",
                )


def _pick(asked: Asked) -> None:
    question = Question(text=asked.text, sites=(here().handbook,), budget=BUDGET)
    begin(question, GRAPH, OFFLINE)

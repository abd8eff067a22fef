"""What a run did in a browser, and what it asked its person, for reports."""

from collections.abc import Iterable
from typing import ClassVar, Literal

from forager.adapters.store.sessions.approval_rows import Asked
from forager.browsing.action_text import in_words
from forager.domain.actions import IN_BROWSER
from forager.domain.approvals import outcome
from forager.domain.state import State, Step
from graphs.silent import Silent


class Done(Silent):
    """An action in a browser: `what` in words, the page it led to, or why it failed.

    `changed` says what it changed on the site.
    """

    SILENT: ClassVar[tuple[str, ...]] = ("url", "why", "changed")
    round: int
    what: str
    outcome: Literal["moved", "failed"]
    url: str = ""
    why: str = ""
    changed: str = ""

    @property
    def line(self) -> str:
        """All of it in one line."""
        if self.outcome == "failed":
            return f"{self.what}: failed. {self.why}".strip()
        led = f" → {self.url}" if self.url else ""
        return f"{self.what}{led}. {self.changed}" if self.changed else f"{self.what}{led}"


class Pleaded(Silent):
    """What the person was asked; the answer is null as long as there is none."""

    SILENT: ClassVar[tuple[str, ...]] = ("why", "url")
    kind: Literal["approve", "take over"]
    what: str
    why: str = ""
    url: str = ""
    outcome: str
    answer: bool | None = None

    @property
    def line(self) -> str:
        """All of it in one line."""
        why = f" ({self.why})" if self.why else ""
        at = f", at {self.url}" if self.url else ""
        return f"{self.outcome}: {self.what}{why}{at}"


def done(state: State) -> tuple[Done, ...]:
    """The actions in a browser, in their order."""
    return tuple(_done(step) for step in state.steps if step.action.kind in IN_BROWSER)


def pleaded(asked: Iterable[Asked]) -> tuple[Pleaded, ...]:
    """What was asked, in the order of asking."""
    return tuple(
        Pleaded(
            kind=each.plea.kind,
            what=each.plea.what,
            why=each.plea.why,
            url=each.plea.url,
            outcome=outcome(each.plea, each.answer),
            answer=each.answer,
        )
        for each in asked
    )


def _done(step: Step) -> Done:
    return Done(
        round=step.round,
        what=in_words(step.action),
        outcome=step.outcome,
        url=step.view.url if step.view else "",
        why=step.reason if step.outcome == "failed" else "",
        changed=step.harm,
    )

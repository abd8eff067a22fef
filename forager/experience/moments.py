"""Describes where a run is, as moments that can be compared."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from forager.browsing.action_text import describe_action
from forager.domain.experience import Moment
from forager.domain.state import State, Step


def current_moment(state: State) -> Moment:
    """The moment now: what is asked, and all actions of this turn."""
    return moment_at_step(state, len(state.steps))


def moment_at_step(state: State, count: int) -> Moment:
    """The moment when the turn had `count` steps."""
    return Moment(
        instruction=state.asked,
        before=tuple(describe_step(step) for step in state.steps[:count]),
        site=current_site(state, state.steps[:count]),
    )


def describe_step(step: Step) -> str:
    """Describe a step's action; a page that was opened is named by its title, not its URL."""
    if step.action.kind == "visit" and step.page and step.page.title:
        return f"Open “{step.page.title}”"
    return describe_action(step.action)


def current_site(state: State, steps: Sequence[Step]) -> str:
    """The host that was shown last, or else the one where the trajectory starts."""
    shown = (place for each in reversed(steps) if (place := _step_url(each)))
    urls = (*shown, *state.draw.urls, *state.question.sites)
    return next((name for url in urls if (name := host_of(url))), "")


def host_of(url: str) -> str:
    """The host of a URL without `www.`, with its port if it has one."""
    return urlsplit(url).netloc.rpartition("@")[2].lower().removeprefix("www.")


def _step_url(step: Step) -> str:
    shown = step.view or step.page
    return shown.url if shown else ""

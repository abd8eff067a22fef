"""Where a run stands, as moments that can be compared."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from forager.browsing.action_text import describe_action
from forager.domain.experience import Moment
from forager.domain.state import State, Step


def current_moment(state: State) -> Moment:
    """Now: what is asked, and all that was done in this turn."""
    return moment_at_step(state, len(state.steps))


def moment_at_step(state: State, count: int) -> Moment:
    """As it was when the turn had so many steps."""
    return Moment(
        instruction=state.asked,
        before=tuple(describe_step(step) for step in state.steps[:count]),
        site=current_site(state, state.steps[:count]),
    )


def describe_step(step: Step) -> str:
    """A step's action in words; a page that was opened by its title, not its address."""
    if step.action.kind == "visit" and step.page and step.page.title:
        return f"Open “{step.page.title}”"
    return describe_action(step.action)


def current_site(state: State, steps: Sequence[Step]) -> str:
    """The host where a walk stands, or else where it begins."""
    shown = (place for each in reversed(steps) if (place := _step_url(each)))
    urls = (*shown, *state.draw.urls, *state.question.sites)
    return next((name for url in urls if (name := host_of(url))), "")


def host_of(url: str) -> str:
    """The host of an address but for `www.`, with a port of its own."""
    return urlsplit(url).netloc.rpartition("@")[2].lower().removeprefix("www.")


def _step_url(step: Step) -> str:
    shown = step.view or step.page
    return shown.url if shown else ""

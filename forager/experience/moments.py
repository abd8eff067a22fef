"""Where a run stands, as moments that can be compared."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from forager.browsing.action_text import in_words
from forager.domain.experience import Moment
from forager.domain.state import State, Step


def moment(state: State) -> Moment:
    """Now: what is asked, and all that was done in this turn."""
    return before(state, len(state.steps))


def before(state: State, count: int) -> Moment:
    """As it was when the turn had so many steps."""
    return Moment(
        instruction=state.asked,
        before=tuple(taken(step) for step in state.steps[:count]),
        site=site(state, state.steps[:count]),
    )


def taken(step: Step) -> str:
    """A step's action in words; a page that was opened by its title, not its address."""
    if step.action.kind == "visit" and step.page and step.page.title:
        return f"Open “{step.page.title}”"
    return in_words(step.action)


def site(state: State, steps: Sequence[Step]) -> str:
    """The host where a walk stands, or else where it begins."""
    shown = (place for each in reversed(steps) if (place := _place(each)))
    urls = (*shown, *state.draw.urls, *state.question.sites)
    return next((name for url in urls if (name := host(url))), "")


def host(url: str) -> str:
    """The host of an address but for `www.`, with a port of its own."""
    return urlsplit(url).netloc.rpartition("@")[2].lower().removeprefix("www.")


def _place(step: Step) -> str:
    shown = step.view or step.page
    return shown.url if shown else ""

"""Holds an action against the live page: may it be done, and may it do harm?"""

from playwright.async_api import Page

from forager.adapters.browser.actions.element_facts import look
from forager.adapters.browser.guard.permitted_urls import Permits
from forager.browsing.safety import judge
from forager.domain.actions import Action
from forager.domain.url_rules import permit
from forager.errors import AddressError, RobotsError, WebError

TO_ADDRESS = frozenset({"goto", "new_tab"})


class Examiner:
    """Does nothing to the page."""

    def __init__(self, permits: Permits) -> None:
        self._permits = permits

    async def demand(self, action: Action) -> None:
        """Raises WebError where the address of an action must not be gone to."""
        if action.kind in TO_ADDRESS and action.target:
            await self._permits.demand(action.target)

    async def fault(self, page: Page | None, action: Action) -> str:
        """Why the address of an action or of its link must not be gone to, or empty."""
        try:
            await self.demand(action)
            if action.kind == "click" and page is not None:
                control = await look(page, action)
                if control and control.href.startswith("http"):
                    permit(control.href)
                    await self._permits.demand(control.href)
        except (AddressError, RobotsError) as error:
            return str(error)
        except WebError:
            return ""  # whether it can be had is seen when it is gone to
        return ""

    async def harm(self, page: Page | None, action: Action) -> str:
        """Why the action may change something on the server, or empty."""
        control = await look(page, action) if page is not None else None
        return judge.before(control, action)

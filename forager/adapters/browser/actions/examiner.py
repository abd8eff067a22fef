"""Holds an action against the live page: may it be done, and may it do harm?"""

from playwright.async_api import Page

from forager.adapters.browser.actions.element_facts import read_action_control
from forager.adapters.browser.guard.permitted_urls import PermittedUrls
from forager.browsing.safety import judge
from forager.domain.actions import Action
from forager.domain.url_rules import permit
from forager.errors import AddressError, RobotsError, WebError

URL_KINDS = frozenset({"goto", "new_tab"})


class ActionExaminer:
    """Does nothing to the page."""

    def __init__(self, permits: PermittedUrls) -> None:
        self._permits = permits

    async def require_permitted(self, action: Action) -> None:
        """Raises WebError where the address of an action must not be gone to."""
        if action.kind in URL_KINDS and action.target:
            await self._permits.require_permitted(action.target)

    async def address_fault(self, page: Page | None, action: Action) -> str:
        """Why the address of an action or of its link must not be gone to, or empty."""
        try:
            await self.require_permitted(action)
            if action.kind == "click" and page is not None:
                control = await read_action_control(page, action)
                if control and control.href.startswith("http"):
                    permit(control.href)
                    await self._permits.require_permitted(control.href)
        except (AddressError, RobotsError) as error:
            return str(error)
        except WebError:
            return ""  # whether it can be had is seen when it is gone to
        return ""

    async def side_effect(self, page: Page | None, action: Action) -> str:
        """Why the action may change something on the server, or empty."""
        control = await read_action_control(page, action) if page is not None else None
        return judge.before(control, action)

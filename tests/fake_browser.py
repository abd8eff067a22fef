"""The fakes of the Browser, Recipes and Person ports."""

from collections.abc import Mapping, Sequence

from forager.domain.actions import Action
from forager.domain.approvals import ApprovalRequest
from forager.domain.browser import Snapshot, Tab, View
from forager.domain.documents import Document, OpenedPage
from forager.domain.experience import Recipe
from forager.domain.state import Step
from forager.errors import ActionError, BrowserError, ReplayError
from forager.ports import ActionCheck, ActionResult
from tests.fakes import FETCHED, MemoryBlobs

Move = tuple[str, str, str]
"""Where an action is done, its kind, and its target."""


class FakeBrowser:
    """Shows the screens of a dictionary; `moves` says which screen an action leads to.

    A screen is an accessibility tree; its name is its address. `examined` says what speaks against
    an action, by its kind and target; screens in `lost` cannot be replayed.
    """

    def __init__(
        self,
        blobs: MemoryBlobs,
        screens: Mapping[str, str] | None = None,
        moves: Mapping[Move, str] | None = None,
        *,
        examined: Mapping[tuple[str, str], ActionCheck] | None = None,
        performed: Mapping[Move, ActionResult] | None = None,
        documents: Sequence[Document] = (),
        lost: Sequence[str] = (),
        away: BrowserError | None = None,
    ) -> None:
        self.screens = dict(screens or {})
        self.moves = dict(moves or {})
        self.examined = dict(examined or {})
        self.changes = dict(performed or {})
        self.documents = {document.url: document for document in documents}
        self.lost = frozenset(lost)
        self.away = away
        self.done: list[Action] = []
        self.stood: list[tuple[str, ...]] = []
        self.left: list[str] = []
        self.rendered: list[str] = []
        self._at: dict[str, str] = {}
        self._blobs = blobs

    async def restore(self, walk: str, trail: Sequence[Step]) -> None:
        self._there()
        self.stood.append(tuple(step.id for step in trail))
        view = trail[-1].view if trail else None
        url = view.url if view else ""
        if url in self.lost:
            raise ReplayError(f"The way to {url} leads elsewhere now.")
        self._at[walk] = url

    async def examine(self, walk: str, action: Action) -> ActionCheck:
        self._there()
        return self.examined.get((action.kind, action.target), ActionCheck())

    async def perform(self, walk: str, action: Action, step: str = "") -> ActionResult:
        self._there()
        self.done.append(action)
        move = (self._at.get(walk, ""), action.kind, action.target)
        if move in self.changes:
            done = self.changes[move]
            self._at[walk] = done.view.url
            return done
        url = self.moves.get(move, action.target if action.kind in {"goto", "new_tab"} else "")
        url = url or move[0]
        if url not in self.screens:
            raise ActionError(f"Nothing comes of {action.kind} {action.target} at {move[0]}.")
        self._at[walk] = url
        return ActionResult(view=self._view(url), opened=self._opened(url))

    async def render(self, url: str) -> OpenedPage:
        self._there()
        self.rendered.append(url)
        return self._opened(url)

    async def screenshot(self, walk: str) -> bytes:
        self._there()
        return b"\x89PNG " + self._at.get(walk, "").encode()

    async def close_tabs(self, walk: str) -> None:
        self.left.append(walk)

    def _there(self) -> None:
        if self.away:
            raise self.away

    def _view(self, url: str) -> View:
        snapshot = Snapshot(url=url, title=url, tree=self.screens[url])
        blob = self._blobs.put(snapshot.model_dump_json().encode())
        return View(
            url=url,
            title=url,
            blob=blob,
            tabs=(Tab(url=url, title=url),),
            picture=self._blobs.put(b"\xff\xd8 " + url.encode()),
            pictured=FETCHED,
        )

    def _opened(self, url: str) -> OpenedPage:
        document = self.documents.get(url) or Document(url=url, title=url, text=url)
        blob = self._blobs.put(document.model_dump_json().encode())
        return OpenedPage(document=document, blob=blob, fetched=FETCHED)


class FakeRecipes:
    """Ways in a list."""

    def __init__(self, *recipes: Recipe) -> None:
        self.kept = list(recipes)

    async def find(self, question: str, site: str) -> Recipe | None:
        known = [each for each in self.kept if (each.question, each.site) == (question, site)]
        return next(reversed(known), None)

    async def keep(self, recipe: Recipe) -> None:
        self.kept.append(recipe)


class FakePerson:
    """Gives the same answer to every request."""

    def __init__(self, *, says: bool = False) -> None:
        self.says = says
        self.asked: list[ApprovalRequest] = []

    async def ask(self, request: ApprovalRequest) -> bool:
        self.asked.append(request)
        return self.says

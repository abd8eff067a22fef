"""The installation that this process serves: its own space, and one of each account that is in use.

`get_backend` is the space of whoever asks, so that nobody finds what another account has stored.
"""

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from selectors import BaseSelector
from typing import Final

import streamlit as st

from forager.accounts import PERSONAL_SETTINGS, Account, Role
from forager.domain.urls import canonical_url
from forager.errors import ForagerError, RoleError, StoreError
from forager.settings import (
    Settings,
    environment_name,
    load_settings,
    save_values,
)
from forager.util.telemetry import observe_queue
from graphs.runtime.composition import share_memory
from graphs.system.accounts.account_limits import AccountAllowance
from graphs.system.accounts.account_spaces import prepare_space, release_space, space_settings
from graphs.system.batch.batch_shelf import BatchShelf
from ui.server.access.account_visitors import (
    AccountVisitors,
    Asker,
    is_request,
    page_cookies,
    refuse_role,
    request_asker,
)
from ui.server.access.api_token import ApiToken
from ui.server.access.visitors import ANYBODY, Visitors
from ui.server.examples.example_sites import ExampleSite, serve_examples
from ui.server.handbook.handbook_site import permit_sites, serve_handbook
from ui.server.run_metrics import RunMetrics
from ui.server.session_worker import Result, SessionCall, SessionWorker
from ui.server.space_backend import Backend

LOG = logging.getLogger(__name__)
DELETE_SECONDS = 1.5
"""How long the end of the server waits for the deletions that can still be undone."""
ADDRESS_ENDING: Final = "_url"
"""The names of settings end so that are the address of a service."""
IDLE_SECONDS: Final = 900.0
"""After so long without a call, the space of an account in which nothing runs is closed."""
LOOK_SECONDS: Final = 5.0
"""How often it is noticed what other processes did to accounts."""
NewSelector = Callable[[], BaseSelector | None]


@dataclass
class Installation:
    """`home` is the installation's own space; the others are opened when they are first needed."""

    settings: Settings
    visitors: Visitors
    new_selector: NewSelector
    handbook: str = ""
    examples: Mapping[ExampleSite, str] = field(default_factory=dict)
    closing: threading.Event = field(default_factory=threading.Event)
    metrics: RunMetrics = field(default_factory=RunMetrics)
    _spaces: dict[str, tuple[Backend, ExitStack]] = field(default_factory=dict)
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _preparing: threading.Lock = field(default_factory=threading.Lock)
    """Held for long, while a space is opened or changed; `_lock` never is."""
    _home: Backend | None = None

    @property
    def home(self) -> Backend:
        """The space of the first account, or of whoever runs the server."""
        assert self._home is not None, "open_backend opens it"  # noqa: S101
        return self._home

    @property
    def people(self) -> AccountVisitors | None:
        """The visitors with accounts; None while there are none."""
        if isinstance(self.visitors, AccountVisitors) and self.visitors.are_on():
            return self.visitors
        return None

    @contextmanager
    def looking_once(self) -> Iterator[None]:
        """Within it, this thread takes it that there are accounts, or none, as it is now."""
        if not isinstance(self.visitors, AccountVisitors):
            yield
            return
        with self.visitors.looking_once():
            yield

    def space_of(self, account: Account) -> Backend:
        """The space of an account, opened if need be. Raises ForagerError."""
        backend = self._find_space(account)
        if backend is None or not _is_ready(backend, account):
            with self._preparing:
                backend = self._find_space(account) or self._open_space(account)
                self._prepare(backend, account)
        backend.account = account
        return backend

    def spaces(self) -> tuple[Backend, ...]:
        """The spaces that are open."""
        with self._lock:
            return (self.home, *(backend for backend, _ in self._spaces.values()))

    def renew(self, settings: Settings) -> None:
        """Use these settings of the installation from now on, in all spaces."""
        with self._preparing:
            self.settings = settings
            for backend in self.spaces():
                own = backend.account
                backend.renew(space_settings(settings, own) if own else settings)

    def folder_of(self, field: str, backend: Backend) -> Path:
        """The data folder that keeps a setting: one's own, or the installation's."""
        return backend.settings.data if field in PERSONAL_SETTINGS else self.settings.data

    def keep_settings(self, backend: Backend, values: Mapping[str, str]) -> Settings:
        """Keep settings that were typed in a space, empty ones as unset, and use them from now on.

        Raises UsageError for a value that is not valid, AddressError for an address that is none,
        RoleError, and StoreError.
        """
        if refused := [field for field in values if not may_set(field)]:
            raise RoleError(f"Only an admin may set {refused[0]}.", "Ask an admin.")
        for name, value in values.items():
            if value and name.endswith(ADDRESS_ENDING):
                canonical_url(value)
        folders: dict[Path, dict[str, str]] = {}
        for name, value in values.items():
            folder = self.folder_of(name, backend)
            folders.setdefault(folder, {})[environment_name(name)] = value
        for folder, changes in folders.items():
            save_values(folder, changes)
        home = self.settings.data
        if home in folders:
            fresh = load_settings(home)
            own = [field for field in values if self.folder_of(field, backend) == home]
            named = {field: getattr(fresh, field) for field in own}
            self.renew(self.settings.model_copy(update=named))
        elif backend.account is not None:
            backend.renew(space_settings(self.settings, backend.account))
        return backend.settings

    def look_after(self, idle: float = IDLE_SECONDS) -> None:
        """Notice accounts that another process made, disabled or removed, and close unused spaces.

        Raises StoreError.
        """
        if isinstance(self.visitors, AccountVisitors):
            self.visitors.look()
        opened, people = self._open_ids(), self.people
        able = {each.id for each in people.accounts.list() if not each.disabled} if people else ()
        for id in opened:
            self.close_space(id, unless_used=idle if id in able else 0.0)

    def close_space(self, id: str, unless_used: float = 0.0) -> None:
        """Close the space of an account; what runs is interrupted.

        With `unless_used`, only if nothing runs there, and nobody asked for anything for so long.
        """
        with self._lock:
            backend, stack = self._spaces.get(id, (None, None))
            if backend is None or stack is None:
                return
            if unless_used and not backend.is_idle(unless_used):
                return
            del self._spaces[id]
        backend.closing.set()
        stack.close()
        if backend.account is not None:
            release_space(self.settings, backend.account)

    def continue_batches(self) -> None:
        """Open the spaces in which a batch ran when the last server ended."""
        people = self.people
        for account in people.accounts.list() if people else ():
            folder = space_settings(self.settings, account).data
            if account.home or account.disabled or not folder.exists():
                continue
            if any(each.wanted == "running" for each in BatchShelf(folder).list()):
                try:
                    self.space_of(account)
                except ForagerError as error:
                    LOG.error("the batches of %s cannot go on: %s", account.name, error)

    def accepts_token(self, given: str) -> bool:
        """Whether this is the server's own token, or without accounts that of a login.

        A changed password ends all tokens.
        """
        with self._lock:
            if self.visitors.renew():
                self.home.renew_token()
        own = self.home.api_token.is_token(given)
        return own or (self.people is None and self.visitors.accepts_token(given))

    def count_running(self, token: str) -> int | None:
        """How many sessions of whoever has this token run here; None if nobody is known by it.

        Raises StoreError.
        """
        people = self.people
        if self.accepts_token(token):
            return len(self.home.running())
        if people is None or (asker := people.stream_asker(token)) is None:
            return None
        id, spaces = asker.account.id, self.spaces()
        return sum(len(each.running()) for each in spaces if each.account and each.account.id == id)

    def knows_token(self, backend: Backend, given: str) -> bool:
        """Whether calls of a space with this token are still answered."""
        people = self.people
        if people is None:
            return self.accepts_token(given)
        if backend is self.home and self.home.api_token.is_token(given):
            return True
        asker = people.stream_asker(given)
        return asker is not None and (
            backend.account is not None and asker.account.id == backend.account.id
        )

    def owner(self) -> Asker | None:
        """Who has the server's own token: the first account, as an admin."""
        people = self.people
        home = (
            next((each for each in people.accounts.list() if each.home), None) if people else None
        )
        return Asker(home, "admin") if home else None

    def open_home(self, stack: ExitStack) -> Backend:
        """Open the installation's own space."""
        self.handbook = stack.enter_context(serve_handbook(self.settings.data))
        self.examples = stack.enter_context(serve_examples(self.settings.data))
        first = owner.account if (owner := self.owner()) else None
        settings = space_settings(self.settings, first) if first else self.settings
        self._home = stack.enter_context(self._opened(settings, first, self.closing))
        return self._home

    def close_down(self) -> None:
        """Let all that reads and runs know that the server ends."""
        for each in self.spaces():
            each.closing.set()

    def close_all(self) -> None:
        """Close the spaces of accounts."""
        for id in self._open_ids():
            self.close_space(id)

    def _open_ids(self) -> tuple[str, ...]:
        with self._lock:
            return tuple(self._spaces)

    def _open_space(self, account: Account) -> Backend:
        prepare_space(self.settings, account)
        settings = space_settings(self.settings, account)
        stack = ExitStack()
        backend = stack.enter_context(self._opened(settings, account, threading.Event()))
        with self._lock:
            self._spaces[account.id] = backend, stack
        return backend

    def _find_space(self, account: Account) -> Backend | None:
        with self._lock:
            backend = self.home if account.home else self._spaces.get(account.id, (None,))[0]
            if backend is not None:
                backend.touch()
        return backend

    def _prepare(self, backend: Backend, account: Account) -> None:
        """Have a space work as the account's role and limits say."""
        if backend.account is None or backend.account.role != account.role:
            backend.renew(space_settings(self.settings, account))
        if backend.allowance is None:
            people = self.people
            assert people is not None, "there is an account"  # noqa: S101
            backend.allow(AccountAllowance(people.accounts, account.id))
        backend.account = account

    @contextmanager
    def _opened(
        self, settings: Settings, account: Account | None, closing: threading.Event
    ) -> Iterator[Backend]:
        with ExitStack() as stack:
            stack.enter_context(share_memory(settings))
            permitted = permit_sites(settings, (self.handbook, *self.examples.values()))
            starting: set[str] = set()
            desk = stack.enter_context(SessionWorker(permitted, "desk", starting=starting))
            selector = self.new_selector()
            runs = stack.enter_context(SessionWorker(permitted, "runs", selector, starting))
            people = self.people
            backend = Backend(
                settings,
                runs,
                desk,
                self.visitors,
                self.handbook,
                self.examples,
                starting,
                ApiToken(settings.data),
                self.knows_token,
                account,
                AccountAllowance(people.accounts, account.id) if people and account else None,
                closing=closing,
                metrics=self.metrics,
            )
            try:
                if account is None or account.home:
                    stack.enter_context(backend.api_token.kept())
                backend.batches.continue_all()
                yield backend
            finally:
                backend.deletions.finish(DELETE_SECONDS)
                backend.forgets.finish()


_OPEN: list[Installation] = []


@contextmanager
def open_backend(
    settings: Settings,
    visitors: Visitors = ANYBODY,
    new_selector: NewSelector = lambda: None,
) -> Iterator[Backend]:
    """The installation's own space, during the body; `new_selector` makes one for an event loop."""
    installation = Installation(settings, visitors, new_selector)
    ended = threading.Event()
    with ExitStack() as stack:
        backend = installation.open_home(stack)
        observe_queue(lambda: sum(len(each.starting) for each in installation.spaces()))
        stack.callback(installation.close_all)
        _OPEN.append(installation)
        threading.Thread(target=_keep_looking, args=(installation, ended), daemon=True).start()
        try:
            yield backend
        finally:
            ended.set()
            _OPEN.remove(installation)


def _is_ready(backend: Backend, account: Account) -> bool:
    known = backend.account
    return known is not None and known.role == account.role and backend.allowance is not None


def _keep_looking(installation: Installation, ended: threading.Event) -> None:
    while not ended.wait(LOOK_SECONDS):
        try:
            installation.look_after()
        except StoreError as error:
            LOG.warning("accounts cannot be looked after: %s", error)


def get_installation() -> Installation:
    """The installation that this process serves."""
    return _OPEN[-1]


def find_installation() -> Installation | None:
    """The installation that this process serves, if it serves one."""
    return _OPEN[-1] if _OPEN else None


def find_asker() -> Asker | None:
    """Who asks, in a request or by an open page; None where there are no accounts.

    Nobody is known in other threads.
    """
    people = _OPEN[-1].people if _OPEN else None
    if people is None:
        return None
    if is_request():
        return request_asker()
    return people.page_asker(page_cookies() or st.context.cookies)


def known_asker() -> Asker:
    """Who asks. Raises RoleError if nobody is logged in."""
    if (asker := find_asker()) is None:
        raise RoleError("Nobody is logged in.", "Log in first.")
    return asker


def get_backend() -> Backend:
    """The space of whoever asks. Raises RoleError if accounts are on, and nobody is logged in."""
    installation = _OPEN[-1]
    if installation.people is None:
        return installation.home
    return installation.space_of(known_asker().account)


def find_backend() -> Backend | None:
    """The same; None if nobody is logged in, or no server runs."""
    with suppress(RoleError):
        return get_backend() if _OPEN else None
    return None


def require_role(needed: Role) -> None:
    """Raise RoleError if who asks may not do what this role may; without accounts, all may."""
    if (people := get_installation().people) is not None:
        people.look_anew()
        refuse_role(known_asker(), needed)


def may(role: Role) -> bool:
    """Whether who asks has this role, or one that may do more; without accounts, all may."""
    asker = find_asker()
    return get_installation().people is None or (asker is not None and asker.may(role))


def may_set(field: str) -> bool:
    """Whether who asks may change a setting: their own, or as an admin the installation's."""
    return may("admin") or field in PERSONAL_SETTINGS


async def call_sessions(work: SessionCall[Result]) -> Result:
    """Run a call on the sessions, for a coroutine of the server."""
    return await get_backend().sessions.call_async(work)

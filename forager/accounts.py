"""Accounts of an installation: who may do what, with which tokens, and what is shared."""

from typing import Final, Literal, get_args

from forager.domain.base import Frozen

Role = Literal["viewer", "asker", "editor", "admin"]
Scope = Literal["read", "ask", "edit", "admin"]
ShareKind = Literal["session", "graph"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)
"""From the least to the most; each may do what those before it may."""
SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
"""What a token may do, in the order of the roles: `read` is what a viewer may."""

PERSONAL_SETTINGS: Final = frozenset(
    {
        *("model", "api_key", "openai_api_key", "search", "google_key", "google_engine"),
        *("tavily_key", "serper_key", "brave_key", "screenshots", "language", "default_budget"),
        *("memory", "memory_days", "memory_items", "keep_days"),
    }
)
"""What an account may set for itself: keys, and what concerns its own sessions alone. An address to
which a key of the installation would be sent, a program, a folder and a limit are not among it."""


class Account(Frozen):
    """A person with a space of their own; `home` is the one whose space is the installation's own.

    `stamp` changes with the password and whenever logins must end. Limits are None for none.
    """

    id: str
    name: str
    email: str = ""
    role: Role
    disabled: bool = False
    home: bool = False
    stamp: int = 0
    usd_per_month: float | None = None
    sessions_at_once: int | None = None
    created: float


class AccountToken(Frozen):
    """A token for programs of an account; only its digest is kept."""

    id: str
    account: str
    name: str
    scope: Scope
    created: float
    used: float | None = None
    expires: float | None = None


class Share(Frozen):
    """A session or a graph that is shown to an account, or to all of them (`recipient` empty)."""

    id: str
    owner: str
    kind: ShareKind
    thing: str
    recipient: str = ""
    created: float


def level_of(role: Role) -> int:
    """The rank of a role."""
    return ROLES.index(role)


def limit_role(role: Role, scope: Scope) -> Role:
    """The role in which a token of this scope acts: never more than that of its account."""
    return ROLES[min(ROLES.index(role), SCOPES.index(scope))]

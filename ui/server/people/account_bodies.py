"""The bodies of requests and responses about accounts, tokens and shares."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from forager.accounts import Role, Scope, ShareKind
from forager.domain.base import MAX_INTEGER
from ui.server.api.request_models import RequestBody, Text


def _example(**members: Any) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [members]}, use_attribute_docstrings=True)


class AccountLine(BaseModel):
    """An account, its limits, and what it has spent this month."""

    model_config = _example(
        name="ada",
        email="ada@example.org",
        role="asker",
        disabled=False,
        usd_per_month=20,
        sessions_at_once=2,
        spent=3.75,
        created=1795000000.0,
    )
    name: str
    email: str
    """The address by which a provider vouches for it; empty for none."""
    role: Role
    disabled: bool
    usd_per_month: float | None
    """The most US dollars in a month; null means no limit."""
    sessions_at_once: int | None
    """The most sessions that run at once; null means no limit."""
    spent: float
    """The US dollars of this month (UTC)."""
    created: float


class NewAccount(RequestBody):
    """An account to be made."""

    model_config = _example(name="ada", role="asker", email="ada@example.org")
    name: Text
    role: Role
    email: Text = ""
    """The address by which a provider vouches for it."""
    password: Text = Field("", repr=False)
    """Its password; without one, it logs in through a provider."""


class AccountChange(RequestBody):
    """What to change of an account; what is left out stays."""

    model_config = _example(role="editor", usd_per_month=20)
    role: Role | None = None
    disabled: bool | None = None
    password: Text | None = Field(None, repr=False)
    usd_per_month: float | None = Field(None, ge=0)
    """The most US dollars in a month; null means no limit."""
    sessions_at_once: int | None = Field(None, ge=1, le=MAX_INTEGER)
    """The most sessions that run at once; null means no limit."""


class PasswordChange(RequestBody):
    """One's own new password."""

    model_config = _example(old="correct horse battery", new="staple battery horse")
    old: Text = Field("", repr=False)
    """The present password."""
    new: Text = Field(repr=False)


class AccountRef(BaseModel):
    """The account that was changed or removed."""

    model_config = _example(name="ada")
    name: str


class NewToken(RequestBody):
    """A token to be made."""

    model_config = _example(name="notebook", scope="ask", days=90)
    name: Text
    """What it is for."""
    scope: Scope
    days: float | None = Field(None, gt=0, le=36500)
    """After so many days it expires; null means never."""


class TokenLine(BaseModel):
    """A token; its value is not kept."""

    model_config = _example(
        id="0c1f9e3ab2d4",
        name="notebook",
        scope="ask",
        created=1795000000.0,
        used=1795000060.0,
        expires=1802776000.0,
    )
    id: str
    name: str
    scope: Scope
    """What it may do: each scope includes those before it (read, ask, edit, admin)."""
    created: float
    used: float | None
    """When it was last used, to the minute; null means never."""
    expires: float | None


class MadeToken(TokenLine):
    """A new token with its value, which is told this once."""

    model_config = _example(
        id="0c1f9e3ab2d4",
        name="notebook",
        scope="ask",
        created=1795000000.0,
        used=1795000060.0,
        expires=1802776000.0,
        token="fgr_2mV…",  # noqa: S106  an example
    )
    token: str = Field(repr=False)


class TokenRef(BaseModel):
    """The token that was revoked."""

    model_config = _example(id="0c1f9e3ab2d4")
    id: str


class NewShare(RequestBody):
    """A session or a graph to be shared."""

    model_config = _example(kind="session", thing="q07", account="ada")
    kind: ShareKind
    thing: Text
    """The session's id, or the name of a saved graph."""
    account: Text = ""
    """With whom; empty means everyone who has an account."""


class ShareLine(BaseModel):
    """What is shared, by whom and with whom."""

    model_config = _example(
        id="pXk2mB9vQ0aZ1cTt",
        kind="session",
        thing="q07",
        title="Who built the Skarn lighthouse?",
        owner="grace",
        account="ada",
        created=1795000000.0,
    )
    id: str
    kind: ShareKind
    thing: str
    title: str
    """What lists show: the session's title or question, or the graph's name."""
    owner: str
    account: str
    """With whom; empty means everyone who has an account."""
    created: float


class ShareList(BaseModel):
    """What one shares, and what one was given, newest first."""

    model_config = _example(given=[], received=[])
    given: tuple[ShareLine, ...]
    received: tuple[ShareLine, ...]


class ShareRef(BaseModel):
    """The share that was ended."""

    model_config = _example(id="pXk2mB9vQ0aZ1cTt")
    id: str


class SharedCopy(RequestBody):
    """The name of one's own copy of a shared graph."""

    model_config = _example(name="mine")
    name: Text

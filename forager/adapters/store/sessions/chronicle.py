"""The stored record of a session, apart from its row and its checkpoints."""

from pydantic import Field

from forager.adapters.store.sessions.approval_rows import ApprovalRow
from forager.adapters.store.sessions.session_records import NodeEvent
from forager.domain.base import Frozen
from forager.domain.model_calls import Exchange
from forager.domain.spend import Spend
from forager.domain.state import Turn


class Chronicle(Frozen):
    """Finished turns, events, model replies by task, approval requests and costs by turn.

    `asked` are the exact requests to the models and their replies, by task.
    """

    turns: tuple[Turn, ...] = ()
    events: tuple[NodeEvent, ...] = ()
    replies: dict[str, str] = Field(default_factory=dict)
    asked: dict[str, tuple[Exchange, ...]] = Field(default_factory=dict)
    pleas: dict[int, tuple[ApprovalRow, ...]] = Field(default_factory=dict)
    paid: dict[int, Spend] = Field(default_factory=dict)

"""Every error that Forager raises on purpose; each message says what happened and how to mend it.

* ForagerError
  x UsageError            the request is not understood or cannot be served
    + QuestionError       the question is missing or too long
    + GraphError          the graph does not exist or has faults
      - ConditionError    a condition of a graph is not written correctly
      - NodeError         a user's node type cannot be loaded, or it failed
      - NoGraphError      no saved graph has this name
      - StaleError        the graph was changed by someone else in the meantime
    + SessionError        the session does not exist or cannot be used now
      - NoSessionError    no session has this id
    + RoleError           the account or the token may not do this
    + LimitError          the account has reached a limit
    + NoAccountError      no account has this name
    + NoTokenError        no token has this id
    + NoShareError        nothing is shared under this id
    + NoTrialError        no trial has this file
    + NoRecipeError       no recipe has this number
  x WebError              a page could not be fetched
    + AddressError        not a web address, or one that the guard refuses
    + RobotsError         robots.txt disallows fetching it
    + ConnectError        unknown host, refused connection, or time-out
    + StatusError         the server answered with an error status
    + LateError           not fetched or not read within the seconds of the budget
    + TransferError       too large, too many redirects, or a broken encoding
      - RedirectLoopError it redirects for ever
    + ContentError        fetched, but not a readable document
    + BrowserError        no browser was found, or it crashed or hung
      - ActionError       the page does not allow an action
      - ReplayError       an earlier path leads elsewhere now
  x ModelError            a model call failed
    + ContextError        the prompt exceeds the model's context
    + AwayError           the endpoint did not answer in time
  x SearchError           a search failed
  x ToolError             a tool of an MCP server could not be called, or it failed
  x ClusterError          the Ray cluster is away, or its workers died
  x StoreError            the data folder cannot be read or written
    + BusyError           another process is using it
    + DamagedError        a stored session cannot be read
    + MissingBlobError    a page, view or picture is not stored any more
"""


class ForagerError(Exception):
    """An expected failure: `what` happened, and how to `mend` it."""

    def __init__(self, what: str, mend: str = "") -> None:
        super().__init__(f"{what} {mend}".strip())
        self.what = what
        self.mend = mend


class UsageError(ForagerError):
    """The request is not understood or cannot be served."""


class QuestionError(UsageError):
    """The question is missing or too long."""


class GraphError(UsageError):
    """The graph does not exist or has faults."""


class ConditionError(GraphError):
    """A condition of a graph is not written correctly; `place` counts its characters from 1."""

    def __init__(self, what: str, mend: str, place: int) -> None:
        super().__init__(what, mend)
        self.place = place


class NodeError(GraphError):
    """A user's node type cannot be loaded, or it failed."""


class NoGraphError(GraphError):
    """No saved graph has this name."""


class StaleError(GraphError):
    """Someone else changed the graph in the meantime; `newest` is its version, 0 for none."""

    def __init__(self, what: str, mend: str = "", *, newest: int) -> None:
        super().__init__(what, mend)
        self.newest = newest


class SessionError(UsageError):
    """The session does not exist or cannot be used now."""


class NoSessionError(SessionError):
    """No session has this id."""


class RoleError(UsageError):
    """The account or the token may not do this."""


class LimitError(UsageError):
    """The account has reached a limit."""


class NoAccountError(UsageError):
    """No account has this name."""


class NoTokenError(UsageError):
    """No token has this id."""


class NoShareError(UsageError):
    """Nothing is shared under this id."""


class NoTrialError(UsageError):
    """No trial has this file."""


class NoRecipeError(UsageError):
    """No recipe has this number."""


class WebError(ForagerError):
    """A page could not be fetched; `closed` is why, if there is one that it keeps to itself."""

    closed = ""


class AddressError(WebError):
    """Not a web address, or one that the guard refuses."""


class PrivateAddressError(AddressError):
    """A private address that is not allowed; `host` is what to allow, perhaps with its port."""

    def __init__(self, what: str, mend: str, host: str) -> None:
        super().__init__(what, mend)
        self.host = host


class RobotsError(WebError):
    """robots.txt disallows fetching it."""

    closed = "is closed by robots.txt"


class ConnectError(WebError):
    """Unknown host, refused connection, or time-out."""


CLOSED_STATUSES = {
    401: "asks for a login",
    402: "asks for a payment",
    403: "refuses to be read by programs",
    451: "is closed for legal reasons",
}


class StatusError(WebError):
    """The server answered with an error status."""

    def __init__(self, what: str, mend: str = "", *, status: int) -> None:
        super().__init__(what, mend)
        self.status = status
        self.closed = CLOSED_STATUSES.get(status, "")


class LoginRedirectError(WebError):
    """It redirects to a login that cannot be read, as most cannot."""

    closed = CLOSED_STATUSES[401]


class LateError(WebError):
    """Not fetched or not read within the seconds of the budget; trying again does not help."""


class TransferError(WebError):
    """Too large, too many redirects, or a broken encoding."""


class RedirectLoopError(TransferError):
    """It redirects for ever."""

    closed = "redirects in a loop, although its cookies were kept"


class ContentError(WebError):
    """Fetched, but not a readable document."""


class BrowserError(WebError):
    """No browser was found, or it crashed or hung."""


class ActionError(BrowserError):
    """The page does not allow an action."""


class ReplayError(BrowserError):
    """An earlier path leads elsewhere now."""


class ModelError(ForagerError):
    """A model call failed."""


class ContextError(ModelError):
    """The prompt exceeds the model's context."""


class AwayError(ModelError):
    """The endpoint did not answer in time."""


class ToolError(ForagerError):
    """A tool of an MCP server could not be called, or it failed."""


class ClusterError(ForagerError):
    """The Ray cluster is away, or its workers died; what ran can be resumed."""


class SearchError(ForagerError):
    """A search failed."""


class StoreError(ForagerError):
    """The data folder cannot be read or written."""


class NoBatchError(UsageError):
    """No kept batch has this id."""


class BusyError(StoreError):
    """Another process is using it."""


class DamagedError(StoreError):
    """A stored session cannot be read."""


class MissingBlobError(StoreError):
    """A page, view or picture is not stored any more."""

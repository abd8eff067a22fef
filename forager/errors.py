"""Every error that Forager raises on purpose; each message says what happened and how to mend it.

* ForagerError
  x UsageError            the request cannot be understood or served as asked
    + QuestionError       no question, or one that is too long
    + GraphError          no such graph, or a graph with faults
      - NodeError         a node type of one's own cannot be read, or failed
      - NoGraphError      no such graph among those that were saved
      - StaleError        a graph was saved by someone else meanwhile
    + SessionError        no such session, or it cannot be used now
      - NoSessionError    no such session
  x WebError              a page could not be had
    + AddressError        not an address, or one that the guard refuses
    + RobotsError         robots.txt asks not to fetch it
    + ConnectError        unknown host, refused connection, time-out
    + StatusError         the server answered with an error status
    + TransferError       too large, too many redirects, broken encoding
    + ContentError        fetched, but not a document that can be read
    + BrowserError        no browser, or it crashed or hung
      - ActionError       the page does not let an action be done
      - ReplayError       a way that was walked before leads elsewhere now
  x ModelError            a model could not be asked
    + ContextError        the prompt is longer than the model can take
    + AwayError           the endpoint did not answer for as long as it was waited for
  x SearchError           a search could not be made, or no provider could answer it
  x StoreError            the data folder cannot be read or written
    + BusyError           another process has what is asked for
"""


class ForagerError(Exception):
    """An expected failure: `what` happened and, in the same breath, how to `mend` it."""

    def __init__(self, what: str, mend: str = "") -> None:
        super().__init__(f"{what} {mend}".strip())
        self.what = what
        self.mend = mend


class UsageError(ForagerError):
    """The request cannot be understood or served as asked."""


class QuestionError(UsageError):
    """No question, or one that is too long."""


class GraphError(UsageError):
    """No such graph, or a graph with faults."""


class NodeError(GraphError):
    """A node type of one's own cannot be read, or failed as it ran."""


class NoGraphError(GraphError):
    """No such graph among those that were saved."""


class StaleError(GraphError):
    """A graph was saved by someone else meanwhile; `newest` is its number now, 0 for none."""

    def __init__(self, what: str, mend: str = "", *, newest: int) -> None:
        super().__init__(what, mend)
        self.newest = newest


class SessionError(UsageError):
    """No such session, or it cannot be used now."""


class NoSessionError(SessionError):
    """No such session."""


class WebError(ForagerError):
    """A page could not be had."""


class AddressError(WebError):
    """Not an address, or one that the guard refuses."""


class RobotsError(WebError):
    """robots.txt asks not to fetch it."""


class ConnectError(WebError):
    """Unknown host, refused connection, time-out."""


class StatusError(WebError):
    """The server answered with an error status."""

    def __init__(self, what: str, mend: str = "", *, status: int) -> None:
        super().__init__(what, mend)
        self.status = status


class TransferError(WebError):
    """Too large, too many redirects, or a broken encoding."""


class ContentError(WebError):
    """Fetched, but not a document that can be read."""


class BrowserError(WebError):
    """No browser, or it crashed or hung."""


class ActionError(BrowserError):
    """The page does not let an action be done."""


class ReplayError(BrowserError):
    """A way that was walked before leads elsewhere now."""


class ModelError(ForagerError):
    """A model could not be asked."""


class ContextError(ModelError):
    """The prompt is longer than the model can take."""


class AwayError(ModelError):
    """The endpoint did not answer for as long as it was waited for."""


class SearchError(ForagerError):
    """A search could not be made, or no provider could answer it."""


class StoreError(ForagerError):
    """The data folder cannot be read or written."""


class BusyError(StoreError):
    """Another process has what is asked for."""

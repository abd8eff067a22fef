"""What a browser shows after an action, and what the action sent."""

from forager.frozen import Frozen


class Tab(Frozen):
    """An open tab."""

    url: str
    title: str = ""


class Sent(Frozen):
    """A request that an action set off and that was no GET or HEAD.

    `resource` is the browser's type of it: document, xhr, fetch, ping, beacon …; `payload` the
    beginning of its body, without secrets.
    """

    method: str
    url: str
    resource: str = ""
    payload: str = ""


class View(Frozen):
    """The active tab as it stands: `blob` keeps its snapshot, in which elements have refs.

    `notes` say what happened beside: a dialog and what it said, a download, a tab that opened.
    `picture` is the blob of a screenshot (JPEG) with the element of the action framed, taken just
    before it at `pictured` (epoch, s); of the page itself after a `goto` or `new_tab`.
    """

    url: str
    title: str = ""
    blob: str = ""
    tabs: tuple[Tab, ...] = ()
    active: int = 0
    notes: tuple[str, ...] = ()
    picture: str = ""
    pictured: float = 0.0


class Snapshot(Frozen):
    """What a view's blob holds: the accessibility tree as Playwright writes it (mode "ai").

    `above` and `below` are the pixels that can still be scrolled; `back` and `forward` say whether
    the tab has pages to go to that way, `drags` whether something is made to be dragged. `picture`
    is the blob of a screenshot (PNG) with the refs drawn on it, where one was taken.
    """

    url: str
    title: str = ""
    tree: str = ""
    above: int = 0
    below: int = 0
    back: bool = False
    forward: bool = False
    drags: bool = False
    picture: str = ""

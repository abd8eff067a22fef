"""What a browser shows after an action, and what the action sent."""

from collections.abc import Mapping

from pydantic import Field

from forager.domain.base import Frozen, Stored


class Tab(Stored):
    """An open tab."""

    url: str
    title: str = ""


class SentRequest(Stored):
    """A request that an action set off and that was no GET or HEAD.

    `resource` is the browser's type of it: document, xhr, fetch, ping, beacon …; `payload` the
    beginning of its body, without secrets.
    """

    method: str
    url: str
    resource: str = ""
    payload: str = ""


class View(Stored):
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


class ControlForm(Frozen):
    """The form that a control belongs to.

    `method` is what a submit would use now: get, post, dialog, or empty where neither method nor
    action is written, so that a script must handle it. `fields` are the kinds of its visible
    fields (text, textarea, password …), `names` their names; `commands` are such hidden fields as
    name what is to be done (`do=edit`, `_method=delete`); `default` is the label of the button that
    Enter presses, `submits` how many such buttons it has.
    """

    method: str = ""
    action: str = ""
    fields: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    default: str = ""
    submits: int = 0
    search: bool = False


class Control(Frozen):
    """An element that is acted on: what it is, what it says, and what hangs on it.

    `kind` is an input's or button's type; `icons` name the pictures in it; `hooks` are the
    attributes that scripts and frameworks act by (onclick, data-method, hx-post, class …).
    `submits` when a click submits the form, `popup` when it opens something on the page;
    `around` is the text of the dialog it stands in.
    """

    tag: str = ""
    role: str = ""
    kind: str = ""
    label: str = ""
    title: str = ""
    icons: tuple[str, ...] = ()
    href: str = ""
    hooks: Mapping[str, str] = Field(default_factory=dict)
    around: str = ""
    form: ControlForm | None = None
    submits: bool = False
    popup: bool = False
    disabled: bool = False
    editable: bool = False
    search: bool = False

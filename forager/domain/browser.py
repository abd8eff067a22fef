"""What a browser shows after an action, and the requests that the action sent."""

from collections.abc import Mapping

from pydantic import Field

from forager.domain.base import Frozen, Stored


class Tab(Stored):
    """An open tab."""

    url: str
    title: str = ""


class SentRequest(Stored):
    """A request caused by an action, other than GET or HEAD.

    `resource` is the browser's resource type: document, xhr, fetch, ping, beacon …; `payload` is
    the beginning of its body, without secrets.
    """

    method: str
    url: str
    resource: str = ""
    payload: str = ""


class View(Stored):
    """The state of the active tab after an action; `blob` holds its `Snapshot`.

    `notes` report side events: a dialog and its text, a download, a new tab. `picture` is the blob
    of a screenshot (JPEG) with the action's element framed, taken just before the action at
    `pictured` (epoch, s); after a `goto` or `new_tab` it shows the new page.
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
    """The content of a view's blob: the accessibility tree as Playwright writes it (mode "ai").

    `above` and `below` are the pixels that can still be scrolled up and down; `back` and `forward`
    tell whether the tab's history allows it, `drags` whether something can be dragged. `picture` is
    the blob of a screenshot (PNG) with the refs drawn on it, if one was taken.
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

    `method` is the one a submit would use now: get, post, dialog, or empty if the form has neither
    method nor action, so that a script must handle it. `fields` are the kinds of its visible fields
    (text, textarea, password …), `names` their names; `commands` are hidden fields that name an
    operation (`do=edit`, `_method=delete`); `default` is the label of the button that Enter
    presses, `submits` the number of submit buttons.
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
    """An element that an action targets, as far as it matters for judging side effects.

    `kind` is an input's or button's type; `icons` are names of images in it; `hooks` are the
    attributes that scripts and frameworks use (onclick, data-method, hx-post, class …). `submits`
    tells that a click submits the form, `popup` that it opens something on the page; `around` is
    the text of the dialog around it.
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

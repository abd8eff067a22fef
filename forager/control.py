"""An element as the live page has it, as far as it tells what acting on it may set off."""

from collections.abc import Mapping

from pydantic import Field

from forager.frozen import Frozen


class Form(Frozen):
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
    form: Form | None = None
    submits: bool = False
    popup: bool = False
    disabled: bool = False
    editable: bool = False
    search: bool = False

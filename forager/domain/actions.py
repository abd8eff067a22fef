"""What the navigator may propose, over the web and in a browser."""

from typing import Final, Literal, get_args

from forager.domain.base import Stored


class Element(Stored):
    """What an element is and says, never where it stands: ids and places change, these do not.

    `ancestors` are those that have a name, as `role name`, the outermost first; `value` is what
    stood in it when it was described.
    """

    role: str
    name: str = ""
    value: str = ""
    ancestors: tuple[str, ...] = ()


BrowserKind = Literal[
    "click",
    "type",
    "select",
    "hover",
    "drag",
    "press",
    "scroll",
    "back",
    "forward",
    "goto",
    "new_tab",
    "focus_tab",
    "close_tab",
    "find",
]
Kind = Literal["visit", "search", "aggregate", "stop"] | BrowserKind
IN_BROWSER: Final = frozenset(get_args(BrowserKind))


class Action(Stored):
    """One thing the navigator proposes to do.

    `target` is an address (visit, goto, new_tab), what to look for (search, find), an element's ref
    in the view (click, type, select, hover, drag, press), a direction (scroll: up, down) or a tab's
    number from 0 (focus_tab, close_tab). `value` is the text to type, the option to select, the
    keys to press, the answer to a dialog that a click opens (`ok`, or a text) or where in the
    element to click (`12,30` pixels), what to drag to (a ref, an offset in pixels, a slider's
    number), the ref of what to scroll, or the answer that a stop has in mind; `submit` presses
    Enter after typing. `element` describes the target and `at` names the step whose view it was
    seen in: with them an action in a browser can be done again elsewhere.
    """

    kind: Kind
    target: str = ""
    value: str = ""
    submit: bool = False
    element: Element | None = None
    at: str = ""
    site: str = ""
    reason: str = ""


class Candidate(Stored):
    """An action proposed at a state (`action.at`), with what speaks for it.

    `progress` is how far it would bring the question, 0 to 1; `votes` counts the contexts that
    proposed it, `contexts` names them. `harm` is why it may change something on the server, or
    empty; `number` counts candidates in the order they came. `effect` is what those of one state
    share that come to the same (`action_keys`), `habit` what those share that did the same
    to a page that looked the same.
    """

    number: int
    action: Action
    progress: float
    votes: int = 1
    contexts: tuple[str, ...] = ()
    harm: str = ""
    effect: str = ""
    habit: str = ""

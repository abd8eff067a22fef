"""Actions that the navigator may propose, and what nodes ask of APIs and tool servers."""

from collections.abc import Mapping
from typing import Final, Literal, get_args

from pydantic import Field, JsonValue

from forager.domain.base import Frozen, Stored


class Element(Stored):
    """An element described by role and words, not by ids or position, since those change.

    `ancestors` are its named ancestors as `role name`, outermost first; `value` is its content at
    the time of the description.
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
ToolKind = Literal["call", "request"]
Kind = Literal["visit", "search", "aggregate", "stop"] | BrowserKind | ToolKind
IN_BROWSER: Final = frozenset(get_args(BrowserKind))
BY_TOOL: Final = frozenset(get_args(ToolKind))


class Action(Stored):
    """One thing the navigator proposes to do.

    `target` is a URL (visit, goto, new_tab), words to search for (search, find), an element's ref
    in the view (click, type, select, hover, drag, press), a direction (scroll: up, down), a tab's
    number from 0 (focus_tab, close_tab), a server and its tool (call), or a method and URL
    (request). `value` is the text to type, the option to select, the keys to press, the answer to a
    dialog that a click opens (`ok`, or a text), where in the element to click (`12,30` pixels),
    where to drag it (a ref, an offset in pixels, a slider's number), the ref of the element to
    scroll, the answer that a stop proposes, or what a tool or API is given (JSON). `submit` presses
    Enter after typing. `element` describes the target, and `at` is the id of the step in whose view
    it was seen; with both, an action in a browser can be repeated elsewhere.
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
    """An action proposed at a state (`action.at`), with its scores.

    `progress` estimates how far it would advance the question, 0 to 1; `votes` counts the contexts
    that proposed it, `contexts` names them. `harm` is why it may change something on the server, or
    empty; `number` counts candidates in order of appearance. `effect` is a key shared by candidates
    of one state that have the same effect, `habit` a key shared with actions that did the same on
    an equal-looking page (see `action_keys`).
    """

    number: int
    action: Action
    progress: float
    votes: int = 1
    contexts: tuple[str, ...] = ()
    harm: str = ""
    effect: str = ""
    habit: str = ""


Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]


class ToolDescription(Frozen):
    """What a server says of one of its tools; `arguments` is the JSON schema of its input.

    A tool that is not `read_only` may change something.
    """

    server: str
    name: str
    title: str = ""
    description: str = ""
    read_only: bool = False
    arguments: Mapping[str, JsonValue] = Field(default_factory=dict)

    @property
    def label(self) -> str:
        """Its title, or else its name."""
        return self.title or self.name


class ApiRequest(Frozen):
    """A request to an API; its body is JSON. Headers and body may name secrets: {{name}}."""

    url: str
    method: Method = "GET"
    headers: Mapping[str, str] = Field(default_factory=dict)
    body: str = ""

    @property
    def line(self) -> str:
        """The method and the address."""
        return f"{self.method} {self.url}"

"""What a tab remembers of the page Ask."""

from dataclasses import dataclass, field

from graphs.sessions.service import Session
from graphs.system.site_check import SiteFault
from ui.web.tab_state import tab_object


@dataclass
class LeftEnd:
    """Where a session was before it continued from an earlier step; `wanted`: it goes back there.

    `ended` if there was nothing left to do; `source` is the step that it is to continue from, 0
    once it does.
    """

    session: str
    step: int
    ended: bool
    source: int = 0
    wanted: bool = False


@dataclass
class AskState:
    """What callbacks leave for the script: each is shown or done once.

    `form_requested` asks for an empty start form, which was emptied `emptied` times and has the
    focus if `focus_requested`, `start_requested` for the run that it describes,
    `example` for an example by its number. `sites` are those of the form, drawn anew with each
    `sites_version`; `faults` are those of the form by field. `started` is the session to open, and
    `started_question` its question; `sent` and
    `unsent` say what became of a message to the run, `refused` why a button did nothing, and
    `budget_refused` why the limits were not raised. `edited` is a session whose question is to be
    asked again; `site_fault` is what is wrong with a site of the form, `allowed_hosts` are private
    hosts to allow, `newly_allowed` those that were, and `resume_requested` a session to go on with.
    `editing` is the session whose question the form has, and `left` where the last one that was to
    continue from an earlier step was before.
    `choices_open` is how the fold over method, model and limits was left; None until it was used.
    """

    form_requested: bool = False
    emptied: int = 0
    focus_requested: bool = False
    start_requested: bool = False
    example: int | None = None
    sites: tuple[str, ...] = ()
    sites_version: int = 0
    choices_open: bool | None = None
    faults: dict[str, str] = field(default_factory=dict)
    started: str = ""
    started_question: str = ""
    sent: str = ""
    unsent: str = ""
    refused: str = ""
    budget_refused: str = ""
    edited: Session | None = None
    site_fault: SiteFault | None = None
    allowed_hosts: tuple[str, ...] = ()
    newly_allowed: tuple[str, ...] = ()
    resume_requested: str = ""
    editing: str = ""
    left: LeftEnd | None = None

    def fill_sites(self, sites: tuple[str, ...]) -> None:
        """Let the form have these sites."""
        self.sites = sites
        self.sites_version += 1

    def forget_start(self) -> None:
        """No run is to be started."""
        self.start_requested, self.example = False, None

    def take(self, name: str) -> str:
        """A message, which is forgotten."""
        text = str(getattr(self, name))
        setattr(self, name, "")
        return text


def ask_state() -> AskState:
    """That of this tab."""
    return tab_object(AskState)

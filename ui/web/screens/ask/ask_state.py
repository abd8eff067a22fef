"""What a tab remembers of the page Ask."""

from dataclasses import dataclass, field

from graphs.sessions.service import Session
from ui.web.tab_state import tab_object


@dataclass
class AskState:
    """What callbacks leave for the script: each is shown or done once.

    `form_requested` asks for an empty start form, `start_requested` for the run that it describes.
    `faults` are those of the start form by field. `started` is the session to open; `sent` and
    `unsent` say what became of a message to the run, `refused` why a button did nothing, and
    `budget_refused` why the limits were not raised. `edited` is a session whose question is to be
    asked again; `refused_host` a private host that the form names, `allowed_host` the one to allow.
    """

    form_requested: bool = False
    start_requested: bool = False
    faults: dict[str, str] = field(default_factory=dict)
    started: str = ""
    sent: str = ""
    unsent: str = ""
    refused: str = ""
    budget_refused: str = ""
    edited: Session | None = None
    refused_host: str = ""
    allowed_host: str = ""

    def take(self, name: str) -> str:
        """A message, which is forgotten."""
        text = str(getattr(self, name))
        setattr(self, name, "")
        return text


def ask_state() -> AskState:
    """That of this tab."""
    return tab_object(AskState)

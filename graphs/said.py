"""What a person said in a run that is recorded, which they say again when it is played back."""

from pathlib import Path

from forager.adapters.recording.tape import Played, Tape
from forager.domain.approvals import Plea
from graphs.person import Decide, refuse

FILE = "person.jsonl"


def note(folder: Path, plea: Plea, *, yes: bool) -> None:
    """Write an answer down. Raises StoreError."""
    asked = plea.model_dump(mode="json", exclude={"picture"})
    Tape(folder / FILE).add(_key(plea), asked, yes)


def played(folder: Path) -> Decide:
    """Answers as recorded, with a no to what was not asked then. Raises UsageError."""
    if not (folder / FILE).exists():
        return refuse
    answers = Played(folder / FILE)

    async def decide(plea: Plea) -> bool:
        return bool(answers.next(_key(plea)))

    return decide


def _key(plea: Plea) -> str:
    return f"{plea.kind} {plea.url} {plea.what}"

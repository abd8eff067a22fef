"""The Person port: a run asks by interrupting itself."""

from langgraph.types import interrupt

from forager.plea import Plea


class Interrupting:
    """Leaves the run waiting until somebody has answered."""

    async def ask(self, plea: Plea) -> bool:
        """The answer that the run is resumed with."""
        return bool(interrupt(plea.model_dump(mode="json")))

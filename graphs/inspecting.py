"""What each node of a run did: the way it took, and one node's work in full."""

import asyncio

from graphs.history import Histories, turned
from graphs.spec import GraphSpec
from graphs.way import Ran, Way


class Inspecting(Histories):
    """The verbs that look into a run's nodes."""

    async def way(self, id: str, turn: int | None = None) -> tuple[Ran, ...]:
        """The work of each node in the present turn, or an earlier one, in its order.

        Raises SessionError when there is no such session or turn.
        """
        session = await self._get(id)
        turned(session, turn)
        events = await asyncio.to_thread((await self._sessions()).events, id)
        way = Way(GraphSpec.model_validate_json(session.graph_body))
        for event in events:
            number = event.data.get("turn")
            if event.kind == "begun" and isinstance(number, int) and number > (turn or number):
                break
            way.take((event,))
        return tuple(way.ran)

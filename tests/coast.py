"""A site whose middle page is held until it is let go, so that a run can be caught on its way."""

from threading import Event

from tests.servers import Asked, Reply, Site

ENGINEER = "Which engineer built the Skarn lighthouse?"
SAID = """<title>Skarn lighthouse</title><p>The Skarn lighthouse was built by the engineer Marta
Lindqvist in 1874.</p>"""


class Coast(Site):
    """Three pages one behind the other; the one in the middle is `wanted`, and then `let_go`."""

    def __init__(self) -> None:
        self.wanted = Event()
        self.let_go = Event()
        super().__init__(
            {
                "/": '<title>Coast</title><p>The northern coast.</p><a href="/all.html">All</a>',
                "/all.html": self._middle,
                "/skarn.html": SAID,
            }
        )

    def _middle(self, asked: Asked) -> Reply:
        self.wanted.set()
        self.let_go.wait(120)
        return Reply('<title>All</title><p>Lighthouses.</p><a href="/skarn.html">Skarn</a>')

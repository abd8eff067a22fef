"""A site with a page that is held back until it is released, so that a run can be caught midway."""

from threading import Event

from tests.servers import Asked, Reply, Site

ENGINEER = "Which engineer built the Skarn lighthouse?"
ALL = "/all.html"
SKARN = "/skarn.html"
SAID = """<title>Skarn lighthouse</title><p>The Skarn lighthouse was built by the engineer Marta
Lindqvist in 1874.</p>"""


class Coast(Site):
    """Three pages one behind the other; the one that is held is `wanted`, and then `let_go`.

    `front` is what the first one says besides.
    """

    def __init__(self, held: str = ALL, front: str = "") -> None:
        self.wanted = Event()
        self.let_go = Event()
        pages = {
            "/": f'<title>Coast</title><p>The northern coast.</p>{front}<a href="{ALL}">All</a>',
            ALL: f'<title>All</title><p>Lighthouses.</p><a href="{SKARN}">Skarn</a>',
            SKARN: SAID,
        }

        def late(asked: Asked) -> Reply:
            self.wanted.set()
            self.let_go.wait(120)
            return Reply(pages[held])

        super().__init__({**pages, held: late})

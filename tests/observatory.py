"""A small site on a fictitious house: eight pages, and one link to a page that is gone."""

from collections.abc import Mapping

NAVIGATION = """<nav><a href="/">Home</a> <a href="/history.html">History</a>
<a href="/telescope.html">The great refractor</a> <a href="/staff.html">Staff</a>
<a href="/visits.html">Visits</a> <a href="/library.html">Library</a></nav>"""

FOUNDED = "The observatory was founded in 1887 by the clockmaker Ottilie Brandt."
GROUND = "The lens of the great refractor was ground by Marius Feld in a cellar in Jena."
TICKETS = "Admission costs 6 crowns for adults and 2 crowns for children."

BODIES = {
    "/": (
        "Lantern Hill",
        """<p>Lantern Hill rises above the town of Weyer. These pages tell what stands on it, who
        works there, and how to come and see it.</p>
        <p>Most guests begin with its <a href="/history.html">history</a>.</p>""",
    ),
    "/history.html": (
        "History",
        f"""<p>{FOUNDED} She paid for the first dome with the sale of three tower clocks.</p>
        <p>A storm tore the first dome down in 1911. It was built anew within two years, this time
        of copper.</p>
        <p>What was said of it in the papers is in the
        <a href="/archive/papers.html">press archive</a>.</p>""",
    ),
    "/telescope.html": (
        "The great refractor",
        f"""<p>{GROUND} How he went about it is told <a href="/archive/lens.html">on a page of its
        own</a>.</p>
        <p>The tube is nine metres long and weighs four tonnes. A clockwork turns it with the
        sky.</p>""",
    ),
    "/staff.html": (
        "Staff",
        """<p>Imre Castellan directs the house. Two assistants observe, and a mechanic keeps the
        clockwork in order.</p>
        <table><tr><th>name</th><th>room</th></tr><tr><td>Imre Castellan</td><td>12</td></tr>
        <tr><td>Runa Holt</td><td>14</td></tr></table>""",
    ),
    "/visits.html": (
        "Visits",
        f"""<p>The dome is open on Thursdays from seven to eleven in the evening. {TICKETS}</p>
        <p>Dogs wait outside. There is <a href="/gone.html">a map</a> of the paths.</p>""",
    ),
    "/library.html": (
        "Library",
        """<p>The library holds 12,400 photographic plates and 3,000 bound volumes. Readers ask for
        them at the desk.</p>""",
    ),
    "/archive/lens.html": (
        "How the lens was made",
        """<p>Marius Feld worked on the glass for fourteen months. He broke two blanks before the
        third one held.</p>""",
    ),
    "/archive/papers.html": (
        "Press archive",
        """<p>The Weyer Courier wrote of a night of lanterns. It counted nine hundred guests on the
        hill.</p>""",
    ),
}
PAGES: Mapping[str, str] = {
    path: f"<html lang=en><title>{title}</title><body>{NAVIGATION}<main><h1>{title}</h1>{body}"
    "</main></body></html>"
    for path, (title, body) in BODIES.items()
}

TWO_PAGES = (
    "Who founded the observatory as a clockmaker, and who ground the lens of the great refractor?"
)
ANOTHER = "How much does admission cost for children?"
UNANSWERABLE = "Which submarine cable carries the telegrams of the parliament?"

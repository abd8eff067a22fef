"""The pictures of a run; each has the same as a table behind a disclosure."""

from ui.parts.component import of_run


def arms(session: str) -> None:
    """What is believed of each page where a visit may start, as a curve."""
    of_run("arms", session)

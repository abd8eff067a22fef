"""How long the page layer waits for what does not come at once."""

from typing import Final

PATIENCE: Final = 4000.0
"""Milliseconds until an element must let itself be acted on."""
ANSWER_SECONDS: Final = 20.0
"""How long a server may take to begin its answer."""
LOAD_SECONDS: Final = 10.0
"""How long a page that was gone to may take to load."""
STILL_SECONDS: Final = 5.0
"""How long requests may take that a page makes without leaving."""
HUNG_SECONDS: Final = 5.0
"""How long a script of the page may keep us from looking."""
OPENING_SECONDS: Final = 3.0
"""How long a tab may take to appear that the page has opened."""
LOOK_SECONDS: Final = 15.0
"""How long it may take to look at a page."""

"""Sites by the names that every page calls them."""

from urllib.parse import urlsplit

HANDBOOK = "Handbook"


def place(site: str, handbook: str) -> str:
    """The host of an address or of itself; of the handbook, whose port means nothing, its name."""
    host = urlsplit(site).netloc or site
    return HANDBOOK if host == urlsplit(handbook).netloc else host.removeprefix("www.")

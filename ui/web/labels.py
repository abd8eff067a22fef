"""Sites and times as every page writes them."""

import time
from urllib.parse import urlsplit

HANDBOOK = "Handbook"


def label_site(site: str, handbook: str) -> str:
    """The host of a site; the handbook by its name, since its port means nothing to a reader."""
    host = urlsplit(site).netloc or site
    return HANDBOOK if host == urlsplit(handbook).netloc else host.removeprefix("www.")


def format_time(seconds: float) -> str:
    """Seconds since the epoch as local time."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))

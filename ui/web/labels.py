"""Sites and times as every page writes them."""

from collections.abc import Mapping
from urllib.parse import urlsplit


def label_site(site: str, names: Mapping[str, str]) -> str:
    """The host of a site; the name of one that has one, whose port means nothing to a reader.

    `names` are by address.
    """
    host = urlsplit(site).netloc or site
    named = {urlsplit(address).netloc: name for address, name in names.items()}
    return named.get(host) or host.removeprefix("www.")

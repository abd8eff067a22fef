"""Which requests of a page must not be sent unless a person has approved them."""

import pytest

from forager.browsing.safety.requests import unapproved_reason


@pytest.mark.parametrize(
    ("method", "url", "why"),
    [
        ("GET", "http://site/lamps/delete?id=1", "its address says 'delete'"),
        ("POST", "https://site/account/logout", "its address says 'logout'"),
        ("delete", "http://site/lamps/1", "it is a DELETE request"),
        ("GET", "http://[::1/lamps", "its address cannot be taken apart"),
        ("GET", "http://site/lamps/1", ""),
        ("POST", "http://site/search", ""),
        ("OPTIONS", "http://site/lamps/delete?id=1", ""),
        ("GET", "data:text/plain,/lamps/delete?id=1", ""),
        ("GET", "blob:http://site/logout", ""),
    ],
)
def test_what_needs_approval(method: str, url: str, why: str) -> None:
    assert unapproved_reason(method, url) == why

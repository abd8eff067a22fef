"""Addresses meet the real fetcher: written by a person, and as the target of a redirect."""

from typing import Any
from urllib.parse import urlsplit

import pytest

from forager.adapters.web.fetch.address_guard import AddressGuard
from forager.adapters.web.fetch.fetcher import Fetcher
from forager.domain.urls import canonical_url
from forager.errors import AddressError, ConnectError
from tests.attack.case_reader import case_name, read_cases
from tests.servers import Reply, Site

CASES = read_cases("addresses")
REFUSED = [case for case in CASES if case["seen"] != "silent" and "redirect" not in case]
PRIVATE = [case for case in CASES if case["seen"] == "private"]
MESSAGES = {
    "private": (AddressError, "is a private address"),
    "no address": (AddressError, "not a web address|longer than"),
    "silent": (ConnectError, "unknown|refused the connection"),
}


@pytest.mark.parametrize("case", CASES, ids=case_name)
async def test_an_address_is_told_what_it_is(fetcher: Fetcher, case: dict[str, Any]) -> None:
    kind, message = MESSAGES[case["seen"]]
    with pytest.raises(kind, match=message):
        await fetcher.get(case["url"])


@pytest.mark.parametrize("case", REFUSED, ids=case_name)
async def test_a_redirect_leads_to_no_closed_address(
    site: Site, fetcher: Fetcher, case: dict[str, Any]
) -> None:
    target = case["url"].replace("\r", "").replace("\n", "")
    site.routes["/hop"] = Reply("", 302, headers={"Location": target.encode().decode("latin-1")})
    with pytest.raises(AddressError):
        await fetcher.get(site.url("/hop"))
    assert site.paths() == ["/hop"]


@pytest.mark.parametrize("case", PRIVATE, ids=case_name)
async def test_what_is_looked_up_is_checked_again(case: dict[str, Any]) -> None:
    url = canonical_url(case["url"])
    host = urlsplit(url).hostname or ""
    assert AddressGuard([host]).is_url_allowed(url)
    assert AddressGuard().refuses_url(url)
    assert not AddressGuard([host]).refuses_url(url)
    if not host.endswith(".localhost"):
        with pytest.raises(AddressError, match="private"):
            await AddressGuard().resolve(host, 80)

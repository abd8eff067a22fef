"""Which addresses entries forbid."""

import pytest

from forager.domain.urls import (
    check_allowed,
    check_allowed_now,
    forbid_addresses,
    forbidding_entry,
)
from forager.errors import AddressError


@pytest.mark.parametrize(
    ("entry", "url", "said"),
    [
        ("docs.example", "https://docs.example/a", True),
        ("docs.example", "http://www.docs.example:8080/", True),
        ("docs.example", "https://old.docs.example/", True),
        ("docs.example", "https://mydocs.example/", False),
        ("docs.example:8080", "http://docs.example:8080/a", True),
        ("docs.example:80", "http://docs.example/a", True),
        ("docs.example:8080", "http://docs.example/a", False),
        ("[2001:db8::1]", "http://[2001:db8::1]:8080/a", True),
        ("[2001:db8::1]:80", "http://[2001:db8::1]/a", True),
        ("[2001:db8::1]:80", "http://[2001:db8::1]:8080/a", False),
        ("https://docs.example/old", "https://docs.example/old", True),
        ("https://docs.example/old", "http://docs.example/old/page", True),
        ("https://docs.example/old", "https://docs.example/old?page=2", True),
        ("https://docs.example/old", "https://docs.example/older", False),
        ("https://docs.example/old/", "https://docs.example/old/page", True),
        ("https://docs.example/", "https://docs.example", True),
        ("https://docs.example/", "https://other.example/", False),
        ("docs.example", "mailto:somebody@docs.example", False),
        ("docs.example", "http://[broken/", False),
    ],
)
def test_forbidden_addresses(entry: str, url: str, said: bool) -> None:
    assert forbidding_entry(["other.example:1", entry], url) == (entry if said else "")


def test_the_error_names_the_forbidding_entry() -> None:
    with pytest.raises(AddressError, match=r"http://a\.b/c is not read: a\.b was forbidden"):
        check_allowed(["a.b"], "http://a.b/c")


def test_addresses_are_forbidden_only_inside_the_context() -> None:
    with forbid_addresses(["a.b"]), pytest.raises(AddressError):
        check_allowed_now("http://a.b/c")
    check_allowed_now("http://a.b/c")

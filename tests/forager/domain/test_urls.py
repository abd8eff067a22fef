"""A site is a host and a port, with and without www, by http and https; a page has one identity."""

import pytest

from forager.domain.urls import link_target, page_identity, same_site, tried_pages
from tests.fakes import MemoryBlobs
from tests.nodes.states import document, failed, step


def test_schemes_and_www_make_no_other_site() -> None:
    root = "https://www.example.org/docs/"
    assert same_site(root, "http://example.org/other")
    assert same_site("http://example.org:80/", root)


def test_other_hosts_and_ports_are_other_sites() -> None:
    assert not same_site("https://example.org/", "https://docs.example.org/")
    assert not same_site("https://example.org/", "https://example.org:8443/")
    assert not same_site("http://127.0.0.1:8101/", "http://127.0.0.1:8102/")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://host/", "http://host/index.html"),
        ("http://host/a/", "http://host/a/default.aspx"),
        ("http://host/a?x=1&y=2", "http://host/a?y=2&x=1"),
    ],
)
def test_addresses_of_one_page(one: str, other: str) -> None:
    assert page_identity(one) == page_identity(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://host/a", "http://host/a/"),
        ("http://host/a?x=1", "http://host/a?x=2"),
        ("http://host/index.html?x=1", "http://host/?x=1"),
        ("http://host/", "https://host/"),
    ],
)
def test_addresses_of_two_pages(one: str, other: str) -> None:
    assert page_identity(one) != page_identity(other)


def test_a_tried_page_counts_by_both_of_its_addresses() -> None:
    opened = step(MemoryBlobs(), document("b"))
    redirected = opened.model_copy(update={"action": failed("http://host/a").action})
    assert tried_pages([redirected, failed("http://host/x/index.html")]) == {
        "http://host/a",
        "http://host/b",
        "http://host/x/",
    }


@pytest.mark.parametrize(
    ("href", "there"),
    [
        ("b.html#c", "https://host/a/b.html#c"),
        ("//other/", "https://other/"),
        ("#", "https://host/a/"),
        ("mailto:a@b.org", ""),
        ("javascript:void(0)", ""),
        ("http://[", ""),
        ("http://host:99999/", ""),
        ("http:///x", ""),
    ],
)
def test_where_a_link_leads(href: str, there: str) -> None:
    assert link_target("https://host/a/", href) == there

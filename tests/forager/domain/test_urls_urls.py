import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.domain import urls
from forager.domain.urls import same_site
from forager.errors import AddressError

CANONICAL = {
    "HTTP://Example.ORG": "http://example.org/",
    "http://example.org:80/a": "http://example.org/a",
    "https://example.org:443/a": "https://example.org/a",
    "https://example.org:8443/a": "https://example.org:8443/a",
    "http://example.org./a#part": "http://example.org/a",
    "http://example.org/a/../b/./c": "http://example.org/b/c",
    "http://example.org/../../a/": "http://example.org/a/",
    "http://example.org/a/b/..": "http://example.org/a/",
    "http://example.org/%7Euser/%2fx%c3%bc": "http://example.org/~user/%2Fx%C3%BC",
    "http://example.org/a b/ü?q=ö x": "http://example.org/a%20b/%C3%BC?q=%C3%B6%20x",
    "http://exämple.org/": "http://xn--exmple-cua.org/",
    "http://user:secret@example.org/": "http://example.org/",
    "http://example.org/a?": "http://example.org/a",
    "http://example.org/a?b=2&a=1": "http://example.org/a?b=2&a=1",
    "http://example.org/a?utm_source=x&id=3&gclid=9": "http://example.org/a?id=3",
    "http://example.org/a;jsessionid=1F2E?b=1": "http://example.org/a?b=1",
    "http://example.org/a?PHPSESSID=4711": "http://example.org/a",
    "http://example.org/a?sid=0123456789abcdef0123": "http://example.org/a",
    "http://example.org/a?sid=5": "http://example.org/a?sid=5",
    " http://example.org/a\n": "http://example.org/a",
    "http://[::1]:80/a": "http://[::1]/a",
    "http://example.org//a": "http://example.org/a",
}
NO_ADDRESSES = [
    "",
    "example.org",
    "ftp://example.org/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "http://",
    "http:///a",
    "http://example.org:99999/",
    "http://[::1/",
    "http://exa mple.org/",
    "http://example.org/" + "a" * 3000,
]


@pytest.mark.parametrize(("given_", "expected"), CANONICAL.items())
def test_an_address_has_one_canonical_form(given_: str, expected: str) -> None:
    assert urls.canonical_url(given_) == expected


@pytest.mark.parametrize("text", NO_ADDRESSES)
def test_invalid_addresses_are_refused(text: str) -> None:
    with pytest.raises(AddressError):
        urls.canonical_url(text)


ADDRESSES = st.builds(
    "{}://{}{}{}{}".format,
    st.sampled_from(["http", "https", "HTTP"]),
    st.sampled_from(["example.org", "Exämple.org", "127.0.0.1", "[::1]", "a.b.c."]),
    st.sampled_from(["", ":80", ":443", ":8080"]),
    st.text(st.sampled_from("/.aAé%27eE~;=&# ü+-_()"), max_size=20).map(lambda path: f"/{path}"),
    st.text(st.sampled_from("?aé%27Ee&=#sid/ "), max_size=12).map(lambda query: f"?{query}"),
)


@given(ADDRESSES)
def test_canonical_is_idempotent(url: str) -> None:
    once = urls.canonical_url(url)
    assert urls.canonical_url(once) == once
    assert urls.page_key(urls.page_key(url)) == urls.page_key(url)
    assert same_site(once, urls.page_key(url))
    assert set(once) <= set(string.printable) - set(string.whitespace) - set("#")


@given(st.text())
def test_any_text_is_a_valid_address_or_refused(text: str) -> None:
    try:
        once = urls.canonical_url(text)
    except AddressError:
        return
    assert urls.canonical_url(once) == once


@given(ADDRESSES, st.text())
def test_any_link_resolves_or_is_none(base: str, href: str) -> None:
    found = urls.resolve_link(urls.canonical_url(base), href)
    assert found is None or urls.canonical_url(found) == found


BASE = "http://example.org/docs/guide/page.html?x=1"
LINKS = {
    "": "http://example.org/docs/guide/page.html?x=1",
    "#part": "http://example.org/docs/guide/page.html?x=1",
    "other.html#part": "http://example.org/docs/guide/other.html",
    "../up.html": "http://example.org/docs/up.html",
    "../../../../far.html": "http://example.org/far.html",
    "./": "http://example.org/docs/guide/",
    "/root.html": "http://example.org/root.html",
    "?y=2": "http://example.org/docs/guide/page.html?y=2",
    "//cdn.example.com/a": "http://cdn.example.com/a",
    "https://example.com": "https://example.com/",
    "sub\\page.html": "http://example.org/docs/guide/sub/page.html",
    " spaced.html\n": "http://example.org/docs/guide/spaced.html",
    "two\nlines.html": "http://example.org/docs/guide/twolines.html",
    "a:b": None,
    "mailto:a@example.org": None,
    "javascript:void(0)": None,
    "tel:123": None,
    "data:text/html,x": None,
}


@pytest.mark.parametrize(("href", "expected"), LINKS.items())
def test_links_resolve_against_their_page(href: str, expected: str | None) -> None:
    assert urls.resolve_link(BASE, href) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://example.org/", "http://example.org/index.html"),
        ("http://example.org/docs/index.php", "http://example.org/docs/"),
        ("http://example.org/a?b=2&a=1", "http://example.org/a?a=1&b=2"),
    ],
)
def test_same_page(one: str, other: str) -> None:
    assert urls.page_key(one) == urls.page_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://example.org/", "http://example.org/Index.html"),
        ("http://example.org/", "http://example.org/index.php?title=A"),
        ("http://example.org/a", "http://example.org/a/"),
        ("http://example.org/a", "http://example.org/A"),
    ],
)
def test_different_pages(one: str, other: str) -> None:
    assert urls.page_key(one) != urls.page_key(other)


@pytest.mark.parametrize("name", ["a.html", "a", "a/", "a.pdf", "v1.2", "a.txt", "a.php?x=b.png"])
def test_addresses_that_look_like_pages(name: str) -> None:
    assert urls.looks_like_page(f"http://example.org/{name}")


@pytest.mark.parametrize("name", ["a.PNG", "b/c.tar.gz", "d.mp4", "e.css", "f.zip?x=1"])
def test_addresses_of_files_are_not_pages(name: str) -> None:
    assert not urls.looks_like_page(f"http://example.org/{name}")

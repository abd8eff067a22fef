"""A site is a host and a port, with and without www, by http and https."""

from forager.sites import same_site


def test_schemes_and_www_make_no_other_site() -> None:
    root = "https://www.example.org/docs/"
    assert same_site(root, "http://example.org/other")
    assert same_site("http://example.org:80/", root)


def test_other_hosts_and_ports_do() -> None:
    assert not same_site("https://example.org/", "https://docs.example.org/")
    assert not same_site("https://example.org/", "https://example.org:8443/")
    assert not same_site("http://127.0.0.1:8101/", "http://127.0.0.1:8102/")

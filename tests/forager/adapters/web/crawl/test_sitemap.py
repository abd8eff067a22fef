import gzip

from forager.adapters.web.crawl.sitemap import MAX_UNPACKED, locations, unpacked


def test_locations() -> None:
    body = b"""<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
      <url><loc>http://example.org/a?x=1&amp;y=2</loc></url>
      <url><s:loc> <![CDATA[http://example.org/b]]> </s:loc></url></urlset>"""
    assert locations(body) == (["http://example.org/a?x=1&y=2", "http://example.org/b"], False)


def test_an_index() -> None:
    body = b"<sitemapindex><sitemap><loc>http://example.org/1.xml</loc></sitemap></sitemapindex>"
    assert locations(body) == (["http://example.org/1.xml"], True)


def test_plain_text() -> None:
    assert locations(b"http://example.org/a\nnonsense\n") == (["http://example.org/a"], False)


def test_gzip() -> None:
    assert unpacked(gzip.compress(b"<urlset>")) == b"<urlset>"
    assert unpacked(b"<urlset>") == b"<urlset>"
    assert unpacked(b"\x1f\x8bnonsense") == b""
    assert len(unpacked(gzip.compress(b"x" * (MAX_UNPACKED + 9)))) == MAX_UNPACKED

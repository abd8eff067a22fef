import gzip

from forager.adapters.web.crawl.sitemap import MAX_UNPACKED, parse_sitemap, unpack_body


def test_locations() -> None:
    body = b"""<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
      <url><loc>http://example.org/a?x=1&amp;y=2</loc></url>
      <url><s:loc> <![CDATA[http://example.org/b]]> </s:loc></url></urlset>"""
    assert parse_sitemap(body) == (["http://example.org/a?x=1&y=2", "http://example.org/b"], False)


def test_an_index() -> None:
    body = b"<sitemapindex><sitemap><loc>http://example.org/1.xml</loc></sitemap></sitemapindex>"
    assert parse_sitemap(body) == (["http://example.org/1.xml"], True)


def test_plain_text() -> None:
    assert parse_sitemap(b"http://example.org/a\nnonsense\n") == (["http://example.org/a"], False)


def test_gzip() -> None:
    assert unpack_body(gzip.compress(b"<urlset>")) == b"<urlset>"
    assert unpack_body(b"<urlset>") == b"<urlset>"
    assert unpack_body(b"\x1f\x8bnonsense") == b""
    assert len(unpack_body(gzip.compress(b"x" * (MAX_UNPACKED + 9)))) == MAX_UNPACKED

import gzip

from forager.adapters.web.crawl.crawler import MAX_UNPACKED, parse_sitemap, unpack_body


def test_sitemap_urls_are_parsed() -> None:
    body = b"""<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
      <url><loc>http://example.org/a?x=1&amp;y=2</loc></url>
      <url><s:loc> <![CDATA[http://example.org/b]]> </s:loc></url></urlset>"""
    assert parse_sitemap(body) == (["http://example.org/a?x=1&y=2", "http://example.org/b"], False)


def test_a_sitemap_index_is_recognized() -> None:
    body = b"<sitemapindex><sitemap><loc>http://example.org/1.xml</loc></sitemap></sitemapindex>"
    assert parse_sitemap(body) == (["http://example.org/1.xml"], True)


def test_a_plain_list_of_urls_is_parsed() -> None:
    assert parse_sitemap(b"http://example.org/a\nnonsense\n") == (["http://example.org/a"], False)


def test_a_gzipped_sitemap_is_unpacked() -> None:
    assert unpack_body(gzip.compress(b"<urlset>")) == b"<urlset>"
    assert unpack_body(b"<urlset>") == b"<urlset>"
    assert unpack_body(b"\x1f\x8bnonsense") == b""
    assert len(unpack_body(gzip.compress(b"x" * (MAX_UNPACKED + 9)))) == MAX_UNPACKED

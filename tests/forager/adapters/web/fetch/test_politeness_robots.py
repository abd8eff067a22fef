import pytest

from forager.adapters.web.fetch.politeness import Robots
from forager.errors import RobotsError

URL = "http://example.org/docs/a.html"


def robots(body: str, status: int = 200) -> Robots:
    asked: list[str] = []

    async def load(url: str) -> tuple[int, bytes]:
        asked.append(url)
        assert asked == ["http://example.org/robots.txt"]
        return status, body.encode()

    return Robots("Forager/0.1 (+https://example.org/)", load)


async def test_rules_are_loaded_once() -> None:
    rules = robots("User-agent: *\nDisallow: /secret\nCrawl-delay: 2\nSitemap: http://s/map.xml")
    found = await rules.check_permission(URL, lenient=False)
    assert (found.crawl_delay(), found.sitemaps()) == (2.0, ("http://s/map.xml",))
    with pytest.raises(RobotsError):
        await rules.check_permission("http://example.org/secret/b", lenient=False)


@pytest.mark.parametrize("status", [401, 403, 404, 410])
async def test_a_missing_robots_txt_allows_everything(status: int) -> None:
    assert (await robots("", status).check_permission(URL, lenient=False)).crawl_delay() == 0.0


async def test_a_broken_robots_txt_closes_a_host() -> None:
    with pytest.raises(RobotsError, match="broken"):
        await robots("", 503).check_permission(URL, lenient=False)
    await robots("", 503).check_permission(URL, lenient=True)

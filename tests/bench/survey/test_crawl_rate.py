from collections.abc import Iterator

import pytest

from bench.survey.crawl_rate import CrawlComparison, compare_crawlers
from bench.survey.crawlers.outcome import CrawlOutcome
from tests.servers import Reply, Site


@pytest.fixture
def site() -> Iterator[Site]:
    pages = {f"/{name}.html": f"<title>{name}</title><a href='/'>root</a>" for name in "abc"}
    links = "".join(f"<a href='{path}'>{path}</a>" for path in pages)
    with Site({"/": f"<h1>Root</h1>{links}", "/x.png": Reply(b"", kind="image/png")}) as served:
        served.routes |= pages
        yield served


def test_ratios_are_medians_over_rounds() -> None:
    found = CrawlComparison("http://site/")
    found.outcomes["forager"] = [CrawlOutcome(100, 9, seconds) for seconds in (1.0, 2.0, 4.0)]
    found.outcomes["bare loop"] = [CrawlOutcome(100, 9, seconds) for seconds in (2.0, 2.0, 2.0)]
    assert found.pages_per_second("forager") == 50.0
    assert found.speed_ratio("bare loop") == 1.0
    assert "1.00 times as fast" in found.table_lines()[-1]


def test_every_crawler_does_the_same_work(site: Site) -> None:
    lines: list[str] = []
    found = compare_crawlers(site.url(), lines.append, 10, 1, ("forager", "bare loop"))
    assert {name: one[0].pages for name, one in found.outcomes.items()} == {
        "forager": 4,
        "bare loop": 4,
    }
    assert found.faults == {}
    assert len(lines) == 4


def test_a_crawler_that_cannot_run_is_told() -> None:
    lines: list[str] = []
    found = compare_crawlers("http://127.0.0.1:1/", lines.append, 10, 1, ("forager",))
    assert found.faults["forager"].startswith("failed: ")
    assert "forager: failed: " in lines[-1]

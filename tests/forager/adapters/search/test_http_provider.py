"""Results and failures of all providers with an HTTP API."""

import logging
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest
from pydantic import SecretStr

from forager.adapters.search.provider import Provider, ResultRows
from forager.errors import SearchError
from tests.forager.adapters.conftest import Naps
from tests.forager.adapters.search.conftest import (
    KEYED,
    PAGES,
    SPOKEN,
    Connect,
    Start,
    body_with,
    fields_of_row,
)
from tests.forager.adapters.search.servers import KEY, Engine, Page, Reply

HTML = b"\n<!doctype html><title>Sign in</title>"
REFUSALS: dict[str, dict[int, object]] = {
    "tavily": {
        432: {"detail": {"error": "This request exceeds your plan's set usage limit."}},
        433: {"detail": {"error": "This request exceeds the pay-as-you-go limit."}},
    },
    "serper": {400: {"message": "Not enough credits", "statusCode": 400}},
    "brave": {
        402: {"error": {"code": "PAYMENT_REQUIRED", "detail": "Payment is required."}},
        429: {"errors": [{"code": "QUOTA_LIMITED", "detail": "Request quota limit exceeded."}]},
    },
    "google": {
        403: {"error": {"code": 403, "errors": [{"reason": "dailyLimitExceeded"}]}},
        429: {"error": {"code": 429, "message": "Quota exceeded for quota metric 'Queries'."}},
    },
}
QUOTAS = [(name, status) for name, refusals in REFUSALS.items() for status in refusals]


@pytest.fixture(params=SPOKEN)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def engine(name: str, start: Start) -> Engine:
    return start(name)


@pytest.fixture
async def provider(name: str, engine: Engine, connect: Connect) -> AsyncIterator[Provider]:
    async with aclosing(connect(name, engine.url)) as made:
        yield made


async def fault(provider: Provider) -> SearchError:
    """The provider's error, checked to be one line that names it and hides its key."""
    with pytest.raises(SearchError) as caught:
        await provider.find_rows("lamp", 10, "")
    said = str(caught.value)
    assert said.startswith(provider.name)
    assert KEY not in said
    assert "\n" not in said
    assert caught.value.mend
    assert not said.endswith("..")
    return caught.value


async def test_pages_are_found(provider: Provider, engine: Engine) -> None:
    found = await provider.find_rows("lamp oil", 10, "")
    assert [tuple(row) for row in found.rows] == [(p.url, p.title, p.text) for p in PAGES]
    assert engine.asked[0].headers["accept"] == "application/json"


async def test_a_site_can_be_named(provider: Provider) -> None:
    found = await provider.find_rows("lamp", 10, "https://www.example.org/")
    assert [row.url for row in found.rows] == [PAGES[0].url, PAGES[2].url]


async def test_no_results_is_no_error(provider: Provider, engine: Engine) -> None:
    engine.pages = []
    assert await provider.find_rows("lamp", 10, "") == ResultRows()


async def test_a_long_query_is_cut(provider: Provider) -> None:
    assert len((await provider.find_rows("word " * 300, 5, "https://example.org/")).rows) == 2


async def test_invalid_results_are_left_out(provider: Provider, engine: Engine, name: str) -> None:
    await provider.find_rows("lamp", 1, "")
    field = fields_of_row(name, engine.speaks(engine, engine.asked[0]).body, PAGES[0])
    rows: list[object] = [None, 7, "x", {}, {field["url"]: 5}, {field["url"]: []}]
    rows.append({field["url"]: "https://a.org/", field["title"]: None, field["text"]: 5})
    engine.instead = [Reply(body_with(name, rows))]
    found = await provider.find_rows("lamp", 1, "")
    assert [tuple(row) for row in found.rows] == [("https://a.org/", "", "")]


@pytest.mark.parametrize("name", KEYED)
async def test_a_key_is_required(name: str, engine: Engine, connect: Connect) -> None:
    for empty in (None, SecretStr(""), SecretStr("  ")):
        error = await fault(connect(name, engine.url, **{f"{name}_key": empty}))
        assert error.what == f"{name} needs a key."
        assert f"Set FORAGER_{name.upper()}_KEY" in error.mend
    assert engine.asked == []


@pytest.mark.parametrize("name", KEYED)
async def test_a_wrong_key_is_named(name: str, engine: Engine, connect: Connect) -> None:
    wrong = {f"{name}_key": SecretStr("wrong-key-77")}
    async with aclosing(connect(name, engine.url, **wrong)) as provider:
        error = await fault(provider)
    assert "wrong-key-77" not in str(error)
    assert error.mend == f"Check FORAGER_{name.upper()}_KEY."


@pytest.mark.parametrize("name", KEYED)
@pytest.mark.parametrize("key", ["two\r\nlines", "schlüssel", "nul\0"])
async def test_an_invalid_key_is_not_sent(
    name: str, key: str, engine: Engine, connect: Connect
) -> None:
    error = await fault(connect(name, engine.url, **{f"{name}_key": SecretStr(key)}))
    assert key not in str(error)
    assert engine.asked == []


@pytest.mark.parametrize("name", KEYED)
async def test_a_repeated_key_is_hidden(provider: Provider, engine: Engine) -> None:
    engine.instead = [Reply({"error": {"message": f"no such key {KEY}"}}, 404)]
    assert "no such key ***" in str(await fault(provider))


@pytest.mark.parametrize(("name", "status"), QUOTAS)
async def test_an_exhausted_quota_is_named(
    name: str, status: int, provider: Provider, engine: Engine, naps: Naps
) -> None:
    engine.instead = [Reply(REFUSALS[name][status], status)]
    error = await fault(provider)
    assert error.mend.startswith("Its quota is used up")
    assert str(status) in error.what
    assert naps.taken == []


async def test_a_busy_provider_is_retried_once(
    provider: Provider, engine: Engine, naps: Naps
) -> None:
    busy = Reply({"error": {"code": "RATE_LIMITED"}}, 429, headers={"Retry-After": "2"})
    engine.instead = [busy]
    assert len((await provider.find_rows("lamp", 10, "")).rows) == 3
    assert naps.taken == [2.0]
    engine.instead = [busy, busy]
    assert (await fault(provider)).mend == "It limits the request rate: try again later."


@pytest.mark.parametrize("headers", [{"Retry-After": "3600"}, {"X-RateLimit-Reset": "600, 9"}])
async def test_a_long_pause_is_not_waited_for(
    provider: Provider, engine: Engine, naps: Naps, headers: dict[str, str]
) -> None:
    engine.instead = [Reply(b"", 429, headers=headers)]
    await fault(provider)
    assert naps.taken == []


NONSENSE = [
    (Reply(HTML), "a web page instead of JSON"),
    (Reply(b'{"results": [{"url": "https'), "invalid JSON"),
    (Reply(HTML, 500, "text/html"), "500 Internal Server Error"),
]
NO_LISTS = {"a": 1}, 1, "x"
MORE_NONSENSE = [
    (Reply(HTML, kind="text/html"), "a web page instead of JSON"),
    (Reply(b"\xff\xfe{}"), "invalid JSON"),
    (Reply(b"[" * 9_000), "invalid JSON"),
    (Reply(b" "), "an empty body"),
    (Reply([1, 2]), "JSON that is not an object"),
    (Reply(b"", 599), "answered 599"),
    (Reply(b"", 404), "404 Not Found"),
    (Reply(b"x" * 20_000), "larger than 10,000 bytes"),
    (Reply(b"x", headers={"Content-Encoding": "br"}), "compressed as br"),
    (Reply(b"x" * 99, headers={"Content-Encoding": "gzip"}), "not compressed as its header says"),
]


@pytest.mark.parametrize(
    ("name", "reply", "said"),
    [(name, *case) for name in SPOKEN for case in NONSENSE]
    + [
        (name, Reply(body_with(name, no_list)), "without")
        for name in SPOKEN
        for no_list in NO_LISTS
    ]
    + [(name, *case) for name in ("tavily", "google") for case in MORE_NONSENSE],
)
async def test_invalid_answers_are_errors(
    name: str, engine: Engine, connect: Connect, reply: Reply, said: str
) -> None:
    engine.instead = [reply]
    async with aclosing(connect(name, engine.url, max_bytes=10_000)) as provider:
        assert said in str(await fault(provider))


async def test_a_redirect_is_named(provider: Provider, engine: Engine, name: str) -> None:
    """The new URL is named but not requested: the key goes only to the configured host."""
    engine.instead = [Reply(b"", 301, headers={"Location": f"{engine.url}/new?key=b"})]
    error = await fault(provider)
    assert error.mend == f"Set FORAGER_{name.upper()}_URL to {engine.url}/new."
    assert len(engine.asked) == 1


async def test_a_truncated_reply_is_an_error(provider: Provider, engine: Engine) -> None:
    engine.instead = [Reply({"results": []}, headers={"Content-Length": "5000"})]
    engine.left.set()
    assert "could not be queried" in str(await fault(provider))


async def test_a_silent_provider_times_out(name: str, engine: Engine, connect: Connect) -> None:
    engine.silent = True
    async with aclosing(connect(name, engine.url, request_seconds=0.2)) as provider:
        assert "did not answer within 0.2 s" in str(await fault(provider))
    engine.left.set()


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://127.0.0.1:9", "refused the connection"),
        ("http://nowhere.invalid", "is unknown"),
        ("ftp://127.0.0.1", "is not a web address"),
    ],
)
async def test_an_unreachable_provider_is_an_error(
    name: str, connect: Connect, url: str, said: str
) -> None:
    async with aclosing(connect(name, url)) as provider:
        assert said in str(await fault(provider))


@pytest.mark.parametrize("name", KEYED)
async def test_logs_do_not_contain_the_key(
    provider: Provider, engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    await provider.find_rows("lamp", 10, "")
    engine.instead = [Reply({"error": "no"}, 401)]
    await fault(provider)
    assert caplog.records
    assert not [record for record in caplog.records if KEY in record.getMessage()]
    assert KEY not in repr(provider.__dict__)


@pytest.mark.parametrize("name", ["brave", "google", "searxng"])
async def test_more_results_than_a_page(provider: Provider, engine: Engine) -> None:
    engine.pages = [Page(f"https://a.org/{number}") for number in range(35)]
    found = await provider.find_rows("lamp", 33, "")
    assert [row.url for row in found.rows[:33]] == [page.url for page in engine.pages[:33]]
    engine.asked.clear()
    assert len((await provider.find_rows("lamp", 90, "")).rows) == 35
    assert len(engine.asked) <= 5


@pytest.mark.parametrize("name", ["brave", "google", "searxng"])
async def test_a_second_page_that_fails_loses_nothing(provider: Provider, engine: Engine) -> None:
    engine.pages = [Page(f"https://a.org/{number}") for number in range(35)]
    await provider.find_rows("lamp", 20, "")
    engine.instead = [engine.speaks(engine, engine.asked[0]), Reply(HTML)]
    found = await provider.find_rows("lamp", 30, "")
    assert len(found.rows) >= 10
    assert found.note.startswith("More results could not be fetched.")

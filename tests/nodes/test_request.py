"""The node `request` makes a page of what an API returns."""

from dataclasses import replace

import pytest

from forager.budget import start_meter
from forager.domain.actions import ApiRequest
from forager.domain.documents import Document
from nodes.request import NODE_TYPE as REQUEST
from nodes.request import RequestParams, send_request
from tests.fake_browser import FakePerson
from tests.fake_ports import ports
from tests.fakes import FakeWeb, MemoryBlobs
from tests.nodes.states import part, state

TWO = state(part("p1", "Who founded it?"), part("p2", "When was it founded?"))


async def test_a_request_fills_the_address_and_what_it_returns_is_a_page() -> None:
    blobs = MemoryBlobs()
    url = "https://api.example/find?q=Who%20founded%20it%3F&lang=en"
    web = FakeWeb(blobs, [Document(url=url, text="Ann founded it.")])
    params = RequestParams(
        url="https://api.example/find?q={question}&lang=en", headers={"X-Key": "{{papers}}"}
    )
    with start_meter():
        update = await send_request(TWO, ports(web=web, blobs=blobs), params)
    assert web.sent == [ApiRequest(url=url, headers={"X-Key": "{{papers}}"})]
    [done] = update["steps"]
    assert (done.action.kind, done.action.target) == ("request", f"GET {url}")
    assert REQUEST.route(replace(TWO, steps=update["steps"])) == "found"


@pytest.mark.parametrize("says", [True, False])
async def test_a_post_needs_an_approval(says: bool) -> None:
    blobs, person = MemoryBlobs(), FakePerson(says=says)
    url = "https://api.example/graphql"
    web = FakeWeb(blobs, [Document(url=url, text="Ann founded it.")])
    params = RequestParams(url=url, method="POST", body={"query": {"text": "{part}", "most": 2}})
    with start_meter():
        await send_request(TWO, ports(web=web, blobs=blobs, person=person), params)
    [asked] = person.asked
    assert asked.url == url
    assert '"text": "Who founded it?"' in asked.what
    assert [sent.body for sent in web.sent] == (
        ['{"query": {"most": 2, "text": "Who founded it?"}}'] if says else []
    )


async def test_a_get_whose_address_names_a_change_needs_an_approval() -> None:
    person = FakePerson()
    params = RequestParams(url="https://api.example/delete?id=7")
    with start_meter():
        update = await send_request(TWO, ports(person=person), params)
    [asked] = person.asked
    assert asked.what == "Send GET https://api.example/delete?id=7"
    assert asked.why
    assert update["steps"][0].reason == "It was not approved."


async def test_a_request_that_fails_is_a_failed_step() -> None:
    with start_meter():
        update = await send_request(TWO, ports(), RequestParams(url="https://api.example/gone"))
    [failed] = update["steps"]
    assert "404" in failed.reason


@pytest.mark.parametrize(
    ("params", "says"),
    [
        (RequestParams(), ["There is no address."]),
        (RequestParams(url="api.example"), ["'api.example' is not a web address."]),
        (RequestParams(url="https://h/?k={{key}}"), ["A secret in an address"]),
        (RequestParams(url="https://h/", body={"a": 1}), ["A GET has no body."]),
        (RequestParams(url="https://h/{x}"), ["{x} stands for nothing."]),
        (RequestParams(url="https://h/{part}", method="POST", body={"a": "{site}"}), []),
    ],
)
def test_faults_of_a_request(params: RequestParams, says: list[str]) -> None:
    found = [each.message for each in REQUEST.faults(params)]
    assert len(found) == len(says)
    assert all(text.startswith(said) for text, said in zip(found, says, strict=True))

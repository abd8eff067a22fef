"""An endpoint on loopback, and a model that asks it."""

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.endpoint import Endpoint
from tests.forager.adapters.models.model_client import Asking


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """A scripted endpoint; checks that all requests conform to the API."""
    with Endpoint() as endpoint:
        yield endpoint
    assert endpoint.invalid == []


@pytest.fixture
async def asking(endpoint: Endpoint) -> AsyncIterator[Asking]:
    """A model that asks the endpoint, with its warnings."""
    asking = Asking(endpoint.url)
    yield asking
    await asking.aclose()

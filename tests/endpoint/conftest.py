from collections.abc import Iterator

import pytest

from tests.endpoint import Endpoint, Reply


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """Says "served" to whatever it is asked."""
    with Endpoint(lambda asked: Reply("served")) as endpoint:
        yield endpoint

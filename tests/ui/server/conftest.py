from collections.abc import Iterator

import pytest

from forager.settings import Settings
from tests.ui.server.api_client import Caller, called
from ui.server.handbook.handbook_site import HOST


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    settings = Settings(data=tmp_path_factory.mktemp("data"), allow_private=(HOST,))
    with called(settings) as caller:
        yield caller

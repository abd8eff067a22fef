"""Each search provider can be chosen in the settings, and opened."""

from typing import get_args

import pytest

from forager.adapters.search.provider_registry import NEEDED_SETTINGS, SITES, WEB_PROVIDERS
from forager.settings import Provider, Settings


def test_the_settings_take_each_provider() -> None:
    assert {*WEB_PROVIDERS, SITES} == set(get_args(Provider)), "see `Provider` in the settings"


@pytest.mark.parametrize("name", WEB_PROVIDERS)
async def test_each_provider_finds_its_settings(name: str) -> None:
    provider = WEB_PROVIDERS[name](Settings())
    await provider.aclose()


def test_needed_settings_exist() -> None:
    needed = {setting for settings in NEEDED_SETTINGS.values() for setting in settings}
    assert needed <= Settings.model_fields.keys()

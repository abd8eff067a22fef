"""Each search provider can be chosen in the settings, and opened."""

import pkgutil
from pathlib import Path
from typing import get_args

import pytest

from forager.adapters.search import engines
from forager.adapters.search.provider_registry import NEEDED_SETTINGS, SITES, WEB_PROVIDERS
from forager.settings import FOLDER_SETTINGS, Provider, Settings, environment_name
from tests.forager.adapters.search.conftest import LACKING

ROOT = Path(__file__).parents[4]
REGISTRY = "forager/adapters/search/provider_registry.py"


def test_no_step_to_a_provider_is_forgotten() -> None:
    assert LACKING == {}, "add what is missing: until then the provider is not tested"


def test_each_file_of_engines_is_in_the_registry() -> None:
    files = {module.name for module in pkgutil.iter_modules(engines.__path__)}
    listed = {made.__module__.rpartition(".")[2] for made in WEB_PROVIDERS.values()}
    assert listed == files, f"add its class to WEB_PROVIDERS in {REGISTRY}"


def test_the_settings_take_each_provider() -> None:
    assert set(get_args(Provider)) == {*WEB_PROVIDERS, SITES}, (
        "name the same providers in `Provider` of forager/settings.py and in WEB_PROVIDERS"
    )


@pytest.mark.parametrize("name", sorted(WEB_PROVIDERS.keys() - LACKING.keys()))
async def test_each_provider_finds_its_settings(name: str) -> None:
    provider = WEB_PROVIDERS[name](Settings())
    assert provider.name == name, "its class and WEB_PROVIDERS need the same name"
    await provider.aclose()


@pytest.mark.parametrize("name", WEB_PROVIDERS)
def test_a_setting_without_a_default_is_needed(name: str) -> None:
    own = {field for field in Settings.model_fields if field.startswith(f"{name}_")}
    empty = {field for field in own if not Settings.model_fields[field].default}
    assert empty <= {*NEEDED_SETTINGS.get(name, ())}, f"add it to NEEDED_SETTINGS in {REGISTRY}"


@pytest.mark.parametrize("name", NEEDED_SETTINGS)
def test_a_needed_setting_can_be_given(name: str) -> None:
    """In the web UI, and a key in the .env of a folder; an address may not come from there."""
    page = Path("ui/web/screens/settings/provider_settings.py")
    fields = (ROOT / page).read_text(encoding="utf-8")
    hidden = [setting for setting in NEEDED_SETTINGS[name] if f'"{setting}": ' not in fields]
    assert hidden == [], f"add it to SEARCH_TEXTS of {page}, or to SEARCH_KEYS if it is a key"
    keys = {setting for setting in NEEDED_SETTINGS[name] if setting.endswith("_key")}
    assert keys <= FOLDER_SETTINGS, "add it to FOLDER_SETTINGS in forager/settings.py"


@pytest.mark.parametrize("name", [*WEB_PROVIDERS, SITES])
def test_each_provider_has_its_row_in_the_handbook(name: str) -> None:
    lines = (ROOT / "docs" / "search.md").read_text(encoding="utf-8").splitlines()
    [row, *_] = [line for line in lines if line.startswith(f"| `{name}` |")] or [""]
    assert row, "add its row to the table of docs/search.md"
    needed = {f"`{environment_name(setting)}`" for setting in NEEDED_SETTINGS.get(name, ())}
    assert {each for each in needed if each not in row} == set(), f"it needs them: {row}"


def test_needed_settings_exist() -> None:
    needed = {setting for settings in NEEDED_SETTINGS.values() for setting in settings}
    assert needed <= Settings.model_fields.keys()

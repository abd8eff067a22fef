import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from forager.errors import UsageError
from forager.settings import KEPT_FILE, load_settings, read_kept_values, save_values, setting_origin


def test_kept_values_are_read_and_readable_only_by_their_owner(tmp_path: Path) -> None:
    save_values(tmp_path, {"FORAGER_TAVILY_KEY": "it's \\ a key", "FORAGER_SEARCH": "tavily,sites"})
    save_values(tmp_path, {"FORAGER_MEMORY_DAYS": "7"})
    settings = load_settings(tmp_path)
    assert settings.tavily_key
    assert settings.tavily_key.get_secret_value() == "it's \\ a key"
    assert (settings.search, settings.memory_days) == (("tavily", "sites"), 7)
    assert settings.data == tmp_path
    assert stat.S_IMODE((tmp_path / KEPT_FILE).stat().st_mode) == 0o600
    assert setting_origin("tavily_key", tmp_path) == "kept"
    assert setting_origin("brave_key", tmp_path) == "default"


@pytest.mark.parametrize("value", ["localhost, [::1]:8102,", '["localhost", "[::1]:8102"]'])
@pytest.mark.parametrize("field", ["allow_private", "browser_hosts"])
def test_hosts_are_separated_by_commas(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, field: str, value: str
) -> None:
    monkeypatch.setenv(f"FORAGER_{field}".upper(), value)
    assert getattr(load_settings(tmp_path), field) == ("localhost", "[::1]:8102")


def test_concurrent_saves_are_not_lost(tmp_path: Path) -> None:
    changes = [{f"FORAGER_{name}_KEY": name} for name in ("TAVILY", "SERPER", "BRAVE", "GOOGLE")]
    together = Barrier(len(changes))

    def save(change: dict[str, str]) -> None:
        together.wait(60)
        save_values(tmp_path, change)

    with ThreadPoolExecutor(len(changes)) as pool:
        list(pool.map(save, changes))
    assert read_kept_values(tmp_path) == {
        name: value for each in changes for name, value in each.items()
    }


def test_an_empty_value_removes_a_variable(tmp_path: Path) -> None:
    save_values(tmp_path, {"OPENAI_API_KEY": "k"})
    save_values(tmp_path, {"OPENAI_API_KEY": ""})
    assert read_kept_values(tmp_path) == {}
    assert load_settings(tmp_path).openai_api_key is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FORAGER_SEARCH", "nobody"),
        ("FORAGER_MEMORY_DAYS", "-1"),
        ("FORAGER_KEEP_DAYS", "1e-9"),
        ("FORAGER_REQUEST_SECONDS", "0"),
        ("FORAGER_POLITENESS_SECONDS", "-1"),
        ("FORAGER_ALLOW_PRIVATE", "no list"),
        ("FORAGER_API_KEY", "a\nFORAGER_DATA='/'"),
        ("FORAGER_API_KEY", "${HOME}"),
    ],
)
def test_an_invalid_value_is_refused_and_changes_nothing(
    tmp_path: Path, name: str, value: str
) -> None:
    save_values(tmp_path, {"FORAGER_MODEL": "openai:gpt-5-mini"})
    with pytest.raises(UsageError):
        save_values(tmp_path, {name: value})
    assert read_kept_values(tmp_path) == {"FORAGER_MODEL": "openai:gpt-5-mini"}
    assert {path.name for path in tmp_path.iterdir()} == {KEPT_FILE, ".lock"}

"""The space of an account: a data folder of its own, and on a server a schema of its own.

What another account has stored does not exist there, so no call has to look whose it is.
"""

import re
import shutil
from pathlib import Path
from typing import Final

from pydantic import SecretStr
from sqlalchemy import text

from forager.accounts import PERSONAL_SETTINGS, Account
from forager.adapters.models import prices
from forager.adapters.models.local.gguf_files import FOLDER as MODELS
from forager.adapters.store.blob_store import open_blob_store
from forager.adapters.store.server import connected, forget_server, with_schema
from forager.adapters.tools.tool_servers import FILE as TOOLS
from forager.errors import StoreError
from forager.settings import (
    KEPT_FILE,
    Settings,
    environment_name,
    read_kept_values,
    setting_origin,
    settings_from,
)
from forager.util.files import make_private_folder
from forager.util.place import Server
from graphs.spec.plugins import FOLDER as NODES

SPACES: Final = "users"
"""The folder of the installation that holds the spaces of all but the first account."""
COMMON: Final = (MODELS, prices.FILE)
"""What all spaces have in common, by its name in the installation's folder."""
SPACE_ID: Final = re.compile(r"[0-9a-f]{12}")
GIVEN: Final = frozenset({"environment", ".env"})


def space_settings(home: Settings, account: Account) -> Settings:
    """The settings in which an account works; `home` are those of the installation.

    Keys from the environment are for all; those that the first account keeps are its own. Raises
    StoreError.
    """
    confined = account.role != "admin"
    if account.home:
        return home.for_role(confined=confined)
    folder = _folder(home, account.id)
    own: dict[str, object] = {
        "data": folder,
        "user": account.id,
        "record": None,
        "secrets": None,
        "own_nodes_folder": home.own_nodes_folder or home.data / NODES,
        "tools": home.tools or home.data / TOOLS,
        "webhooks": home.webhooks if _is_given("webhooks", home) else (),
        "blobs": home.blobs and f"{home.blobs.rstrip('/')}/{SPACES}/{account.id}",
        "database_url": _space_address(home.database_url, account.id),
    }
    own |= dict.fromkeys(_kept_secrets(home))
    kept = read_kept_values(folder)
    if kept:
        read = settings_from(folder / KEPT_FILE)
        names = (name for name in PERSONAL_SETTINGS if environment_name(name) in kept)
        own |= {name: getattr(read, name) for name in names if not _is_given(name, home)}
    space = f"{SPACES}/{account.id}"
    return home.model_copy(update=own).for_role(confined=confined, space=space)


def prepare_space(home: Settings, account: Account) -> None:
    """Make the folder and the schema of an account. Raises StoreError."""
    if account.home:
        return
    folder = _folder(home, account.id)
    try:
        make_private_folder(folder)
        for name in COMMON:
            _link(folder / name, home.data / name)
    except OSError as error:
        raise StoreError(f"{folder} cannot be made: {error}.", "Make it writable.") from error
    place = home.place("accounts")
    if isinstance(place, Server):
        with connected(place) as db, db.begin():
            db.execute(text(f"CREATE SCHEMA IF NOT EXISTS {_schema(account.id)}"))


def release_space(home: Settings, account: Account) -> None:
    """Close the connections to the schema of an account, of which nothing is used now."""
    place = space_settings(home, account).place("sessions")
    if not account.home and isinstance(place, Server):
        forget_server(place)


def delete_space(home: Settings, account: Account) -> None:
    """Delete all that an account has stored. Raises StoreError."""
    if account.home:
        return
    settings, folder = space_settings(home, account), _folder(home, account.id)
    if settings.blobs:
        with open_blob_store(settings) as blobs:
            blobs.delete_blobs(blobs.read_sizes())
    try:
        if folder.exists():
            shutil.rmtree(folder)
    except OSError as error:
        raise StoreError(f"{folder} cannot be deleted: {error}.", "Delete it by hand.") from error
    place = home.place("accounts")
    if isinstance(place, Server):
        release_space(home, account)
        with connected(place) as db, db.begin():
            db.execute(text(f"DROP SCHEMA IF EXISTS {_schema(account.id)} CASCADE"))


def _link(name: Path, target: Path) -> None:
    if not name.is_symlink():
        name.symlink_to(target)


def _kept_secrets(home: Settings) -> list[str]:
    """The keys that the first account has kept; the address of the database is none of them."""
    secret = (name for name in Settings.model_fields if _is_secret(home, name))
    return [name for name in secret if not _is_given(name, home)]


def _is_secret(settings: Settings, name: str) -> bool:
    return name != "database_url" and isinstance(getattr(settings, name), SecretStr)


def _is_given(name: str, home: Settings) -> bool:
    return setting_origin(name, home.data) in GIVEN


def _space_address(url: SecretStr | None, id: str) -> SecretStr | None:
    return url and SecretStr(with_schema(url.get_secret_value(), _schema(id)))


def _folder(home: Settings, id: str) -> Path:
    return home.data / SPACES / _checked(id)


def _schema(id: str) -> str:
    return f"forager_{_checked(id)}"


def _checked(id: str) -> str:
    if not SPACE_ID.fullmatch(id):
        raise StoreError(f"{id!r} is not the ID of an account.", "See forager user list.")
    return id

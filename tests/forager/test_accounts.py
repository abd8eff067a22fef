"""Who may do what, and which settings an account may change for itself."""

import pytest

from forager.accounts import PERSONAL_SETTINGS, ROLES, SCOPES, Role, Scope, limit_role
from forager.settings import FOLDER_SETTINGS, Settings


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("scope", SCOPES)
def test_a_token_never_does_more_than_its_account_or_its_scope(role: Role, scope: Scope) -> None:
    level = ROLES.index(limit_role(role, scope))
    assert level == min(ROLES.index(role), SCOPES.index(scope))


def test_no_personal_setting_names_where_a_key_or_a_page_goes() -> None:
    assert Settings.model_fields.keys() >= PERSONAL_SETTINGS
    own = {"model", "language", "default_budget", "keep_days"}
    assert own == PERSONAL_SETTINGS - FOLDER_SETTINGS
    assert not {name for name in PERSONAL_SETTINGS if name.endswith(("_url", "_seconds", "proxy"))}

"""Addresses of logins are known by their names; pages about logging in are not logins."""

import pytest

from forager.text.page_words import leads_to_login

PAGE = "https://club.example/gold"


@pytest.mark.parametrize(
    "target",
    [
        "https://club.example/login?next=%2Fgold",
        "https://club.example/user/Sign-In",
        "https://club.example/accounts/login/",
        "https://club.example/wp-login.php?redirect_to=gold",
        "https://club.example/Account/LogOn?ReturnUrl=gold",
        "https://club.example/index.php?title=Special:UserLogin&returnto=Gold",
        "https://club.example/oauth2/authorize?client_id=1",
        "https://sso.club.example/start",
        "https://club.example/de/anmelden",
        "https://club.example/%E7%99%BB%E5%BD%95",
    ],
)
def test_a_login_is_known_by_its_address(target: str) -> None:
    assert leads_to_login(PAGE, target)


@pytest.mark.parametrize(
    "target",
    [
        "https://club.example/gold/",
        "https://club.example/how-to-log-in-to-the-lamp",
        "https://club.example/blog/login-forms-in-2024",
        "https://club.example/wiki/Authority",
        "https://login.example/",
        "https://club.example/gold?login=no",
    ],
)
def test_other_addresses_are_no_login(target: str) -> None:
    assert not leads_to_login(PAGE, target)


def test_a_login_that_was_asked_for_is_a_page_like_any_other() -> None:
    assert not leads_to_login("https://club.example/login", "https://club.example/login/")

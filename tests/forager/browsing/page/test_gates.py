"""What only a person can pass is told from what merely speaks of it."""

import pytest

from forager.browsing.page.aria import parse
from forager.browsing.page.gates import CAPTCHA, LOGIN, Login, gate
from forager.domain.actions import Action

WORDS = " ".join(["word"] * 200)
WALL = parse("""
- generic [ref=e1]:
  - heading "Vérifiez que vous êtes bien humain" [ref=e2]
  - button "Continuer" [ref=e3]
""")
ROBOT = parse(f"""
- generic [ref=e1]:
  - paragraph [ref=e2]: {WORDS}
  - iframe "reCAPTCHA" [ref=e3]:
    - checkbox "I'm not a robot" [ref=f1e1]
  - textbox "Type the characters you see" [ref=e4]
  - link "Home" [ref=e5]
""")
SHORT = parse('- generic [ref=e1]:\n  - textbox [ref=e2]\n  - button "Go" [ref=e3]')


def act(kind: str, target: str = "", value: str = "", *, submit: bool = False) -> Action:
    said = {"kind": kind, "target": target, "value": value, "submit": submit}
    return Action.model_validate(said)


def test_a_page_that_is_nothing_but_a_captcha() -> None:
    assert gate(act("click", "e3"), WALL) == CAPTCHA
    assert gate(act("click", "e3"), SHORT, ["https://challenges.cloudflare.com/x"]) == CAPTCHA
    assert gate(act("click", "e3"), SHORT, ["https://example.org/frame"]) == ""


@pytest.mark.parametrize("kind", ["back", "goto", "scroll", "find", "close_tab", "stop"])
def test_one_can_always_turn_away(kind: str) -> None:
    assert gate(act(kind, "e3"), WALL, login="missing") == ""


def test_a_captcha_in_a_page_stands_in_the_way_of_itself_alone() -> None:
    frames = ["https://www.google.com/recaptcha/api2/anchor"]
    assert gate(act("click", "f1e1"), ROBOT, frames) == CAPTCHA
    assert gate(act("type", "e4", "x"), ROBOT, frames) == CAPTCHA
    assert gate(act("click", "e5"), ROBOT, frames) == ""


@pytest.mark.parametrize("words", ["What is a CAPTCHA?", "Robots in films", "Human rights"])
def test_a_page_about_it_is_none(words: str) -> None:
    tree = parse(f'- generic [ref=e1]:\n  - heading "{words}" [ref=e2]\n  - button "Go" [ref=e3]')
    assert gate(act("click", "e3"), tree) == ""


@pytest.mark.parametrize(
    ("action", "login", "then"),
    [
        (act("type", "e2", "hunter2"), "target", LOGIN),
        (act("type", "e2", "{{shop password}}"), "target", LOGIN),
        (act("type", "e2", "{{shop}}"), "target", ""),
        (act("type", "e2", ""), "target", ""),
        (act("click", "e2"), "target", ""),
        (act("type", "e2", "ada"), "missing", ""),
        (act("type", "e2", "ada", submit=True), "missing", LOGIN),
        (act("click", "e3"), "missing", LOGIN),
        (act("press", "e2", "Enter"), "missing", LOGIN),
        (act("click", "e3"), "", ""),
    ],
)
def test_a_login(action: Action, login: Login, then: str) -> None:
    assert gate(action, SHORT, login=login) == then

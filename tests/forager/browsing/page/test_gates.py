"""Gates that only a person can pass are distinguished from pages that mention them."""

import pytest

from forager.browsing.page.aria import parse_aria
from forager.browsing.page.gates import CAPTCHA_GATE, LOGIN_GATE, LoginState, human_gate
from forager.domain.actions import Action

WORDS = " ".join(["word"] * 200)
WALL = parse_aria("""
- generic [ref=e1]:
  - heading "Vérifiez que vous êtes bien humain" [ref=e2]
  - button "Continuer" [ref=e3]
""")
ROBOT = parse_aria(f"""
- generic [ref=e1]:
  - paragraph [ref=e2]: {WORDS}
  - iframe "reCAPTCHA" [ref=e3]:
    - checkbox "I'm not a robot" [ref=f1e1]
  - textbox "Type the characters you see" [ref=e4]
  - link "Home" [ref=e5]
""")
SHORT = parse_aria('- generic [ref=e1]:\n  - textbox [ref=e2]\n  - button "Go" [ref=e3]')


def act(kind: str, target: str = "", value: str = "", *, submit: bool = False) -> Action:
    said = {"kind": kind, "target": target, "value": value, "submit": submit}
    return Action.model_validate(said)


def test_a_page_that_only_shows_a_captcha_is_a_gate() -> None:
    assert human_gate(act("click", "e3"), WALL) == CAPTCHA_GATE
    assert (
        human_gate(act("click", "e3"), SHORT, ["https://challenges.cloudflare.com/x"])
        == CAPTCHA_GATE
    )
    assert human_gate(act("click", "e3"), SHORT, ["https://example.org/frame"]) == ""


@pytest.mark.parametrize("kind", ["back", "goto", "scroll", "find", "close_tab", "stop"])
def test_actions_that_leave_the_page_are_never_gated(kind: str) -> None:
    assert human_gate(act(kind, "e3"), WALL, login="missing") == ""


def test_a_captcha_in_a_longer_page_only_gates_actions_on_itself() -> None:
    frames = ["https://www.google.com/recaptcha/api2/anchor"]
    assert human_gate(act("click", "f1e1"), ROBOT, frames) == CAPTCHA_GATE
    assert human_gate(act("type", "e4", "x"), ROBOT, frames) == CAPTCHA_GATE
    assert human_gate(act("click", "e5"), ROBOT, frames) == ""


@pytest.mark.parametrize("words", ["What is a CAPTCHA?", "Robots in films", "Human rights"])
def test_a_page_about_captchas_is_no_gate(words: str) -> None:
    tree = parse_aria(
        f'- generic [ref=e1]:\n  - heading "{words}" [ref=e2]\n  - button "Go" [ref=e3]'
    )
    assert human_gate(act("click", "e3"), tree) == ""


@pytest.mark.parametrize(
    ("action", "login", "then"),
    [
        (act("type", "e2", "hunter2"), "target", LOGIN_GATE),
        (act("type", "e2", "{{shop password}}"), "target", LOGIN_GATE),
        (act("type", "e2", "{{shop}}"), "target", ""),
        (act("type", "e2", ""), "target", ""),
        (act("click", "e2"), "target", ""),
        (act("type", "e2", "ada"), "missing", ""),
        (act("type", "e2", "ada", submit=True), "missing", LOGIN_GATE),
        (act("click", "e3"), "missing", LOGIN_GATE),
        (act("press", "e2", "Enter"), "missing", LOGIN_GATE),
        (act("click", "e3"), "", ""),
    ],
)
def test_a_login_without_a_known_password_is_a_gate(
    action: Action, login: LoginState, then: str
) -> None:
    assert human_gate(action, SHORT, login=login) == then

"""What is judged of actions on a real application, against what they change."""

from pathlib import Path

import pytest

from bench.apps.action_scripts import ScriptedAction, parse_script, read_scripts
from bench.apps.django_admin import serve_django_admin
from bench.browser.side_effects import APPS, JudgedAction, action_line, perform_actions, score_lines
from tests.browsers import browser, needs_browser

ON_DJANGO = """
at /admin/login/?next=/admin/library/book/
type textbox "Username:" = keeper
type textbox "Password:" = tide-and-time
click button "Log in"
enter textbox "Search" = Book 1
click link "Book 11"
type textbox "Title:" = Lord Jim
click button "Save"
click link "Book 12"
click link "Delete"
click button "Yes, I’m sure"
click button "Log out"
"""


def test_every_script_can_be_read() -> None:
    assert read_scripts().keys() == APPS.keys()
    deeds = [deed for script in read_scripts().values() for deed in script]
    assert sum(deed.kind not in {"at", "type"} for deed in deeds) >= 60


def test_a_line_of_a_script() -> None:
    [first, second, third] = parse_script(
        '# note\n\nat /a\nenter textbox "A b" #2 = c d\nclick button "E"'
    )
    assert first == ScriptedAction("at /a", "at", value="/a")
    assert (second.kind, second.role, second.name, second.nth) == ("enter", "textbox", "A b", 2)
    assert (second.value, third.value) == ("c d", "")
    with pytest.raises(ValueError, match="is not an action"):
        list(parse_script("click the button"))


def test_a_deed_finds_its_element() -> None:
    tree = '- textbox "A b" [ref=e1]\n- textbox "A b" [ref=e2]\n- link "A b c" [ref=e3]'
    [entered, clicked, gone] = parse_script(
        'enter textbox "A b" #2 = c\nclick link "A b"\nclick link "X"'
    )
    action = entered.to_action(tree, "")
    assert action
    assert (action.kind, action.target, action.value, action.submit) == ("type", "e2", "c", True)
    action = clicked.to_action(tree, "")
    assert action
    assert action.target == "e3"
    assert gone.to_action(tree, "") is None


def test_the_figures() -> None:
    rows = [
        JudgedAction("django", "click a", True, "why", "why"),
        JudgedAction("django", "click b", False, "why", ""),
        JudgedAction("fossil", "click c", True, "", "why"),
        JudgedAction("fossil", "click d", False, "", "", "It is not there."),
    ]
    told = "\n".join(score_lines(rows))
    assert "before recall 0.50 (1/2)  precision 0.50 (1/2)" in told
    assert "after  recall 1.00 (2/2)  precision 1.00 (2/2)" in told
    assert "1 actions could not be performed." in told
    assert "CHANGE" in action_line(rows[0])


@needs_browser
async def test_djangos_admin_is_judged_rightly(tmp_path: Path) -> None:
    with serve_django_admin(tmp_path) as app:
        async with browser() as running:
            context = await running.new_context()
            rows = [
                row
                async for row in perform_actions("django", parse_script(ON_DJANGO), app, context)
            ]
            await context.close()
    assert not [row.fault for row in rows if row.fault]
    told = {row.line: (row.changed, bool(row.before), bool(row.after)) for row in rows}
    script = ON_DJANGO.splitlines()
    changed = {deed for deed, verdicts in told.items() if verdicts[0]}
    assert changed == {script[4], script[8], script[11], script[12]}
    assert all(verdicts == (True, True, True) for deed, verdicts in told.items() if deed in changed)
    assert [deed for deed, verdicts in told.items() if verdicts[1] and deed not in changed] == []

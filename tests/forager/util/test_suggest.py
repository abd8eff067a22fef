from forager.util.suggest import did_you_mean


def test_a_near_name_is_guessed() -> None:
    assert did_you_mean("selct", ["select", "survey"]) == "Did you mean 'select'?"


def test_names_are_listed_when_none_is_near() -> None:
    assert did_you_mean("xyz", ["b", "a"]) == "Known: a, b."
    assert did_you_mean("xyz", []) == ""

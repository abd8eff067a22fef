from forager.util.suggest import did_you_mean


def test_a_similar_name_is_suggested() -> None:
    assert did_you_mean("selct", ["select", "survey"]) == "Did you mean 'select'?"


def test_names_are_listed_if_none_is_similar() -> None:
    assert did_you_mean("xyz", ["b", "a"]) == "Known: a, b."
    assert did_you_mean("xyz", []) == ""

from ui.web.components.canvas_edit import count_followers


def test_what_follows_in_the_presets_is_counted_by_route() -> None:
    followers = count_followers()
    after = followers["extractor"]["found"]
    assert max(after, key=lambda kind: after[kind]) == "aggregator"
    assert followers["answerer"]["end"]["end"] > 1

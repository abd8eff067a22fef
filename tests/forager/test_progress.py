from forager.budget import current_meter, start_meter


async def test_how_far_a_node_has_come_is_told_now_and_then() -> None:
    told: list[str] = []

    async def tell(message: str) -> None:
        told.append(message)

    with start_meter(tell=tell):
        for number in range(1, 100):
            await current_meter().report_progress(f"a: {number} pages", "a")
        await current_meter().report_progress("b: 1 page", "b", new=True)
    assert told == ["a: 1 pages", "a: 99 pages · b: 1 page"]


async def test_outside_of_a_node_nobody_is_told() -> None:
    await current_meter().report_progress("1 page", new=True)

from forager.budget import current_meter, start_meter


async def test_progress_is_reported_at_intervals() -> None:
    told: list[str] = []

    async def tell(message: str) -> None:
        told.append(message)

    with start_meter(tell=tell):
        for number in range(1, 100):
            await current_meter().report_progress(f"a: {number} pages", "a")
        await current_meter().report_progress("b: 1 page", "b", new=True)
    assert told == ["a: 1 pages", "a: 99 pages · b: 1 page"]


async def test_progress_outside_a_node_is_discarded() -> None:
    await current_meter().report_progress("1 page", new=True)

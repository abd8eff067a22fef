from forager.budget import meter, running


async def test_how_far_a_node_has_come_is_told_now_and_then() -> None:
    told: list[str] = []

    async def tell(message: str) -> None:
        told.append(message)

    with meter(tell=tell):
        for number in range(1, 100):
            await running().progress(f"a: {number} pages", "a")
        await running().progress("b: 1 page", "b", new=True)
    assert told == ["a: 1 pages", "a: 99 pages · b: 1 page"]


async def test_outside_of_a_node_nobody_is_told() -> None:
    await running().progress("1 page", new=True)

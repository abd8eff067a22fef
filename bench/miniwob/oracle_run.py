"""Plays every task that has an oracle, and opens all others."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from playwright.async_api import BrowserContext, Error

from bench.browser.chromium import chromium
from bench.miniwob import choice_tasks, click_tasks, drag_tasks, text_tasks
from bench.miniwob.episode import Episode, LostError, Oracle
from bench.miniwob.task_pages import folder, names, served
from forager.adapters.browser.tabs import Tabs
from forager.errors import ActionError

ORACLES: dict[str, Oracle] = {
    **click_tasks.ORACLES,
    **text_tasks.ORACLES,
    **choice_tasks.ORACLES,
    **drag_tasks.ORACLES,
}
WON = 1.0


@dataclass(frozen=True, kw_only=True)
class Played:
    """An episode and how it ended; `fault` says why it was broken off."""

    task: str
    seed: int
    reward: float
    fault: str = ""
    seconds: tuple[float, ...] = ()


@dataclass(kw_only=True)
class Result:
    """All episodes, and what kept pages from opening, by task."""

    episodes: list[Played] = field(default_factory=list)
    opened: int = 0
    faults: dict[str, str] = field(default_factory=dict)

    @property
    def success(self) -> float:
        """The share of episodes that ended with the full reward."""
        return sum(each.reward == WON for each in self.episodes) / max(1, len(self.episodes))

    @property
    def median(self) -> float:
        """Seconds of an action and the look after it."""
        return statistics.median(second for each in self.episodes for second in each.seconds)


async def play(
    oracles: Mapping[str, Oracle], seeds: int, *, open_all: bool, say: Callable[[str], None]
) -> Result:
    """Each oracle with seeds 1 to `seeds`; all pages opened, looked at and closed if `open_all`."""
    result = Result()
    where = folder()
    every = names(where)
    with served(where) as root:
        async with chromium() as browser:
            context = await browser.new_context()
            for task in every if open_all else ():
                if fault := await _opens(context, f"{root}{task}.html"):
                    result.faults[task] = fault
                result.opened += 1
            for task, oracle in oracles.items():
                for seed in range(1, seeds + 1):
                    result.episodes.append(
                        await _play(context, f"{root}{task}.html", oracle, seed, task)
                    )
                say(_line(result.episodes[-seeds:]))
    return result


async def _opens(context: BrowserContext, url: str) -> str:
    try:
        tabs = Tabs(context)
        episode = Episode(tabs)
        await episode.start(url, 1)
        await tabs.close()
    except (ActionError, Error) as error:
        return str(error).partition("\n")[0]
    return "" if episode.root.children else "nothing was seen"


async def _play(context: BrowserContext, url: str, oracle: Oracle, seed: int, task: str) -> Played:
    tabs = Tabs(context)
    episode = Episode(tabs)
    fault = ""
    try:
        await episode.start(url, seed)
        await oracle(episode)
    except (LostError, ActionError) as error:
        fault = str(error)
    reward = await episode.reward()
    await tabs.close()
    return Played(task=task, seed=seed, reward=reward, fault=fault, seconds=tuple(episode.seconds))


def _line(episodes: Sequence[Played]) -> str:
    won = sum(each.reward == WON for each in episodes)
    faults = [f"{each.seed}: {each.fault or each.reward}" for each in episodes if each.reward < WON]
    return f"{episodes[0].task:28} {won}/{len(episodes)}  {'; '.join(faults)}".rstrip()


def lines(result: Result) -> tuple[str, ...]:
    """The figures."""
    tasks = len({each.task for each in result.episodes})
    told = [
        f"{tasks} tasks, {len(result.episodes)} episodes: {result.success:.3f} succeeded.",
        f"An action and a look: {result.median * 1000:.0f} ms (median of "
        f"{sum(len(each.seconds) for each in result.episodes)}).",
    ]
    if result.opened:
        told.append(f"{result.opened} pages opened, seen and closed; {len(result.faults)} faults.")
    told += [f"  {task}: {fault}" for task, fault in result.faults.items()]
    return tuple(told)

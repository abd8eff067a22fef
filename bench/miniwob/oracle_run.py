"""Plays every task that has an oracle, and opens the pages of all tasks."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from playwright.async_api import BrowserContext, Error

from bench.browser.chromium import open_chromium
from bench.miniwob import choice_tasks, click_tasks, drag_tasks, text_tasks
from bench.miniwob.episode import Episode, LostError, Oracle
from bench.miniwob.task_pages import find_pages_folder, list_tasks, serve_tasks
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
class EpisodeResult:
    """How an episode ended; `fault` says why it was aborted."""

    task: str
    seed: int
    reward: float
    fault: str = ""
    seconds: tuple[float, ...] = ()


@dataclass(kw_only=True)
class PlayResult:
    """All episodes, the number of pages opened, and errors on opening by task."""

    episodes: list[EpisodeResult] = field(default_factory=list)
    opened: int = 0
    faults: dict[str, str] = field(default_factory=dict)

    @property
    def success(self) -> float:
        """The share of episodes with the full reward."""
        return sum(each.reward == WON for each in self.episodes) / max(1, len(self.episodes))

    @property
    def median(self) -> float:
        """Median seconds of an action with the snapshot after it."""
        return statistics.median(second for each in self.episodes for second in each.seconds)


async def play_tasks(
    oracles: Mapping[str, Oracle], seeds: int, *, open_all: bool, say: Callable[[str], None]
) -> PlayResult:
    """Play each oracle with seeds 1 to `seeds`; if `open_all`, first open every task's page."""
    result = PlayResult()
    where = find_pages_folder()
    every = list_tasks(where)
    with serve_tasks(where) as root:
        async with open_chromium() as browser:
            context = await browser.new_context()
            for task in every if open_all else ():
                if fault := await _open_fault(context, f"{root}{task}.html"):
                    result.faults[task] = fault
                result.opened += 1
            for task, oracle in oracles.items():
                for seed in range(1, seeds + 1):
                    result.episodes.append(
                        await _play_episode(context, f"{root}{task}.html", oracle, seed, task)
                    )
                say(_task_line(result.episodes[-seeds:]))
    return result


async def _open_fault(context: BrowserContext, url: str) -> str:
    try:
        tabs = Tabs(context)
        episode = Episode(tabs)
        await episode.start(url, 1)
        await tabs.close()
    except (ActionError, Error) as error:
        return str(error).partition("\n")[0]
    return "" if episode.root.children else "the page is empty"


async def _play_episode(
    context: BrowserContext, url: str, oracle: Oracle, seed: int, task: str
) -> EpisodeResult:
    tabs = Tabs(context)
    episode = Episode(tabs)
    fault = ""
    try:
        await episode.start(url, seed)
        await oracle(episode)
    except (LostError, ActionError) as error:
        fault = str(error)
    reward = await episode.read_reward()
    await tabs.close()
    return EpisodeResult(
        task=task, seed=seed, reward=reward, fault=fault, seconds=tuple(episode.seconds)
    )


def _task_line(episodes: Sequence[EpisodeResult]) -> str:
    won = sum(each.reward == WON for each in episodes)
    faults = [f"{each.seed}: {each.fault or each.reward}" for each in episodes if each.reward < WON]
    return f"{episodes[0].task:28} {won}/{len(episodes)}  {'; '.join(faults)}".rstrip()


def summary_lines(result: PlayResult) -> tuple[str, ...]:
    """Return the result lines."""
    tasks = len({each.task for each in result.episodes})
    printed = [
        f"{tasks} tasks, {len(result.episodes)} episodes: {result.success:.3f} succeeded.",
        f"An action with a snapshot: {result.median * 1000:.0f} ms (median of "
        f"{sum(len(each.seconds) for each in result.episodes)}).",
    ]
    if result.opened:
        printed.append(f"{result.opened} pages opened; {len(result.faults)} errors.")
    printed += [f"  {task}: {fault}" for task, fault in result.faults.items()]
    return tuple(printed)

"""The processes below one, by what the kernel of Linux tells."""

import os
import signal
from collections.abc import Collection
from pathlib import Path


def below(parent: int) -> dict[int, str]:
    """The command lines of all that a process started, directly or not, by their ids."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            told = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        if told[0] != "Z":
            parents[int(folder.name)] = int(told[1])
    found = {parent}
    while more := {pid for pid, above in parents.items() if above in found} - found:
        found |= more
    return {pid: _line(pid) for pid in found - {parent}}


def is_browser(line: str, kind: str = "") -> bool:
    """Is it the command line of Chromium's main process, or of its helper of a kind?"""
    if "chrom" not in line.partition("\0")[0]:
        return False
    return f"--type={kind}" in line if kind else "--type=" not in line


def kill_browsers(others: Collection[int], kind: str = "") -> int:
    """Kill the browsers that we started beside others, or their helpers of a kind; how many."""
    begun = {pid: line for pid, line in below(os.getpid()).items() if pid not in others}
    victims = [pid for pid, line in begun.items() if is_browser(line, kind)]
    for pid in victims:
        os.kill(pid, signal.SIGKILL)
    return len(victims)


def memory(pids: set[int]) -> int:
    """Resident memory of processes, in bytes; pages that they share count each time."""
    return sum(_resident(pid) for pid in pids)


def _line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096
    except OSError:
        return 0

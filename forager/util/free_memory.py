"""Memory that nothing uses any more goes back to the system."""

import ctypes
from functools import cache
from typing import Any


def return_free_memory() -> None:
    """Give back what the C library keeps for later, where it can be asked to (glibc).

    It keeps what each thread has freed. Models take some 50 MB while they compute, in any thread,
    so that a process would grow by hundreds of megabytes. Takes up to 50 ms.
    """
    if trim := _find_trim():
        trim(0)


@cache
def _find_trim() -> Any:
    try:
        return getattr(ctypes.CDLL(None), "malloc_trim", None)
    except (OSError, TypeError):  # there is no such library
        return None

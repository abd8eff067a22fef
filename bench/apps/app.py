"""A running application as the benchmarks see it."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class App:
    """A running application.

    `root` is its root URL; `content` returns a digest of its current content. A GET of `login_url`
    with a browser's cookies contains `login_mark` if and only if somebody is logged in.
    """

    root: str
    content: Callable[[], str]
    login_url: str = ""
    login_mark: str = ""

"""What a run of the script has begun to change, it ends, however soon a newer one is asked for."""

from collections.abc import Iterator
from contextlib import contextmanager

from streamlit.runtime.scriptrunner import get_script_run_ctx

YIELD = "_yield_callback"


@contextmanager
def unbroken() -> Iterator[None]:
    """A newer run of the script waits until the body is done.

    Streamlit ends a run where it next touches its state once a newer one is asked for, be it in a
    callback; what the run was told is lost then, as the newer one is told of what came after it.
    """
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        yield
        return
    state = context.session_state
    own = getattr(state, YIELD)
    object.__setattr__(state, YIELD, lambda: None)  # its own would set a value of the session
    try:
        yield
    finally:
        object.__setattr__(state, YIELD, own)

"""Wait for what another thread or process does."""

import time
from collections.abc import Callable


def until(condition: Callable[[], object], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def has_ended(job, seconds: float) -> bool:
    """Wait for the thread of a job, which may go on for a while after `cancel`."""
    job._thread.join(seconds)
    return not job._thread.is_alive()

"""Memory of this process, as Linux tells it; NaN elsewhere."""

from __future__ import annotations

from pathlib import Path


def in_use() -> float:
    """MB in use now."""
    return _status("VmRSS")


def peak() -> float:
    """MB in use at most, since the process began or `forget_peak` was called."""
    return _status("VmHWM")


def forget_peak() -> float:
    """Let the peak begin anew; the MB in use now."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return float("nan")
    return in_use()


def _status(field: str) -> float:
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return float("nan")
    return next(float(line.split()[1]) / 1024 for line in lines if line.startswith(field))

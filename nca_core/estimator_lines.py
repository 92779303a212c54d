"""What a verbose estimator prints, in scikit-learn's columns."""

from __future__ import annotations

from nca_core.snapshot import Snapshot


def print_header(name: str) -> None:
    """The titles of the columns, for the estimator of that class name."""
    header = f"{'Iteration':>10} {'Objective Value':>20} {'Time(s)':>10}"
    print(f"[{name}]\n[{name}] {header}\n[{name}] {'-' * len(header)}")


def print_iteration(name: str, snapshot: Snapshot) -> None:
    """One line."""
    print(
        f"[{name}] {snapshot.iteration:>10} {snapshot.objective:>20.6e} {snapshot.seconds:>10.2f}",
        flush=True,
    )

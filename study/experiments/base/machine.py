"""On what a report was made: commit, machine, versions, day."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from study.experiments.base.found import Found
from study.experiments.base.version import ROOT, code_version


@dataclass(frozen=True)
class Made:
    """Where a report comes from.

    Attributes
    ----------
    sentence : str
        For people.
    """

    sentence: str


def made(all_found: Sequence[Found]) -> Made:
    """Of the cells that are there: the machine is this one, the versions are those stored with the cells."""
    outcomes = {id(o): o for found in all_found for m in found.means for o in m.outcomes}.values()
    versions = sorted({f"{name} {number}" for o in outcomes for name, number in o.versions.items()})
    hours = sum(o.seconds for o in outcomes) / 3600
    day = datetime.now(UTC).strftime("%Y-%m-%d")
    ran = f"{len(outcomes):,} cells took {hours:.2f} hours of one core. " if outcomes else "No cell was run. "
    return Made(
        f"Made on {day} at commit {_commit()}, code version {code_version()}, on {_machine()}. {ran}"
        f"{', '.join(versions)}.".strip()
    )


def _commit() -> str:
    try:
        asked = ["git", "-C", str(ROOT)]
        head = subprocess.run([*asked, "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True, check=True)
        changed = subprocess.run([*asked, "status", "--porcelain"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return head.stdout.strip() + (" with changes" if changed.stdout.strip() else "")


def _machine() -> str:
    model = ""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    except OSError:
        pass
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores{f' ({model})' if model else ''}"

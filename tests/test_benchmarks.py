"""Each benchmark still runs and prints its table; what it prints is not judged here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"
COMMANDS = {
    "engine_summation.py": (["--largest", "1000", "--dimensions", "2"], "| 2 | 1,000 |"),
    "engine_scaling.py": (["--largest", "10000", "--iterations", "2", "--data", "rings"], "| rings | 10,000 |"),
    "engine_in_parts.py": (
        ["--rows", "20000", "--features", "8", "--iterations", "1", "--ways", "folder"],
        "| folder |",
    ),
    "engine_best_of_several.py": (["--rounds", "1", "--max-iter", "2"], "times the time of one run"),
    "engine_against_sklearn.py": (
        [
            "--largest",
            "20",
            "--largest-training",
            "20",
            "--data",
            "rings",
            "--rounds",
            "1",
            "--max-iter",
            "2",
            "--threads",
            "1",
        ],
        "rings",
    ),
    "engine_never_below.py": (["--sets", "iris", "--seeds", "1", "--scales", "1"], "6 comparisons, lower in 0"),
    "engine_mcml.py": (["--rows", "2000"], "n = 2,000, D = 64, 2-D"),
    "mcml_training.py": (["--sets", "wine"], "wine: n = 178, D = 13"),
    "load.py": (
        ["--tabs", "2", "--seconds", "0.5", "--every", "0.2", "--rest", "0.1"],
        "of which 2 train: median",
    ),
    "uploads.py": (["--sessions", "1", "--files", "1", "--megabytes", "1.2", "--rest", "0.1"], "1 files by 1 sessions"),
    "kills.py": (["--kills", "1"], "1 kills: healthy after"),
    "dask_workers.py": (["--parts", "kill"], "61 of 61 iterations arrived"),
}


LONG = {
    *("engine_against_sklearn.py", "engine_best_of_several.py", "mcml_training.py"),
    *("uploads.py", "kills.py", "dask_workers.py"),
}


def test_none_is_forgotten():
    in_a_browser = {"stage_frames.py", "nine_panels.py"}  # tests/browser/test_frames_benchmark.py
    parts = {"data_sets.py", "memory.py", "load_client.py", "server.py"}
    assert {path.name for path in BENCHMARKS.glob("*.py")} == {*COMMANDS, *in_a_browser, *parts}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.thorough) if name in LONG else name for name in COMMANDS]
)
def test_it_runs(name):
    options, expected = COMMANDS[name]
    said = subprocess.run(
        [sys.executable, str(BENCHMARKS / name), *options], capture_output=True, text=True, timeout=120, check=False
    )
    assert said.returncode == 0, said.stderr
    assert expected in said.stdout

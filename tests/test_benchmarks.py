"""Each benchmark still runs and prints its table: `python -m pytest -m benchmark`. What it prints is not judged."""

import re

import pytest

from tests.own_process import run_python
from tests.tracked_files import ROOT

BENCHMARKS = ROOT / "benchmarks"
COMMANDS = {
    "engine_summation.py": ("--largest 1000 --dimensions 2", "| 2 | 1,000 |"),
    "verdicts.py": ("--without 20 --known 5", "None beyond 5 %"),
    "engine_scaling.py": (
        "--largest 10000 --iterations 2 --data rings --ways array folder",
        "| rings | folder | 10,000 |",
    ),
    "engine_scaling.py, sampled": ("--sampled 3000 --iterations 2", "3,000 rows, D = 50, d = 10"),
    "engine_against_sklearn.py": ("--largest 20 --data rings --rounds 1 --max-iter 2 --threads 1", "to its f"),
    "load.py": ("--tabs 2 --seconds 0.5 --every 0.2 --rest 0.1", "of which 2 train: median"),
    "kills.py": ("--kills 1", "1 kills: healthy after"),
}
# Counts the browser's frames; the real probe, which looks at the pixels, does not belong to the project.
PROBE = """
let begun = performance.now(), frames = 0;
const count = () => { frames += 1; requestAnimationFrame(count); };
count();
window.stageProbe = {
  reset() { begun = performance.now(); frames = 0; },
  read: () => ({ fps: 1000 * frames / (performance.now() - begun), p95: 0, max: 0, blank: 0, webgl: false }),
};
"""


def test_none_is_forgotten():
    in_a_browser, parts = {"stage_frames.py"}, {"common.py", "server.py"}
    run = {name.split(",")[0] for name in COMMANDS}
    assert {path.name for path in BENCHMARKS.glob("*.py")} == run | in_a_browser | parts


@pytest.mark.benchmark
@pytest.mark.parametrize("name", COMMANDS)
def test_it_runs(name):
    options, expected = COMMANDS[name]
    assert expected in run_python(BENCHMARKS / name.split(",")[0], *options.split())[0]


@pytest.mark.benchmark
def test_frames_are_counted_while_one_panel_trains_and_while_all_turn(tmp_path):
    probe = tmp_path / "probe.js"
    probe.write_text(PROBE)
    options = ["--probe", str(probe), "--seconds", "3", "--cases", "0"]
    said = run_python(BENCHMARKS / "stage_frames.py", *options)[0]
    frames = [float(fps) for fps in re.findall(r"1 of 3 live .* ([\d.]+) fps", said)]
    assert len(frames) == 2, said
    assert min(frames) > 1
    bytes_a_message = re.search(r"(\d+) bytes a message", said)
    assert bytes_a_message
    assert int(bytes_a_message[1]) > 500  # snapshots did arrive

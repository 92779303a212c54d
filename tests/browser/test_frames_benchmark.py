"""The benchmark of painted frames still runs and prints its table; what it prints is not judged here."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.browser.conftest import ROOT

# Counts the browser's frames; the real probe, which looks at the pixels, does not belong to the project.
PROBE = """
let begun = performance.now(), frames = 0;
const count = () => { frames += 1; requestAnimationFrame(count); };
count();
window.stageProbe = {
  reset() { begun = performance.now(); frames = 0; },
  read: () => ({ fps: 1000 * frames / (performance.now() - begun), p95: 0, blank: 0, webgl: false }),
};
"""


@pytest.mark.usefixtures("chromium")  # which installs one where there is none
def test_frames_are_counted_while_one_panel_trains_and_while_all_turn(tmp_path):
    probe = tmp_path / "probe.js"
    probe.write_text(PROBE)
    command = [sys.executable, "benchmarks/stage_frames.py", "--probe", str(probe), "--seconds", "3", "--cases", "0"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr
    frames = [float(fps) for fps in re.findall(r"1 of 3 live .* ([\d.]+) fps", done.stdout)]
    assert len(frames) == 2, done.stdout
    assert min(frames) > 1
    assert int(re.search(r"(\d+) bytes a message", done.stdout).group(1)) > 500  # snapshots did arrive


@pytest.mark.thorough
@pytest.mark.usefixtures("chromium")
def test_presses_are_answered_while_nine_panels_train(tmp_path):
    probe = tmp_path / "probe.js"
    probe.write_text(PROBE)
    command = [sys.executable, "benchmarks/nine_panels.py", "--probe", str(probe), "--seconds", "1"]
    options = ["--dimensions", "2", "--presses", "1"]
    done = subprocess.run(command + options, cwd=ROOT, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr
    told = re.search(r"2-D +([\d.]+) frames/s.* answered ([\d.]+) s.* iterations (\d+) to (\d+)", done.stdout)
    assert told, done.stdout
    assert float(told.group(1)) > 1
    assert float(told.group(2)) > 0
    assert 0 < int(told.group(3)) <= int(told.group(4))

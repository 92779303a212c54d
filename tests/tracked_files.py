"""The files that belong to the project: an environment or a cache inside the checkout is none of them."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def tracked_paths(folder: str = "") -> list[Path]:
    """Files below `folder` ("" for all) that git tracks, or would once they are added."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", folder or "."],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout.decode()
    paths = (ROOT / name for name in listed.split("\0") if name)
    return sorted(path for path in paths if path.is_file())


def tracked_files(folder: str, *suffixes: str) -> list[Path]:
    """Those of `tracked_paths` with one of these suffixes."""
    return [path for path in tracked_paths(folder) if path.suffix in suffixes]

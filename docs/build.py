"""Build the documentation into docs/_build/html: python -m docs.build

Each warning is an error. Needs `pip install -r docs/requirements.txt`.
"""

from __future__ import annotations

import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def main() -> int:
    """Run Sphinx on this folder; the exit code is Sphinx's."""
    try:
        from sphinx.cmd.build import build_main
    except ImportError:
        sys.exit("Sphinx is missing; install it: pip install -r docs/requirements.txt")
    output = FOLDER / "_build" / "html"
    return build_main(["-W", "--keep-going", "-E", "-q", "-b", "html", str(FOLDER), str(output), *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())

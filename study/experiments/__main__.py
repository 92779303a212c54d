"""`python -m study.experiments`: reproduce the papers."""

import sys

from study.experiments import EXPERIMENTS
from study.experiments.base.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], EXPERIMENTS))

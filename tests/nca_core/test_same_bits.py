"""The same input gives the same bytes, whatever the process did before and whether it compiled the loops itself."""

from tests.own_process import run_python

PROGRAM = """
import hashlib, threading
import numpy as np
from sklearn.datasets import load_digits, load_wine
from nca_core.neighbours.base.threads import defer_sums, release_sums
from nca_core.training.config import TrainingConfig
from nca_core.training.nca import train

def fit(X, y, d, **options):
    end = train(X, y, TrainingConfig(n_components=d, max_iter=12, **options))
    return hashlib.sha256(b"".join(s.transformation.tobytes() for s in end.snapshots)).hexdigest()

def show():
    X, y = load_wine(return_X_y=True)
    print(fit(X, y, 2, initialisation="identity", scale_start=False))
    X, y = load_digits(return_X_y=True)
    for n, d in ((250, 2), (600, 3), (250, 30)):
        print(fit(X[:n], y[:n], d))
    print(fit(X, y, 2, summation="truncated"))

"""
# Two processes. The second loads what the first compiled: for sums that wait for a server's start, then after others.
HISTORIES = (
    "show()",
    """
defer_sums()
asked = threading.Thread(target=show)
asked.start()
asked.join(0.5)
release_sums()
asked.join()
X = np.asfortranarray(np.random.default_rng(0).normal(size=(300, 25)))
X.flags.writeable = False
for d in (1, 25, 4):
    fit(X, np.arange(300) % 4, d, objective="g", initialisation="random")
show()
""",
)


def test_each_history_of_a_process_leads_to_the_same_bytes(tmp_path):
    found = []
    for program in HISTORIES:  # in this order: the first fills the cache
        found += run_python(PROGRAM + program, NUMBA_CACHE_DIR=str(tmp_path))[0].split()
    assert len(found) == 3 * 5
    assert found == 3 * found[:5]

"""The undocumented names of scikit-learn and numba exist as installed, and do what they are used for."""

from numbers import Integral
from typing import ClassVar

import numpy as np
import pytest
from numba import njit
from sklearn.base import BaseEstimator
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import NeighborhoodComponentsAnalysis

from nca_core import compat
from nca_core.neighbours.base.exponential import jit, widest_vectors
from tests.own_process import run_python


class Chosen(BaseEstimator):
    _parameter_constraints: ClassVar = {"kind": [compat.one_of(("a", "b"))], "size": [compat.at_least(Integral, 2)]}

    def __init__(self, kind="a", size=2):
        self.kind, self.size = kind, size


def test_scikit_learns_constraints_are_found():
    assert {"n_components", "init", "max_iter"} <= set(compat.parameter_constraints(NeighborhoodComponentsAnalysis))


@pytest.mark.parametrize("init", ["pca", "lda", "random"])
def test_a_start_is_scikit_learns(init, capsys):
    X, y = load_wine(return_X_y=True)
    start = compat.scikit_learns_start(X, y, 2, init, np.random.RandomState(3), 1)
    assert ("done in" in capsys.readouterr().out) == (init != "random")
    expected = {
        "pca": lambda: PCA(2, random_state=3).fit(X).components_,
        "lda": lambda: LinearDiscriminantAnalysis(n_components=2).fit(X, y).scalings_.T[:2],
        "random": lambda: np.random.RandomState(3).standard_normal(size=(2, 13)),
    }
    np.testing.assert_array_equal(start, expected[init]())


@pytest.mark.parametrize(("parameter", "value"), [("kind", "c"), ("size", 1)])
def test_a_parameter_is_refused_in_scikit_learns_words(parameter, value):
    compat.check_parameters(Chosen())
    with pytest.raises(ValueError, match=rf"The '{parameter}' parameter of Chosen must be .* Got {value!r} instead"):
        compat.check_parameters(Chosen(**{parameter: value}))


def test_a_loop_for_loops_alone_has_no_wrapper_for_python():
    @jit()
    def _inner(x):
        return x + 1.0

    @jit()
    def outer(x):
        return _inner(x)

    assert outer(1.0) == 2.0
    outside, inside = (loop.inspect_llvm(loop.signatures[0]) for loop in (outer, _inner))
    assert "_ZN7cpython" in outside
    assert "_ZN7cpython" not in inside
    assert "cfunc." not in outside + inside


def test_loops_ask_for_wide_vectors():
    @njit  # without the cache on disk, from which no code of LLVM comes back
    def wide(x):
        widest_vectors()
        return x.sum()

    assert wide(np.ones(3)) == 3.0
    assert '"prefer-vector-width"="512"' in wide.inspect_llvm(wide.signatures[0])


WITHOUT_A_CACHE = """
from numba.core import caching

def refuse(self):
    raise OSError("read-only")

for kind in [caching._CacheLocator, *caching._CacheLocator.__subclasses__()]:
    kind.ensure_cache_path = refuse

from nca_core.neighbours.pairs.pair_kernels import pull
import numpy as np

left = np.zeros(3)
print(pull(np.ones(3), 3, np.array([1.0, 2.0, 3.0]), 1.0, left), left.tolist())
"""


def test_a_machine_without_a_place_for_the_cache():
    assert run_python(WITHOUT_A_CACHE)[0].strip() == "3.0 [0.0, -1.0, -2.0]"

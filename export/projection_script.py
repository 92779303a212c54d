"""A Python script that projects new rows as the stage shows them; needs numpy alone."""

from __future__ import annotations

import numpy as np

from datasets.preparation import Prepared
from nca_core.snapshot import Snapshot

_SCRIPT = '''"""A projection made in NCA Explorer. How the features were prepared is folded in."""

import numpy as np

DATA = {name}
METHOD = {method}
ITERATION = {iteration}  # of its training; None for a method that is solved in one go
MEAN_P = {mean_p!r}  # expected leave-one-out accuracy of the stochastic rule
K = {k!r}  # exp(mean entropy), the estimate of the number of neighbours
FEATURES = {features}  # the columns that project() takes, in this order
PREPARED_BY = {steps}
A = np.array(  # (n_components, n_features), in the units of the features as they came
    {A}
)
SHIFT = np.array({shift})


def project(X):
    """Rows X, (n, n_features), to points, (n, n_components); the stage turns these so that its panels match."""
    return np.asarray(X, dtype=float) @ A.T + SHIFT
'''


def projection_script(ready: Prepared, title: str, transformation: np.ndarray, snapshot: Snapshot | None) -> str:
    """The source; users' names stand in it as literals only, so no name can be code.

    Parameters
    ----------
    ready : Prepared
        How the panel's features were prepared.
    title : str
        What the panel is called.
    transformation : ndarray
        A over the prepared features, (n_components, n_features).
    snapshot : Snapshot or None
        The iteration that it is of; None where it was solved in one go.
    """
    A = ready.back_to_features(transformation)
    origin = ready.apply(np.zeros((1, ready.raw.n_features)))[0]
    return _SCRIPT.format(
        name=ascii(ready.raw.name),
        method=ascii(title),
        iteration=None if snapshot is None else snapshot.iteration,
        mean_p=None if snapshot is None else snapshot.mean_p,
        k=None if snapshot is None else snapshot.k_mean_entropy,
        features=ascii(list(ready.raw.feature_names)),
        steps=ascii([step.sentence for step in ready.steps]),
        A=repr(A.tolist()),
        shift=repr((transformation @ origin).tolist()),
    )

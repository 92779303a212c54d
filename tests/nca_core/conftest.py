"""Data that several files of tests share."""

import pytest
from sklearn.datasets import load_wine


@pytest.fixture(scope="session")
def wine():
    """(X, y), each feature standardised; not to be written to."""
    X, y = load_wine(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    X.flags.writeable = y.flags.writeable = False
    return X, y

"""CLASSIFIERS: key -> Classifier, the rules that a projection is compared by.

A new rule is one file in this folder and one line here; the table on Explore and the contract tests find it.
"""

from __future__ import annotations

from nca_core.classifiers.rules import (
    K_BY_LEAVE_ONE_OUT,
    K_ESTIMATE,
    LDA_RULE,
    NEAREST,
    OWN_K,
    QDA_RULE,
    STOCHASTIC,
    VARIABLE_KERNEL,
    Classifier,
    Prediction,
)

_ALL = (NEAREST, K_BY_LEAVE_ONE_OUT, K_ESTIMATE, OWN_K, STOCHASTIC, VARIABLE_KERNEL, LDA_RULE, QDA_RULE)
CLASSIFIERS: dict[str, Classifier] = {rule.key: rule for rule in _ALL}

__all__ = ["CLASSIFIERS", "Classifier", "Prediction"]

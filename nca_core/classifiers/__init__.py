"""CLASSIFIERS: key -> Classifier, the rules that a projection is compared by.

A new rule is one file in this folder and one line here; the table on Explore and the contract tests find it.
"""

from __future__ import annotations

from nca_core.classifiers.classifier import Classifier, Told
from nca_core.classifiers.gaussian import LDA_RULE, QDA_RULE
from nca_core.classifiers.learnt_scale import K_ESTIMATE, OWN_K, STOCHASTIC
from nca_core.classifiers.nearest_neighbour import K_BY_LEAVE_ONE_OUT, NEAREST
from nca_core.classifiers.variable_kernel import VARIABLE_KERNEL

_ALL = (NEAREST, K_BY_LEAVE_ONE_OUT, K_ESTIMATE, OWN_K, STOCHASTIC, VARIABLE_KERNEL, LDA_RULE, QDA_RULE)
CLASSIFIERS: dict[str, Classifier] = {rule.key: rule for rule in _ALL}

__all__ = ["CLASSIFIERS", "Classifier", "Told"]

"""Figures 5 and 6 of the R report: why NCA came out badly on wine and n2d there, asked by many settings."""

from __future__ import annotations

from typing import Any

from study.experiments.base.cell import Cell
from study.experiments.base.experiment import Claim, Experiment, Line
from study.experiments.base.found import Found
from study.experiments.base.r_report import all_features
from study.experiments.base.scatter import scatter
from study.experiments.base.verdict import STANDARD_ERRORS, difference
from study.splits import FEWEST

_RAW = "not scaled"
_SETTINGS: dict[str, dict[str, Any]] = {
    "start from pooled whitening": {"start": "pooled_whitening"},
    "start from PCA": {"start": "pca"},
    "start from LDA": {"start": "lda"},
    "random start": {"start": "random"},
    "start from random numbers in [0, 1]": {"start": "uniform"},
    "best of several starts": {"start": "best_of_several"},
    "BFGS": {"start": "whitening", "settings": {"optimiser": "bfgs", "max_iter": 1000}},
    "conjugate gradients": {"start": "whitening", "settings": {"optimiser": "cg", "max_iter": 1000}},
    "gradient ascent": {"start": "whitening", "settings": {"optimiser": "gradient-ascent"}},
    "stopped after 3 iterations": {"start": "whitening", "settings": {"max_iter": 3}},
    "random numbers in [0, 1], stopped after 3 iterations": {"start": "uniform", "settings": {"max_iter": 3}},
    _RAW: {"start": "whitening", "scale": "none"},
    f"{_RAW}, random numbers in [0, 1], BFGS": {
        "start": "uniform",
        "scale": "none",
        "settings": {"optimiser": "bfgs", "max_iter": 1000},
    },
}


def _experiment(key: str, name: str, d: int, figure: str, more: dict[str, dict[str, Any]]) -> Experiment:
    def cell(method: str, **settings: Any) -> Cell:
        return all_features(name, method, dimensions=d, **settings)

    nca = cell("nca", start="whitening", places=True)
    lines = [
        Line(name, "PCA", cell("pca", places=True), "test_knn"),
        Line(name, "NCA", nca, "test_knn"),
        Line(f"{name}, climbed", "NCA", nca, "mean_p"),
    ]
    for said, settings in {**_SETTINGS, **more}.items():
        other = cell("nca", **settings)
        lines.append(Line(name, "NCA", other, "test_knn", variant=said))
        lines.append(Line(f"{name}, climbed", "NCA", other, "mean_p", variant=said))
    lines.append(Line(name, "PCA", cell("pca", scale="none"), "test_knn", variant=_RAW))

    def answer(found: Found) -> str:
        return why(found, name)

    return Experiment(
        key,
        f"Why NCA came out badly on {name}",
        f"The R report, {figure}",
        f"Accuracy with the K of its table 2 in {'one dimension' if d == 1 else 'two dimensions'}, standardised, 20 "
        "splits of 90/10; and f/n, what the training climbs, on its own rows ('climbed'). The report: 'NCA performs "
        "much worse than PCA + KNN', start from whitening, BFGS of R's optim; it suspects the optimiser.",
        tuple(lines),
        (Claim(f"NCA much worse than PCA on {name}", (name, "PCA"), (name, "NCA")),),
        splits=20,
        published_splits=10,
        figure=scatter,
        answer=answer,
    )


def why(found: Found, name: str) -> str:
    """The report's question, answered by what was run: is NCA worse than PCA, and with which settings?"""
    pca, nca = found.at(name, "PCA"), found.at(name, "NCA")
    if pca is None or nca is None or not pca.n or not nca.n:
        return "Not run yet."
    gain, error = difference(nca, pca)
    signed = f"{100 * gain:+.1f} ± {100 * error:.1f} points"
    if min(pca.n, nca.n) < FEWEST:
        return f"A first look: on {name} NCA and PCA differ by {signed} after {min(pca.n, nca.n)} splits."
    if gain > STANDARD_ERRORS * error:
        first = f"The report's finding does not come back: NCA is better than PCA on {name}, by {signed}."
    elif gain < -STANDARD_ERRORS * error:
        first = f"It comes back: NCA is worse than PCA on {name}, by {signed}."
    else:
        first = f"It does not come back: NCA and PCA cannot be told apart on {name} ({signed})."
    worse: list[str] = []
    equal: list[str] = []
    for other in found.variants(name, "NCA"):
        raw = found.at(name, "PCA", _RAW) if _RAW in other.line.variant else None
        against = raw or pca
        away, error = difference(other, against)
        words = f"{other.line.variant} ({100 * other.mean:.1f} % against {100 * against.mean:.1f} %)"
        (worse if away < -STANDARD_ERRORS * error else equal).append(words)
    if not worse and not equal:
        return first
    if not worse:
        return f"{first} None of the {len(equal)} other settings makes NCA worse than PCA: {'; '.join(equal)}."
    also = f" It is not worse with: {'; '.join(equal)}." if equal else ""
    return f"{first} It is worse, beyond two standard errors, with: {'; '.join(worse)}.{also}"


R_FIG5 = _experiment("r-fig5", "wine", 2, "figure 5 and section 5.1", {})
R_FIG6 = _experiment(
    "r-fig6",
    "n2d",
    1,
    "figure 6 and section 5.1",
    {"correlation 0.9": {"start": "whitening", "parameters": {"n_samples": 100, "correlation": 0.9}}},
)

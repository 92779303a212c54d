"""Links of the first version, which carried the words of widgets ("explore.start=LDA"), as links of the present one.

The words stand here as they were; they do not follow the ones on the screen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

_PREFIX = "explore."
_DATA = {
    "Wine": "wine",
    "Digits": "digits",
    "Iris": "iris",
    "Breast cancer": "breast_cancer",
    "Balance scale": "balance",
    "Concentric rings": "rings",
    "Two normals (n2d)": "n2d",
    "Rings in uniform noise (ring)": "ring",
    "Noisy XOR": "noisy_xor",
    "XOR in high dimension": "xor",
    "Two moons": "moons",
    "Spirals": "spirals",
    "Swiss roll": "swiss_roll",
    "Blobs": "blobs",
    "Pure noise, random labels": "pure_noise",
    "Ionosphere": "ionosphere",
    "Boston housing": "boston",
    "USPS digits": "usps",
    "UMIST faces": "umist",
    "Olivetti faces": "olivetti",
}
_START = {
    "PCA": "pca",
    "LDA": "lda",
    "identity (first columns)": "identity",
    "random normal": "random",
    "random uniform": "uniform",
    "whitening Σ^(-1/2)": "whitening",
    "within-class whitening": "pooled_whitening",
    "automatic (as scikit-learn)": "auto",
    "a sample first, then all": "sample_first",
    "best of several short runs": "best_of_several",
}
_OBJECTIVE = {"f: expected correct": "f", "g: log-probability": "g", "log f": "log_f", "pairs": "pairs"}
_OPTIMISER = {
    "L-BFGS": "l-bfgs",
    "BFGS": "bfgs",
    "conjugate gradients": "cg",
    "delta-bar-delta ascent": "gradient-ascent",
    "stochastic (Adam)": "stochastic",
}
_SCALE = {
    "as they are": "none",
    "standardise": "standardise",
    "min-max to [0, 1]": "min-max",
    "robust (median, quartiles)": "robust",
    "whitening": "whitening",
}
_SUMMATION = {
    "the quickest": "auto",
    "dense: every pair": "dense",
    "truncated: near pairs": "truncated",
    "spectral: non-uniform FFT": "spectral",
}
_SIMILARITY = {
    "closeness of their numbers": "gaussian",
    "closeness of their ranks": "ranks",
    "equal numbers only": "same",
}
_PACE = {"full speed": "full_speed"}
_SAMPLING = {"share by class": "stratified", "at random": "random"}


def _percent(text: str) -> str:
    return repr(float(text) / 100)


# Old name -> (new name, words -> keys or a function of the text). A word that is not listed is kept as it is.
_NAMES: dict[str, tuple[str, Mapping[str, str] | Callable[[str], str]]] = {
    "noise_columns": ("noise.columns", {}),
    "noise_scale": ("noise.spread", {}),
    "noise_factor": ("noise.factor", {}),
    "noise_flipped": ("noise.flipped", _percent),
    "noise_seed": ("noise.seed", {}),
    "features": ("scale", _SCALE),
    "held_out": ("held_out", _percent),
    "max_rows": ("rows", {}),
    "max_rows_of_numbers": ("rows", {}),
    "sampling": ("sampling", _SAMPLING),
    "split_seed": ("split.seed", {}),
    "dimensions": ("dimensions", {"2-D": "2", "3-D": "3"}),
    "pace": ("pace", _PACE),
    "start": ("nca.start", _START),
    "iterations": ("nca.max_iter", {}),
    "matches": ("nca.target_similarity", _SIMILARITY),
    "objective": ("nca.objective", _OBJECTIVE),
    "optimiser": ("nca.optimiser", _OPTIMISER),
    "penalty": ("nca.regularisation", {}),
    "sums": ("nca.summation", _SUMMATION),
    "seed": ("nca.seed", {}),
}


@dataclass(frozen=True)
class OldLink:
    """An old link in the names of the present version, and what could not be taken over."""

    link: dict[str, Any]
    problems: tuple[str, ...] = ()


def is_old_link(link: Mapping[str, Any]) -> bool:
    """Whether the names are those of the first version."""
    return any(isinstance(name, str) and name.startswith(_PREFIX) for name in link)


def from_old_link(link: Mapping[str, Any]) -> OldLink:
    """The same settings in the names and keys of the present version; what is new in it stays as it is."""
    new: dict[str, Any] = {}
    old: dict[str, str] = {}
    problems: list[str] = []
    for name, value in link.items():
        if not (isinstance(name, str) and name.startswith(_PREFIX)):
            new[name] = value
        elif isinstance(value, str):
            old[name.removeprefix(_PREFIX)] = value
        else:
            problems.append(f"{name[:60]} holds no text; it was left out.")
    # The default that the first version had, whatever it is today: a link must show what it showed.
    word = old.pop("data", "Wine")
    if "data" not in new:
        # Any other word was the name of a table of one's own, or of one in a folder.
        new |= {"data": _DATA[word]} if word in _DATA else {"data": "own", "data.name": word}
    new.setdefault("held_out", "0")
    first = old.pop("pca_first", "false").casefold()
    dimensions = old.pop("pca_dimensions", "30")
    if first == "true":
        new["components"] = dimensions
    elif first != "false":
        problems.append(f"{_PREFIX}pca_first is {first[:60]}; it must be true or false. It was left out.")
    if "max_rows" in old:  # the other one counted for numeric labels, in tables that no link carried
        old.pop("max_rows_of_numbers", None)
    for name, text in old.items():
        data, _, parameter = name.partition(".")
        if parameter:  # a slider of a generated set
            if data == new["data"]:
                new[f"data.{parameter}"] = text
            continue
        if name not in _NAMES:
            problems.append(f"{_PREFIX}{name[:60]} belongs to an older version and is not kept any more.")
            continue
        to, words = _NAMES[name]
        try:
            new[to] = words(text) if callable(words) else words.get(text, text)
        except ValueError:
            new[to] = text  # whoever reads it says what is wrong with it
    return OldLink(new, tuple(problems))

"""FORMULAS and SYMBOLS: each symbol of a formula has a meaning that one can ask for."""

from __future__ import annotations

import re
from dataclasses import dataclass

_PLACE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Symbol:
    """A symbol: its base, what stands below and above it, and what it means."""

    base: str
    meaning: str
    below: str = ""
    above: str = ""


SYMBOLS = {
    "x": Symbol("x", "A row of the table: one number for each feature.", "i"),
    "A": Symbol(
        "A", "The matrix that projects. Each of its rows gives one axis of the picture. It is what is learned."
    ),
    "y": Symbol("y", "Where row i lies in the picture.", "i"),
    "y_j": Symbol("y", "Where row j lies in the picture.", "j"),
    "y_k": Symbol("y", "Where any other row k lies in the picture.", "k"),
    "p_ij": Symbol("p", "The chance that point i picks point j as its neighbour. Over all j these sum to 1.", "ij"),
    "p_ik": Symbol("p", "The chance that point i picks point k.", "ik"),
    "p_i": Symbol("p", "The chance that point i picks a neighbour of its own class.", "i"),
    "exp": Symbol("exp", "e to the power of what follows: 1 at distance 0, and soon almost 0."),
    "d2": Symbol("‖yᵢ − yⱼ‖²", "The squared distance of i and j in the picture."),
    "d2k": Symbol("‖yᵢ − yₖ‖²", "The squared distance of i and k in the picture."),
    "sum_k": Symbol("Σ", "The sum over all points k but i itself.", "k ≠ i"),
    "sum_same": Symbol("Σ", "The sum over the points j of i's own class.", "j of i's class"),
    "sum_i": Symbol("Σ", "The sum over all training points i.", "i"),
    "sum_j": Symbol("Σ", "The sum over all points j but i itself.", "j ≠ i"),
    "f": Symbol("f", "The number of points that NCA expects to be right; divided by n, their share."),
    "g": Symbol("g", "The logarithm of the chance that all points are right at once."),
    "n": Symbol("n", "The number of training points."),
    "log": Symbol("log", "The natural logarithm: 0 at 1, and without end towards minus at 0."),
    "K": Symbol("K̂", "The number of neighbours that a point effectively looks at, over all points."),
    "H": Symbol("H", "The entropy of i's choice: 0 if it always picks the same neighbour, log m among m alike.", "i"),
    "lambda": Symbol("λ", "How much a large A costs; 0 is nothing."),
    "norm": Symbol("‖A‖²", "The sum of all squared entries of A: its size."),
    "pull": Symbol("∂pᵢ", "How p_i grows when point j moves by a little: the arrow on point j.", ""),
    "dy": Symbol("∂yⱼ", "A small move of point j in the picture."),
    "same": Symbol("s", "1 if j is of i's class, else 0.", "ij"),
    "toward": Symbol("(yᵢ − yⱼ)", "The direction from j to i."),
    "S_b": Symbol("S", "How far the class means lie apart.", "b"),
    "S_w": Symbol("S", "How far the points of a class spread around their mean.", "w"),
    "a": Symbol("a", "One direction: a row of A."),
}

FORMULAS = {
    "projection": "{y} = {A} {x}",
    "p_ij": "{p_ij} = {exp}(−{d2}) / {sum_k} {exp}(−{d2k})",
    "p_i": "{p_i} = {sum_same} {p_ij}",
    "f": "{f} = {sum_i} {p_i}",
    "f_whole": "{f} = {sum_i} {p_i},   {p_i} = {sum_same} {p_ij}",
    "g": "{g} = {sum_i} {log} {p_i}",
    "k": "{K} = {exp}( mean of {H} ),   {H} = −{sum_j} {p_ij} {log} {p_ij}",
    "penalty": "{f} − {lambda} {norm}",
    "pull": "{pull} / {dy} = 2 {p_ij} ({same} − {p_i}) {toward}",
    "lda": "greatest ratio of {a}ᵀ{S_b}{a} to {a}ᵀ{S_w}{a}",
}


def parts_of(formula: str) -> list[str | Symbol]:
    """A formula in pieces: words between its symbols, and the symbols."""
    pieces: list[str | Symbol] = []
    for place, piece in enumerate(_PLACE.split(FORMULAS[formula])):
        if place % 2:
            pieces.append(SYMBOLS[piece])
        elif piece:
            pieces.append(piece)
    return pieces

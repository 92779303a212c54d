"""The talk on NCA and MCML: test errors on wine and faces with K by leave-one-out."""

from __future__ import annotations

from typing import Any

from study.experiments.base.bars import bars
from study.experiments.base.cell import ALL_FEATURES, Cell
from study.experiments.base.experiment import Claim, Experiment, Line
from study.experiments.base.grid import one_method

_RULE, _NUMBER = ("k_leave_one_out",), "test_k_leave_one_out"
_ALL, _TWO = "all dimensions", "2-D"
_METHODS = {
    (_ALL, "Euclidean"): "euclidean",
    (_ALL, "whitened"): "whitening",
    (_ALL, "NCA"): "nca",
    (_TWO, "PCA"): "pca",
    (_TWO, "LDA"): "lda",
    (_TWO, "NCA"): "nca",
}
_WINE = dict(zip(_METHODS, (0.30, 0.25, 0.07, 0.31, 0.28, 0.05), strict=True))
_FACES = dict(zip(_METHODS, (0.18, 0.22, 0.04, 0.37, 0.25, 0.05), strict=True))
_PEOPLE = tuple(f"person_{number:02}" for number in range(1, 19))


def _wine(place: tuple[str, str], scale: str, rule: bool = True, **more: Any) -> Cell:
    recipe = one_method("wine", _METHODS[place], 0.5, scale=scale, **more)
    return Cell(recipe, ALL_FEATURES if place[0] == _ALL else 2, rules=_RULE if rule else ())


def _wine_lines() -> list[Line]:
    lines = []
    for place, published in _WINE.items():
        lines.append(Line(*place, _wine(place, "none"), _NUMBER, (published,), error=True))
        others = [("standardised", _wine(place, "standardise"), _NUMBER), ("K = 1", _wine(place, "none"), "test_1nn")]
        if place[1] == "NCA":
            lda = _wine(place, "none", start="lda") if place[0] == _TWO else _wine(place, "none", start="whitening")
            others.append(("start from LDA" if place[0] == _TWO else "start from whitening", lda, _NUMBER))
            others.append(("best of several starts", _wine(place, "none", start="best_of_several"), _NUMBER))
        lines += [Line(*place, cell, number, (published,), True, variant) for variant, cell, number in others]
    return lines


def _faces(place: tuple[str, str], scale: str = "none", start: str = "") -> Cell:
    method = _METHODS[place]
    settings = {"max_iter": 50} if method == "nca" and place[0] == _ALL else None
    recipe = one_method("folder:faces.csv.gz", method, 0.82, scale=scale, settings=settings, start=start)
    return Cell(recipe, ALL_FEATURES if place[0] == _ALL else 2, _PEOPLE, rules=_RULE)


def _face_lines() -> list[Line]:
    said = "grey pictures of 18 other people, of the same size"
    lines = []
    for place, published in _FACES.items():
        cells = {"": _faces(place), "standardised": _faces(place, "standardise")}
        if place == (_TWO, "NCA"):
            cells["start from LDA"] = _faces(place, start="lda")
            cells["best of several starts"] = _faces(place, start="best_of_several")
        slow = place == (_ALL, "NCA")
        lines += [
            Line(*place, cell, _NUMBER, (published,), True, variant, slow=slow, stand_in=said)
            for variant, cell in cells.items()
        ]
    return lines


def _claims(what: str) -> tuple[Claim, ...]:
    pairs = ((_ALL, "Euclidean"), (_ALL, "whitened"), (_TWO, "PCA"), (_TWO, "LDA"))
    return tuple(Claim(f"NCA better than {other} on {what}, {row}", (row, "NCA"), (row, other)) for row, other in pairs)


TALK_WINE = Experiment(
    "talk-wine",
    "Wine: errors with K by leave-one-out",
    "The talk on NCA and MCML, slide 'Toy Data: UCI Wine'",
    "Error. Half of the rows trained on, one split; K by leave-one-out. How the features were scaled is not said: "
    "not at all here, and standardised beside.",
    tuple(_wine_lines()),
    _claims("wine"),
    splits=20,
    published_splits=1,
    figure=bars,
)
TALK_FACES = Experiment(
    "talk-faces",
    "Faces: errors with K by leave-one-out",
    "The talk on NCA and MCML, slide 'Face Data'",
    "Error. 18 people, 560 pixels, about 100 pictures trained on, one split of 100/900 there; here the rest of 562 "
    "pictures is tested on. Pixels as they come, and standardised beside.",
    tuple(_face_lines()),
    _claims("faces"),
    splits=10,
    published_splits=1,
    figure=bars,
)

"""Figure 3 of the NCA paper: a network places faces by how they are turned and how large they are."""

from __future__ import annotations

from study.experiments.base import svg
from study.experiments.base.cell import Cell
from study.experiments.base.experiment import Experiment, Line
from study.experiments.base.found import Found
from study.experiments.base.grid import one_method

_ROW = "faces of people not trained on"
_NUMBERS = {
    "angle": "polar angle and turn, correlation",
    "size": "radius and size, correlation",
    "angle_told": "variance of the turn that 5 neighbours tell",
    "size_told": "variance of the size that 5 neighbours tell",
}
_CELL = Cell(one_method("turned_faces", "neural_nca", 0.25), task="turned_faces")
_SIDE, _EDGE = 320.0, 20.0


def _drawn(found: Found) -> str:
    """Test faces: colour from blue to orange by turn, squares for large faces, circles for small ones."""
    mean = next((m for m in found.means if m.outcomes), None)
    if mean is None:
        return ""
    outcome = mean.outcomes[0]
    xs, ys = ([place[k] for place in outcome.places] for k in (0, 1))
    axes = svg.Axes((_EDGE, _EDGE, _SIDE, _SIDE), (min(xs), max(xs)), (min(ys), max(ys)))
    parts = [
        svg.mark(axes.x(x), axes.y(y), ("circle", "square")[large], _shade(angle), 4)
        for (x, y, angle), large in zip(outcome.places, outcome.codes, strict=True)
    ]
    parts.append(svg.text(_EDGE, _SIDE + 2 * _EDGE + 8, "blue −45° to orange 45°; squares: 30 to 35 pixels high"))
    return svg.picture(_SIDE + 2 * _EDGE, _SIDE + 3 * _EDGE, parts, found.experiment.title)


def _shade(angle: float) -> str:
    share = (angle + 45.0) / 90.0
    low, high = (0, 114, 178), (230, 120, 0)
    return "#" + "".join(f"{round(a + share * (b - a)):02x}" for a, b in zip(low, high, strict=True))


NCA_FIG3 = Experiment(
    "nca-fig3",
    "Faces by turn and size, from weighted pairs",
    "Goldberger, Roweis, Hinton, Salakhutdinov (2004), figure 3 and eq. 8",
    "A network with one hidden layer of 100 logistic units, one softmax over all pairs, each weighted by the density "
    "of noise of 1.22° and 1.5 pixels. The paper's faces are not to be had, so drawn ones of 24 by 24 pixels, "
    "turned by "
    "−45° to 45°, 25 to 35 pixels high and lit from a side: 420 faces of 30 people trained on, 140 of 30 others shown. "
    "The paper shows a picture; the correlations of the polar angle with the turn and of the radius with the size, "
    "about the centre where the first is greatest, are ours.",
    tuple(Line(_ROW, title, _CELL, number, stand_in="drawn faces", slow=True) for number, title in _NUMBERS.items()),
    splits=5,
    figure=_drawn,
)

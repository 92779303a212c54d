"""The film: the training as a GIF, for slides: every panel, its title, the iteration and the legend."""

from __future__ import annotations

import io
import math
from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from export.entry import Export, File, Made, Wish, safe_name
from export.font import font
from export.markers import colour_of, marker, shape_of
from export.subject import Subject
from nca_core.run import Slot
from nca_core.snapshot import Snapshot
from pages.stage.scene import Panel, Scene, mean_place, sampled_rows, with_rows
from pages.stage.scene_of import scene_of
from pages.text.plain_text import visible

MOST_FRAMES, MOST_POINTS = 80, 5_000
_MILLISECONDS, _AT_THE_END = 100, 1_800
_SIDES = {"small": 220, "medium": 320, "large": 480}
_GAP, _AROUND, _TITLE, _LINE = 10, 12, 22, 20
_MOST_CLASSES = 20
_LETTERS = 14
_COLOURS = 96
_TILT, _TURN, _SWING = 0.3, 0.35, 0.6  # radians; in 3-D the view swings to and fro
_PAPER = {False: "#ffffff", True: "#12161c"}
_INK = {False: "#1d2733", True: "#e4e9ee"}
_RIM = {False: "#e6eaee", True: "#2a333d"}


@dataclass(frozen=True)
class Look:
    """How the frames of a film look: the side of a panel in pixels, the columns, the theme."""

    side: int
    columns: int
    dark: bool


def _problem(subject: Subject, wish: Wish) -> str:
    if not any(len(history) > 1 for history in subject.histories.values()):
        return "Nothing has been trained yet that a film could show: press Train."
    return ""


def _make(subject: Subject, wish: Wish, slot: Slot) -> Generator[Made, None, None]:
    with slot():
        scene = scene_of(subject.comparison)
        rows = sampled_rows(scene, MOST_POINTS)
        scene = with_rows(scene, rows)
    last = max(len(history) for history in subject.histories.values()) - 1
    moments = np.unique(np.linspace(0, last, min(MOST_FRAMES, last + 1)).round().astype(int))
    look = Look(_SIDES[wish.form], _columns(len(scene.panels)), subject.dark)
    frames: list[Image.Image] = []
    yield Made(0, len(moments) + 1)
    views = _views(subject, scene, rows)
    for moment in moments:
        with slot():
            swing = _SWING * math.sin(2 * math.pi * moment / max(1, last))
            frames.append(_frame(subject, scene, rows, int(moment), look, [_turned(view, swing) for view in views]))
        yield Made(len(frames), len(moments) + 1)
    with slot():
        data = _gif(frames)
    name = safe_name(subject.comparison.dataset.name, "-training.gif")
    yield Made(len(moments) + 1, len(moments) + 1, File(name, "image/gif", data))


def _columns(panels: int) -> int:
    return panels if panels < 4 else 2 if panels == 4 else 3


def _gif(frames: list[Image.Image]) -> bytes:
    """All frames in the colours of the last one, which has all of them."""
    common = frames[-1].quantize(_COLOURS, dither=Image.Dither.NONE)
    few = [frame.quantize(palette=common, dither=Image.Dither.NONE) for frame in frames]
    packed = io.BytesIO()
    times = [_MILLISECONDS] * (len(few) - 1) + [_AT_THE_END]
    few[0].save(packed, "GIF", save_all=True, append_images=few[1:], duration=times, loop=0, disposal=1)
    return packed.getvalue()


def places_at(subject: Subject, scene: Scene, rows: np.ndarray, panel: Panel, moment: int) -> np.ndarray:
    """Where a panel has the points at a snapshot, at most its last, (n_shown, n_components), centred."""
    snapshot = _snapshot(subject, panel.key, moment)
    frame = panel.frame
    assert frame is not None
    if snapshot is not None:
        frame = snapshot.transformation if snapshot.coordinates is None else snapshot.coordinates[rows]
    Y = frame if panel.kind == "coordinates" else scene.features[panel.features] @ frame.T
    return Y - np.nan_to_num(mean_place(Y))


def _snapshot(subject: Subject, key: str, moment: int) -> Snapshot | None:
    history = subject.histories.get(key)
    return history[min(moment, len(history) - 1)] if history else None


def _views(subject: Subject, scene: Scene, rows: np.ndarray) -> list[np.ndarray]:
    """From where each panel is looked at: in 3-D its principal axes at the end, tilted a little."""
    if scene.n_components == 2:
        return [np.eye(2)] * len(scene.panels)
    views = []
    for panel in scene.panels:
        axes = np.eye(3)
        if panel.frame is not None:
            Y = places_at(subject, scene, rows, panel, 10**9)
            axes = np.linalg.svd(Y[np.isfinite(Y).all(axis=1)], full_matrices=False)[2]
            axes[2] = np.cross(axes[0], axes[1])
        views.append(_about_x(_TILT) @ _about_y(_TURN) @ axes)
    return views


def _turned(view: np.ndarray, angle: float) -> np.ndarray:
    return view if len(view) == 2 else _about_y(angle) @ view


def _about_x(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


def _about_y(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def _frame(
    subject: Subject, scene: Scene, rows: np.ndarray, moment: int, look: Look, views: list[np.ndarray]
) -> Image.Image:
    panels = scene.panels
    step = look.side + _GAP, look.side + _TITLE + _GAP
    top = _AROUND + _LINE
    width = 2 * _AROUND + look.columns * step[0] - _GAP
    below = top + math.ceil(len(panels) / look.columns) * step[1]
    lines = _legend_lines(scene, width - 2 * _AROUND)
    image = Image.new("RGB", (width, below + len(lines) * _LINE + _AROUND), _PAPER[look.dark])
    draw, letters = ImageDraw.Draw(image), font(_LETTERS)
    ink = _INK[look.dark]
    draw.text((_AROUND, _AROUND - 4), visible(subject.comparison.prepared.raw.name)[:60], fill=ink, font=letters)
    draw.text((width - _AROUND, _AROUND - 4), f"iteration {moment}", fill=ink, font=letters, anchor="ra")
    for k, panel in enumerate(panels):
        x, y = _AROUND + (k % look.columns) * step[0], top + (k // look.columns) * step[1]
        draw.text((x, y), _title(subject, panel, moment, look.side), fill=ink, font=letters)
        box = (x, y + _TITLE - 4, x + look.side, y + _TITLE - 4 + look.side)
        if panel.frame is not None:
            Y = places_at(subject, scene, rows, panel, moment)
            _paint(image, box, Y, panel, scene, look, views[k])
        draw.rectangle(box, outline=_RIM[look.dark])
    for line, entries in enumerate(lines):
        for x, label, words in entries:
            at = (_AROUND + x, below + line * _LINE)
            _put(image, (at[0] + 6, at[1] + 8), label, 5.0, False, scene, look)
            draw.text((at[0] + 16, at[1]), words, fill=ink, font=letters)
    return image


def _title(subject: Subject, panel: Panel, moment: int, side: int) -> str:
    """With its numbers where there is room for them."""
    snapshot = _snapshot(subject, panel.key, moment)
    title = visible(panel.title)[: side // 12]
    if snapshot is None or math.isnan(snapshot.mean_p):
        return title
    return f"{title}   f/n {snapshot.mean_p:.3f}"


def _legend_lines(scene: Scene, width: int) -> list[list[tuple[int, int, str]]]:
    """(x, class, its name), line by line."""
    lines: list[list[tuple[int, int, str]]] = [[]]
    x = 0
    for label, name in enumerate(scene.class_names[:_MOST_CLASSES]):
        words = visible(name)[:30]
        long = 30 + int(font(_LETTERS).getlength(words))
        if lines[-1] and x + long > width:
            lines.append([])
            x = 0
        lines[-1].append((x, label, words))
        x += long
    return lines


def _paint(
    image: Image.Image,
    box: tuple[int, int, int, int],
    Y: np.ndarray,
    panel: Panel,
    scene: Scene,
    look: Look,
    view: np.ndarray,
) -> None:
    places = Y @ view.T
    half = look.side / 2
    scale = half / (1.12 * spread(Y))
    xs, ys = box[0] + half + scale * places[:, 0], box[1] + half - scale * places[:, 1]
    order = np.argsort(places[:, 2], kind="stable") if places.shape[1] == 3 else np.arange(len(Y))
    radius = max(1.6, min(4.8, 0.3 * look.side / math.sqrt(max(1, len(Y)))))
    labels = scene.labels if panel.labels is None else panel.labels
    inside = (np.abs(xs - box[0] - half) < half - radius) & (np.abs(ys - box[1] - half) < half - radius)  # NaN is not
    for i in order[inside[order]]:
        _put(image, (float(xs[i]), float(ys[i])), int(labels[i]), radius, bool(scene.held_out[i]), scene, look)


def _put(
    image: Image.Image, at: tuple[float, float], label: int, radius: float, hollow: bool, scene: Scene, look: Look
) -> None:
    slices = len(scene.class_names) if scene.ordered else 0
    shape = 0 if scene.ordered else shape_of(label, len(scene.class_names))
    mask = marker(shape, round(radius, 1), hollow)
    corner = (round(at[0]) - mask.width // 2, round(at[1]) - mask.height // 2)
    image.paste(colour_of(label, look.dark, slices), (*corner, corner[0] + mask.width, corner[1] + mask.height), mask)


def spread(Y: np.ndarray) -> float:
    """How far the points reach from the centre, a few stragglers left out, as on the stage."""
    placed = Y[np.isfinite(Y).all(axis=1)]
    if not len(placed):
        return 1.0
    radii = np.sort(np.linalg.norm(placed, axis=1) if Y.shape[1] == 3 else np.abs(placed).max(axis=1))
    most, usual = radii[-1], radii[int((len(radii) - 1) * 0.99)]
    return max(float(usual if most > 2.5 * usual else most), 1e-30)


FILM = Export(
    key="film",
    title="Film: the training as a GIF",
    description="All panels from the start to the iteration shown, with titles and legend, for slides; up to 80 frames "
    "at 10 a second.",
    forms={"medium": "320 pixels a panel", "small": "220", "large": "480"},
    make=_make,
    problem=_problem,
)

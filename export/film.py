"""The film: the training as a GIF for slides, with every panel, its title, the iteration and the legend."""

import io
import math
from collections.abc import Generator
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from scipy.spatial.transform import Rotation

from export.entry import Export, ExportProgress, ExportRequest, File, Subject
from nca_core.snapshot import Snapshot
from nca_core.training.pace import show_times
from nca_core.training.run import Slot
from stage.palette import colour_of, marker_radius, shape_corners, shape_of
from stage.plain_text import visible
from stage.scene import Panel, build_scene, centred, sampled_rows, with_rows

MOST_FRAMES, MOST_POINTS = 101, 5_000
_TIMED = 300  # points that tell how long the way between two snapshots is
_MILLISECONDS, _AT_THE_END = 100, 1_800
_SIDES = {"small": 220, "medium": 320, "large": 480}
_GAP, _AROUND, _TITLE, _LINE, _LETTERS = 10, 12, 22, 20, 14  # pixels
_MOST_CLASSES, _COLOURS = 20, 96
_FINER = 4  # Pillow draws without anti-aliasing: markers are drawn larger by this and then made small
_FONT = "static/static/media/SourceSansVF-Upright*.woff2"  # comes with Streamlit
_TILT, _TURN, _SWING = 0.3, 0.35, 0.6  # radians; in 3-D the view swings to and fro
_PAPER = {False: "#ffffff", True: "#12161c"}
_INK = {False: "#1d2733", True: "#e4e9ee"}
_RIM = {False: "#e6eaee", True: "#2a333d"}


def _problem(subject: Subject, request: ExportRequest) -> str:
    if not any(shown_index(subject, key) > 0 for key in subject.histories):
        return "Nothing has been trained yet: press Train first."
    return ""


def _make(subject: Subject, request: ExportRequest, slot: Slot) -> Generator[ExportProgress, None, None]:
    with slot():
        film = Film(subject, _SIDES[request.form])
    moments = film.moments()
    frames: list[Image.Image] = []
    yield ExportProgress(0, len(moments) + 1)
    for moment in moments:
        with slot():
            frames.append(film.frame(moment))
        yield ExportProgress(len(frames), len(moments) + 1)
    with slot():
        data = _gif(frames)
    name = subject.file_name("training.gif")
    yield ExportProgress(len(moments) + 1, len(moments) + 1, File(name, "image/gif", data))


def shown_index(subject: Subject, key: str) -> int:
    """The number of the snapshot that a trained panel shows."""
    return subject.places.get(key, len(subject.histories[key]) - 1)


def _gif(frames: list[Image.Image]) -> bytes:
    """Encode the frames in the colours of the last one, which has all of them."""
    common = frames[-1].quantize(_COLOURS, dither=Image.Dither.NONE)
    few = [frame.quantize(palette=common, dither=Image.Dither.NONE) for frame in frames]
    packed = io.BytesIO()
    times = [_MILLISECONDS] * (len(few) - 1) + [_AT_THE_END]
    few[0].save(packed, "GIF", save_all=True, append_images=few[1:], duration=times, loop=0, disposal=1)
    return packed.getvalue()


class Film:
    """Draws the frames: the panels of a subject at a snapshot, `side` pixels each."""

    def __init__(self, subject: Subject, side: int) -> None:
        scene = build_scene(subject.comparison)
        self.subject, self.side, self.dark = subject, side, subject.dark
        self.rows = sampled_rows(scene, MOST_POINTS)
        self.scene = with_rows(scene, self.rows)
        self.last = max(shown_index(subject, key) for key in subject.histories)
        panels = len(scene.panels)
        self.columns = panels if panels < 4 else 2 if panels == 4 else 3

    def moments(self) -> list[float]:
        """The moments of the frames, evenly spread over a calm replay, in snapshots and parts of one."""
        moving = [panel for panel in self.scene.panels if panel.key in self.subject.histories]
        stride = max(1, len(self.rows) // _TIMED)
        pictures = ([self.places(panel, k, stride) for k in range(self.last + 1)] for panel in moving)
        times = np.max([show_times(each) for each in pictures], axis=0)
        frames = min(MOST_FRAMES, 1 + math.ceil(1000 * times[-1] / _MILLISECONDS))
        return np.interp(np.linspace(0, times[-1], frames), times, np.arange(len(times))).tolist()

    def places(self, panel: Panel, moment: float, stride: int = 1) -> np.ndarray:
        """Where a panel has the points at a moment, at most its last, (n_shown, n_components), centred.

        Between two snapshots A, or what a method without one yields, lies on the straight line from one to the other.
        `stride`: of every so many points.
        """
        before, after, frame = self._snapshot(panel, int(moment)), self._snapshot(panel, math.ceil(moment)), panel.frame
        assert frame is not None
        if before is not None and after is not None:
            share = moment - int(moment)
            frame = (1 - share) * self._frame(before) + share * self._frame(after)
        points = frame if panel.kind == "coordinates" else self.scene.features[panel.features]
        Y = points[::stride] if panel.kind == "coordinates" else points[::stride] @ frame.T
        return centred(Y)

    def _frame(self, snapshot: Snapshot) -> np.ndarray:
        return snapshot.transformation if snapshot.coordinates is None else snapshot.coordinates[self.rows]

    def frame(self, moment: float) -> Image.Image:
        step, top = (self.side + _GAP, self.side + _TITLE + _GAP), _AROUND + _LINE
        width = 2 * _AROUND + self.columns * step[0] - _GAP
        below = top + math.ceil(len(self.scene.panels) / self.columns) * step[1]
        lines = self._legend_lines(width - 2 * _AROUND)
        image = Image.new("RGB", (width, below + len(lines) * _LINE + _AROUND), _PAPER[self.dark])
        draw, letters, ink = ImageDraw.Draw(image), font(_LETTERS), _INK[self.dark]
        draw.text((_AROUND, _AROUND - 4), visible(self.subject.comparison.prepared.raw.name)[:60], ink, letters)
        draw.text((width - _AROUND, _AROUND - 4), f"iteration {round(moment)}", ink, letters, anchor="ra")
        for k, panel in enumerate(self.scene.panels):
            x, y = _AROUND + (k % self.columns) * step[0], top + (k // self.columns) * step[1]
            snapshot, title = self._snapshot(panel, round(moment)), visible(panel.title)[: self.side // 12]
            if snapshot is not None and not math.isnan(snapshot.mean_p):
                title += f"   f/n {snapshot.mean_p:.3f}"
            draw.text((x, y), title, ink, letters)
            corner = (x, y + _TITLE - 4)
            if panel.frame is not None:
                swing = _SWING * math.sin(2 * math.pi * moment / max(1, self.last))
                self.paint(image, corner, panel, self.places(panel, moment), self._view(panel, swing))
            draw.rectangle((*corner, corner[0] + self.side, corner[1] + self.side), outline=_RIM[self.dark])
        for line, entries in enumerate(lines):
            for x, label, words in entries:
                at = (_AROUND + x, below + line * _LINE)
                self._put(image, (at[0] + 6, at[1] + 8), label, 5.0, hollow=False)
                draw.text((at[0] + 16, at[1]), words, ink, letters)
        return image

    def paint(self, image: Image.Image, corner: tuple[int, int], panel: Panel, Y: np.ndarray, view: np.ndarray) -> None:
        """Draw the points Y into the square at `corner`, the far ones first."""
        places, half = Y @ view.T, self.side / 2
        scale = half / (1.12 * reach(Y))
        x0, y0 = corner[0] + half, corner[1] + half
        xs, ys = x0 + scale * places[:, 0], y0 - scale * places[:, 1]
        order = np.argsort(places[:, 2], kind="stable") if places.shape[1] == 3 else np.arange(len(Y))
        radius = marker_radius(len(Y), self.side)
        labels = self.scene.labels if panel.labels is None else panel.labels
        inside = (np.abs(xs - x0) < half - radius) & (np.abs(ys - y0) < half - radius)  # False for NaN
        for i in order[inside[order]]:
            self._put(image, (float(xs[i]), float(ys[i])), int(labels[i]), radius, bool(self.scene.held_out[i]))

    def _put(self, image: Image.Image, at: tuple[float, float], label: int, radius: float, hollow: bool) -> None:
        ordered, classes = self.scene.ordered, len(self.scene.class_names)
        shape = 0 if ordered else shape_of(label, classes)
        colour = colour_of(label, self.dark, classes if ordered else 0)
        picture = sprite(shape, radius, hollow, colour, _PAPER[self.dark])
        image.paste(picture, (round(at[0]) - picture.width // 2, round(at[1]) - picture.height // 2), picture)

    def _snapshot(self, panel: Panel, moment: int) -> Snapshot | None:
        history = self.subject.histories.get(panel.key)
        return history[min(moment, shown_index(self.subject, panel.key))] if history else None

    @cached_property
    def _axes(self) -> dict[str, np.ndarray]:
        """Principal axes of each panel's last picture, by its key."""
        found = {}
        for panel in self.scene.panels:
            if panel.frame is not None:
                Y = self.places(panel, self.last)
                axes = np.linalg.svd(Y[np.isfinite(Y).all(axis=1)], full_matrices=False)[2]
                axes[2] = np.cross(axes[0], axes[1])
                found[panel.key] = axes
        return found

    def _view(self, panel: Panel, swing: float) -> np.ndarray:
        """How the picture is turned: in 3-D to its principal axes at the end, a little tilted, and by `swing`."""
        if self.scene.n_components == 2:
            return np.eye(2)
        return Rotation.from_euler("YXY", (swing, _TILT, _TURN)).as_matrix() @ self._axes[panel.key]

    def _legend_lines(self, width: int) -> list[list[tuple[int, int, str]]]:
        """Entries (x, class, its name), line by line."""
        lines: list[list[tuple[int, int, str]]] = [[]]
        x = 0
        for label, name in enumerate(self.scene.class_names[:_MOST_CLASSES]):
            words = visible(name)[:30]
            long = 30 + int(font(_LETTERS).getlength(words))
            if lines[-1] and x + long > width:
                lines.append([])
                x = 0
            lines[-1].append((x, label, words))
            x += long
        return lines


@lru_cache(maxsize=512)
def sprite(shape: int, radius: float, hollow: bool, colour: str, paper: str) -> Image.Image:
    """A marker as on the stage, its centre in the middle: an outline, or ink with a rim of the paper's colour."""
    half = math.ceil(1.2 * radius + 2)
    side = 2 * half + 1
    image = Image.new("RGBA", (_FINER * side, _FINER * side))
    draw = ImageDraw.Draw(image)
    middle, unit = (_FINER * side - 1) / 2, _FINER * (radius - 0.4 if hollow else radius) / 5
    corners = [(middle + unit * x, middle + unit * y) for x, y in shape_corners(shape)]
    outline = [*corners, *corners[:2]]
    if hollow:
        draw.line(outline, colour, round(_FINER * max(1.0, 0.32 * radius)), joint="curve")
    else:
        if radius >= 2.5:
            draw.line(outline, paper, round(_FINER * 1.8), joint="curve")
        draw.polygon(corners, colour)
    return image.resize((side, side), Image.Resampling.BOX)


@lru_cache(maxsize=4)
def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The page's font, with Latin, Greek and Cyrillic letters; Pillow's own, with Latin alone, where it is missing."""
    for file in Path(str(files("streamlit"))).glob(_FONT):
        try:
            found = ImageFont.truetype(file, size)
            found.set_variation_by_name("Regular")
        except OSError:  # a Pillow that cannot unpack it
            continue
        return found
    return ImageFont.load_default(size)


def reach(Y: np.ndarray) -> float:
    """How far the points reach from the centre, a few stragglers left out, as `spread` in projection.js."""
    placed = Y[np.isfinite(Y).all(axis=1)]
    if not len(placed):
        return 1.0
    radii = np.sort(np.linalg.norm(placed, axis=1) if Y.shape[1] == 3 else np.abs(placed).max(axis=1))
    most, usual = radii[-1], radii[int((len(radii) - 1) * 0.99)]
    return max(float(usual if most > 2.5 * usual else most), 1e-30)


FILM = Export(
    key="film",
    title="Film: the training as a GIF",
    description="All panels from the start to the iteration shown, with titles and legend, for slides: 8 to 10 s, slow "
    "where the picture changes.",
    forms={"medium": "320 pixels a panel", "small": "220", "large": "480"},
    make=_make,
    problem=_problem,
)

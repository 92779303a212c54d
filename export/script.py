"""The proof: a script that repeats preparation, split, training and table from the same data and checks each number."""

from __future__ import annotations

import hashlib
import io
import math
import platform
import zipfile
from collections.abc import Generator
from dataclasses import asdict
from importlib.metadata import version
from pprint import pformat

import numpy as np

from export.entry import Export, File, Made, Wish, safe_name
from export.script_data import DataPart, data_part
from export.script_text import SCRIPT_TEXT
from export.subject import Subject
from nca_core.run import Slot
from nca_core.snapshot import Snapshot
from study.link import from_link, to_link

NAME = "nca_proof.py"
TOLERANCE = 1e-9
_WIDTH = 112
_LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba")


def _problem(subject: Subject, wish: Wish) -> str:
    if not subject.measured:
        return "No panel shows numbers yet that could be proved."
    recipe = subject.comparison.recipe
    if from_link(to_link(recipe)).recipe != recipe:
        return "These settings cannot be written down as a text that gives them again."
    return ""


def _make(subject: Subject, wish: Wish, slot: Slot) -> Generator[Made, None, None]:
    measured = subject.measured
    wanted = 1 + 2 * len(measured)
    yield Made(0, wanted)
    numbers: dict[str, dict[str, float]] = {}
    for done, panel in enumerate(measured):
        snapshot = subject.at(panel.key)
        if snapshot is not None:
            _check_repeatable(subject, panel.key, snapshot, slot)
        yield Made(2 * done + 1, wanted)
        numbers[panel.key] = _numbers(subject, panel.key, slot)
        yield Made(2 * done + 2, wanted)
    data = data_part(subject.comparison.dataset, subject.comparison.recipe.data, subject.source)
    text = _script(subject, data, numbers).encode("ascii")
    if data.content is None:
        yield Made(wanted, wanted, File(NAME, "text/x-python", text))
        return
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(NAME, text)
        archive.writestr(data.filename, data.content)
    name = safe_name(subject.comparison.dataset.name, "-proof.zip")
    yield Made(wanted, wanted, File(name, "application/zip", packed.getvalue()))


def _check_repeatable(subject: Subject, key: str, shown: Snapshot, slot: Slot) -> None:
    """ValueError unless the same training, made anew, comes to the same A: a proof that fails is not handed out."""
    comparison = subject.comparison
    again = comparison.trained(key, slot, start=subject.given_starts.get(key)).snapshots
    same = len(again) > shown.iteration and np.allclose(
        again[shown.iteration].transformation,
        shown.transformation,
        rtol=TOLERANCE,
        atol=TOLERANCE * float(np.abs(shown.transformation).max()),
    )
    if not same:
        title = comparison.panel(key).recipe.shown_title
        raise ValueError(
            f"{title}, trained anew, does not come to the same numbers; its training may have begun while the server "
            "was still starting. Press Train again, then export."
        )


def _numbers(subject: Subject, key: str, slot: Slot) -> dict[str, float]:
    """Those of the table but the seconds, the size of the picture, and of a training its iteration and objective."""
    found = {name: value for name, value in asdict(subject.scores(key, slot)).items() if name != "seconds"}
    found["norm_of_Y"] = float(np.linalg.norm(subject.places(key)))
    snapshot = subject.at(key)
    if snapshot is not None:
        found = {"iteration": snapshot.iteration, "objective": snapshot.objective, **found}
    return {name: value for name, value in found.items() if not math.isnan(value)}


def _script(subject: Subject, data: DataPart, numbers: dict[str, dict[str, float]]) -> str:
    prepared = subject.comparison.prepared
    rows = np.ascontiguousarray(prepared.raw.row_numbers[prepared.held_out], dtype="<i8")
    starts = {key: A.tolist() for key, A in subject.given_starts.items() if key in numbers}
    versions = {"python": platform.python_version(), **{name: version(name) for name in _LIBRARIES}}
    blanks = {
        "name": ascii(subject.comparison.dataset.name),
        "versions": _literal(versions),
        "recipe": _literal(to_link(subject.comparison.recipe)),
        "n_train": int(prepared.train.sum()),
        "n_held_out": int(prepared.held_out.sum()),
        "split": hashlib.sha256(rows.tobytes()).hexdigest(),
        "k": subject.k,
        "numbers": _literal(numbers),
        "starts": _literal(starts),
        "tolerance": TOLERANCE,
        "data_imports": data.imports,
        "data_constants": data.constants,
        "load": data.load,
        "sha256": data.sha256,
        "data_file": f" [{data.filename}]" if data.content is not None else "",
    }
    text = SCRIPT_TEXT
    for blank, value in blanks.items():  # no value holds a blank: all are ASCII
        text = text.replace(f"«{blank}»", str(value))
    return text


def _literal(value: object) -> str:
    """Python's literal of numbers, texts, lists and mappings; a text in it is a literal of ASCII, whatever it says."""
    return pformat(value, width=_WIDTH, sort_dicts=False).encode("ascii", "backslashreplace").decode()


SCRIPT = Export(
    key="proof",
    title="Proof: a script that repeats the numbers",
    description="Python that goes from the data, checked by SHA-256, through preparation, split and training to the "
    "table, and checks every number. It needs this program's folder; your own file comes along in a ZIP.",
    forms={"py": "Python"},
    make=_make,
    problem=_problem,
)

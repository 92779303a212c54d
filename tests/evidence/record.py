"""SECTIONS: name -> a function that records one kind of evidence as JSON values, without times."""

import ast
import hashlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from datasets.catalogue import load_dataset
from datasets.columns import build_dataset
from datasets.preparation import PreparationConfig, prepare
from datasets.proposals import Choices, apply, propose
from datasets.reading import FaultyLinesError, ReadOptions, read_table
from export.entry import ExportRequest, Subject
from export.script import SCRIPT
from lessons import LESSONS
from nca_core.methods import METHODS
from nca_core.snapshot import Snapshot
from stage.scene import build_scene
from stage.wire import NUMBERS, encode_scene, encode_snapshots
from study.compare import compare
from study.embed import embedded
from study.link import from_link, to_link
from study.presets import PRESETS
from study.recipe import Recipe
from tests.datasets.corpus import tables as corpus_tables
from tests.datasets.corpus.messy import TABLES
from tests.evidence.bad_inputs import INPUTS, WITHOUT_A_FILE
from tests.own_process import run_python
from tests.study.some_data import whole_training
from tests.tracked_files import ROOT

assert corpus_tables  # which enters them in TABLES when it is imported
_EXPERIMENTS = ("sklearn-example", "nca-fig1-rank2", "pydml", "gvsm-fig3")


def _recipe(**link: str) -> Recipe:
    return from_link({"recipe": "2", **link}).recipe


def _recipes() -> dict[str, Recipe]:
    """Every preset on two data sets, every picture of a lesson, every method."""
    found = {}
    for data in ("wine", "n2d"):
        found |= {
            f"preset {key} on {data}": preset.on(_recipe(data=data, held_out="0.3")) for key, preset in PRESETS.items()
        }
    for key, lesson in LESSONS.items():
        for number, step in enumerate(lesson.steps):
            found[f"lesson {key} {number}"] = step.recipe
            if step.after is not None:
                found[f"lesson {key} {number} after"] = step.after
    for key in METHODS:
        iterations = {f"{key}.max_iter": "15"}
        found[f"method {key}"] = _recipe(data="wine", held_out="0.3", panels=key, **iterations)
    return found


def _dataset(recipe: Recipe) -> Dataset:
    return load_dataset(recipe.data.key, **dict(recipe.data.parameters))


def _subject(recipe: Recipe) -> Subject:
    """The recipe fitted and trained."""
    comparison = embedded(compare(recipe, _dataset(recipe), apart=True), nullcontext)
    trained = {panel.key: comparison.trained(panel.key).snapshots for panel in comparison.panels if panel.trains}
    return Subject(comparison, trained)


def _proof(recipe: Recipe) -> str:
    wish = ExportRequest(next(iter(SCRIPT.forms)))
    *_, last = SCRIPT.make(_subject(recipe), wish, nullcontext)
    assert last.file is not None
    return last.file.data.decode()


def numbers() -> dict[str, Any]:
    """What each proof script claims, and whether a fresh process that runs them all finds the same."""
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        known: dict[str, str] = {}
        for number, (name, recipe) in enumerate(_recipes().items()):
            link = str(to_link(recipe))
            if link in known:
                found[name] = f"as {known[link]}"
                continue
            known[link] = name
            try:
                text = _proof(recipe)
            except (DataError, ValueError) as error:
                found[name] = str(error)
                continue
            Path(folder, f"{number:03}.py").write_text(text, encoding="utf-8")
            shown = re.search(r"^SHOWN = (.*?)^#", text, re.DOTALL | re.MULTILINE)
            assert shown is not None
            found[name] = {"link": to_link(recipe), "file": f"{number:03}", "numbers": ast.literal_eval(shown[1])}
        verdicts = _run_proofs(Path(folder))
    for entry in found.values():
        if isinstance(entry, dict):
            entry["fresh process"] = verdicts.get(entry.pop("file"), "not run")
    return found


_RUN_ALL = """
import contextlib, io, pathlib, runpy, sys
for file in sorted(pathlib.Path(sys.argv.pop(1)).glob("*.py")):
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            runpy.run_path(str(file), run_name="__main__")
        verdict = said.getvalue().strip().splitlines()[-1]
    except (Exception, SystemExit) as error:
        verdict = repr(error)
    print(file.stem, verdict, flush=True)
"""


def _run_proofs(folder: Path) -> dict[str, str]:
    said = run_python(_RUN_ALL, str(folder), timeout=3600, cwd=folder)[0]
    return dict(line.split(" ", 1) for line in said.splitlines())


def _described(data: bytes, name: str) -> dict[str, Any]:
    """What the reader, the proposals and the data set say about a file, after first answers."""
    said: dict[str, Any] = {}
    try:
        try:
            table = read_table(data, name)
        except FaultyLinesError as error:
            if not error.can_skip:
                raise
            said["faulty lines"] = str(error)
            table = read_table(data, name, ReadOptions(faulty_lines="skip"))
        said |= {"sheets": list(table.sheets), "read": list(table.notes)}
        proposal = propose(table)
        plan = apply(proposal)
        if plan.label is None and "label" in table.columns:
            plan = apply(proposal, Choices(label="label"))
        said["questions"] = [[q.key, q.text, [a.text for a in q.answers], q.blocking] for q in plan.questions]
        said |= {"costs": list(plan.costs), "waiting": list(plan.waiting)}
        for _ in range(5):
            if plan.ready or not plan.questions or not plan.questions[0].answers:
                break
            plan = apply(proposal, plan.questions[0].answers[0].choices)
        said["columns"] = [[each.name, each.role, each.reason] for each in plan.planned]
        said["label"] = None if plan.label is None else plan.label.name
        dataset = build_dataset(plan.table, plan.columns)
        said["preparation"] = [step.sentence for step in prepare(dataset, PreparationConfig()).steps]
    except DataError as error:
        return {**said, "refused": str(error)}
    digest = hashlib.sha256(np.ascontiguousarray(dataset.X, dtype="<f8").tobytes()).hexdigest()
    return {
        **said,
        "features": list(dataset.feature_names),
        "classes": list(dataset.class_names)[:20],
        "shape": list(dataset.X.shape),
        "X": digest,
        "y": hashlib.sha256(np.asarray(dataset.y, dtype="<i8").tobytes()).hexdigest(),
        "rows": hashlib.sha256(np.asarray(dataset.row_numbers, dtype="<i8").tobytes()).hexdigest(),
        "notes": list(dataset.notes),
    }


def tables() -> dict[str, Any]:
    """Every table of the corpora."""
    return {name: _described(make().data, make().name) for name, make in TABLES.items()}


def bad_inputs() -> dict[str, Any]:
    """The 64 bad inputs, as far as they are files."""
    found: dict[str, Any] = {str(number): what for number, what in WITHOUT_A_FILE.items()}
    for number, make in INPUTS.items():
        name, data = make()
        found[str(number)] = _described(data, name)
    return found


def _bytes(data: bytes) -> dict[str, Any]:
    return {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def _numbered(snapshot: Snapshot, A: np.ndarray, at: int) -> Snapshot:
    """`snapshot` with numbers that no training decides."""
    return replace(snapshot, transformation=A, **{name: at + place / 8 for place, name in enumerate(NUMBERS)})


def wire() -> dict[str, Any]:
    """Scenes and snapshots as bytes: of trainings, and of numbers and matrices that no training decides."""
    found: dict[str, Any] = {}
    links = {
        "wine": {"data": "wine", "held_out": "0.3"},
        "iris 3-D": {"data": "iris", "dimensions": "3", "nca.title": "<b>NCA</b>"},
        "digits": {"data": "digits"},
    }
    for name, link in links.items():
        recipe = _recipe(**link, **{"nca.max_iter": "10"})
        comparison = compare(recipe, _dataset(recipe))
        found[f"{name} scene"] = _bytes(encode_scene(build_scene(comparison)))
        history = whole_training(comparison, "nca").snapshots
        found[f"{name} training"] = _bytes(encode_snapshots([replace(each, seconds=0.0) for each in history], panel=2))
        A = np.arange(history[0].transformation.size, dtype=float).reshape(history[0].transformation.shape) / 7
        fixed = [_numbered(history[0], (1 + k) * A, k) for k in range(11)]
        found[f"{name} numbers"] = _bytes(encode_snapshots(fixed, panel=2, run=3, short_run=1))
    return found


def report() -> dict[str, Any]:
    """The lines of report.md of one split of a few experiments, without times."""
    with tempfile.TemporaryDirectory() as folder:
        for arguments in (["run", *_EXPERIMENTS, "--seeds", "1"], ["report", *_EXPERIMENTS, "--to", folder]):
            command = [sys.executable, "-m", "study.experiments", *arguments, "--store", f"{folder}/store"]
            subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
        lines = Path(folder, "report.md").read_text(encoding="utf-8").splitlines()
    timed = re.compile(r"\d (s|min|h)\b|\d{4}-\d\d-\d\d")
    kept, seconds = [], False  # seconds: the last column of the table around this line holds them
    for line in lines:
        seconds = line.startswith("|") and (seconds or line.endswith("seconds per split |"))
        if line.strip() and not timed.search(line):
            kept.append(line.rsplit("|", 2)[0] if seconds else line)
    return {f"{number:04}": line for number, line in enumerate(kept)}


def links() -> dict[str, Any]:
    """Links before and after a round trip."""
    found = {}
    for name, recipe in _recipes().items():
        link = to_link(recipe)
        back = from_link(link)
        found[name] = {"link": link, "again": to_link(back.recipe) == link, "problems": list(back.problems)}
    return found


SECTIONS: dict[str, Callable[[], dict[str, Any]]] = {
    "links": links,
    "tables": tables,
    "bad inputs": bad_inputs,
    "wire": wire,
    "numbers": numbers,
    "report": report,
}

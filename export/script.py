"""The proof: a script that repeats preparation, split, training and table from the same data and checks each number."""

import hashlib
import io
import math
import platform
import zipfile
from collections.abc import Generator
from dataclasses import MISSING, fields, replace
from importlib.metadata import version
from pathlib import PurePath
from pprint import pformat
from typing import Any

import numpy as np

from datasets.base.dataset import Dataset, Source
from datasets.base.fingerprint import content_sha256
from datasets.catalogue import DATASETS
from export.entry import Export, ExportProgress, ExportRequest, File, SourceFile, Subject, safe_name
from nca_core.snapshot import Snapshot
from nca_core.training.run import Slot
from study.codec import encode
from study.link import from_link, to_link
from study.recipe import DataRecipe

NAME = "nca_proof.py"
TOLERANCE = 1e-9
_WIDTH = 112
_LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba")


def _problem(subject: Subject, request: ExportRequest) -> str:
    if not subject.measured:
        return "No panel shows numbers to prove yet."
    recipe = subject.comparison.recipe
    if from_link(to_link(recipe)).recipe != recipe:
        return "These settings cannot be written as a link."
    return ""


def _make(subject: Subject, request: ExportRequest, slot: Slot) -> Generator[ExportProgress, None, None]:
    measured = subject.measured
    wanted = 1 + 2 * len(measured)
    yield ExportProgress(0, wanted)
    numbers: dict[str, dict[str, float]] = {}
    for done, panel in enumerate(measured):
        snapshot = subject.at(panel.key)
        if snapshot is not None:
            _check_repeatable(subject, panel.key, snapshot, slot)
        yield ExportProgress(2 * done + 1, wanted)
        numbers[panel.key] = _numbers(subject, panel.key, slot)
        yield ExportProgress(2 * done + 2, wanted)
    data, filename, content = data_part(subject.comparison.dataset, subject.comparison.recipe.data, subject.source)
    data["data_file"] = f" [{filename}]" if filename else ""
    text = _script(subject, data, numbers).encode("ascii")
    if not filename:
        yield ExportProgress(wanted, wanted, File(NAME, "text/x-python", text))
        return
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(NAME, text)
        archive.writestr(filename, content)
    name = subject.file_name("proof.zip")
    yield ExportProgress(wanted, wanted, File(name, "application/zip", packed.getvalue()))


def _check_repeatable(subject: Subject, key: str, shown: Snapshot, slot: Slot) -> None:
    """ValueError unless the same training, repeated, gives the same A, so that no proof is exported that fails."""
    comparison = subject.comparison
    again = comparison.trained(key, slot, start=subject.given_starts.get(key)).snapshots
    A, limit = shown.transformation, TOLERANCE * float(np.abs(shown.transformation).max())
    same = len(again) > shown.iteration and np.allclose(again[shown.iteration].transformation, A, TOLERANCE, limit)
    if not same:
        title = comparison.panel(key).recipe.shown_title
        raise ValueError(
            f"{title}, trained anew, does not come to the same numbers; its training may have begun while the server "
            "was still starting. Press Train again, then export."
        )


def _numbers(subject: Subject, key: str, slot: Slot) -> dict[str, float]:
    """The numbers of the table without seconds, the norm of Y, and iteration and objective of a training."""
    found = {name: value for name, value in subject.scores(key, slot).numbers().items() if name != "seconds"}
    found["norm_of_Y"] = float(np.linalg.norm(subject.coordinates(key)))
    snapshot = subject.at(key)
    if snapshot is not None:
        found = {"iteration": snapshot.iteration, "objective": snapshot.objective, **found}
    return {name: value for name, value in found.items() if not math.isnan(value)}


def _script(subject: Subject, data: dict[str, str], numbers: dict[str, dict[str, float]]) -> str:
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
        "n_test": 0 if prepared.test is None else prepared.test.n_samples,
        "openings": subject.openings,
        "tested": _literal(_tested(subject, numbers)),
        "moments": _literal({key: moment for key in numbers if (moment := subject.moment(key))}),
        "tolerance": TOLERANCE,
        "sha256": content_sha256(subject.comparison.dataset),
        **data,
    }
    text = SCRIPT_TEXT
    for blank, value in blanks.items():  # no value holds a blank: all are ASCII
        text = text.replace(f"«{blank}»", str(value))
    return text


def _tested(subject: Subject, numbers: dict[str, dict[str, float]]) -> dict[str, tuple[float, float]]:
    """Accuracies on the test rows by key, of the panels whose iteration is the one that was opened."""
    return {
        score.panel.key: (score.accuracy_1nn, score.accuracy_knn)
        for score in subject.test_scores
        if (shown := numbers.get(score.panel.key)) is not None
        and (shown.get("iteration"), subject.k_of(score.panel.key)) == (score.iteration, score.k)
        and not math.isnan(score.accuracy_1nn)
    }


def _literal(value: object) -> str:
    """The value as an ASCII literal of Python."""
    return pformat(value, width=_WIDTH, sort_dicts=False).encode("ascii", "backslashreplace").decode()


def data_part(dataset: Dataset, recipe: DataRecipe, source: SourceFile | None) -> tuple[dict[str, str], str, bytes]:
    """What the script says of its data; name and content of the file beside it, empty where it needs none."""
    if source is not None:
        return _from_file(source)
    entry = DATASETS.get(recipe.key)
    if entry is not None and entry.kind in ("bundled", "generator"):
        parameters = entry.defaults | dict(recipe.parameters)
        words = "".join(f", {name}={value!r}" for name, value in parameters.items())
        imports, constants = "from datasets.catalogue import load_dataset", "# The data come with NCA Explorer."
        load = f"    return load_dataset({recipe.key!r}{words})"
        return {"data_imports": imports, "data_constants": constants, "load": load}, "", b""
    bare = replace(dataset, source=Source("beside this script"), notes=(), row_names=None)
    content = encode(bare)  # runs no code when it is read
    constants = f"FILE = 'data.nca'\nFILE_SHA256 = {hashlib.sha256(content).hexdigest()!r}"
    imports, load = "from study.codec import decode", _READ_BYTES + "    return decode(content)"
    return {"data_imports": imports, "data_constants": constants, "load": load}, "data.nca", content


_READ_BYTES = """    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name(FILE)
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != FILE_SHA256:
        sys.exit(f"{path} is not the file that was used: its SHA-256 is another one.")
"""


def _from_file(source: SourceFile) -> tuple[dict[str, str], str, bytes]:
    path = PurePath(source.filename.replace("\\", "/"))
    filename = safe_name(path.stem, f".{safe_name(path.suffix, '')}" if path.suffix else "")
    imports = (
        "from datasets.columns import build_dataset\n"
        "from datasets.proposals import Choices, apply, propose\n"
        "from datasets.reading import ReadOptions, read_table"
    )
    constants = (
        f"FILE = {filename!r}\n"
        f"FILE_SHA256 = {hashlib.sha256(source.content).hexdigest()!r}\n"
        f"READ_AS = {_call(source.options)}  # what was said about how to read it; the rest is detected\n"
        f"SHEET = {source.sheet!a}\n"
        f"CHOICES = {_call(source.choices)}  # what was said about columns and rows; the rest is proposed\n"
        f"IMAGE_SHAPE = {source.image_shape!r}"
    )
    load = _READ_BYTES + (
        "    table = read_table(content, FILE, READ_AS, sheet=SHEET)\n"
        "    plan = apply(propose(table), CHOICES)\n"
        "    return replace(build_dataset(plan.table, plan.columns), image_shape=IMAGE_SHAPE)"
    )
    return {"data_imports": imports, "data_constants": constants, "load": load}, filename, source.content


def _call(value: Any) -> str:
    """The call that makes a dataclass, with the fields that differ from the defaults."""
    said = []
    for each in fields(value):
        if getattr(value, each.name) != (None if each.default is MISSING else each.default):
            said.append(f"{each.name}={getattr(value, each.name)!a}")
    return f"{type(value).__name__}({', '.join(said)})"


SCRIPT_TEXT = '''"""What NCA Explorer showed, repeated from the data and checked number by number.

    python nca_proof.py«data_file»

with nca-explorer installed, or PYTHONPATH=the-folder-of-nca-explorer.

It ends with "All numbers are equal", or says which one is not. On another machine, or with other versions of the
libraries, the last digits may differ, and a training that hangs on them with them.
"""

import hashlib
import math
import sys
from contextlib import nullcontext
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np

if find_spec("study") is None:
    if find_spec("nca_explorer") is None:
        sys.exit("Python does not find NCA Explorer: install it, or put its folder into PYTHONPATH.")
    from nca_explorer import use_modules

    use_modules()
from datasets.base.fingerprint import content_sha256
from study.compare import compare
from study.embed import embedded
from study.link import from_link
from study.measure import measure, projection
from study.opening import open_test
«data_imports»

NAME = «name»
MADE_WITH = «versions»

# The settings of the page, as they stand in its link: data, noise, preparation, split, panels, seeds.
RECIPE = «recipe»

«data_constants»
DATA_SHA256 = "«sha256»"

# What the page showed. The split: rows to train on, rows held out, and which these are.
N_TRAIN, N_HELD_OUT = «n_train», «n_held_out»
HELD_OUT_SHA256 = "«split»"
# For each panel the numbers of the table. K is the number of neighbours that panels without a K of their own vote with.
K = «k»
SHOWN = «numbers»
# The iteration of each training that the page showed.
SHOWN_AT = «moments»
# The rows kept for a test, how often they were opened, and the panels' accuracies on them: 1-NN and K-NN.
N_TEST, OPENED = «n_test», «openings»
TESTED = «tested»
# Trainings that began from an A which was moved by hand.
STARTS = «starts»
TOLERANCE = «tolerance»


def load():
    """The data, from where they came."""
«load»


def check(what, found, shown):
    """Equal, or the script ends here."""
    if not math.isclose(found, shown, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
        sys.exit(f"{what} is {found!r}; the page showed {shown!r}. It was made with {MADE_WITH}.")
    print(f"    {what:<22} {found:.6g}")


def mean_p_by_definition(Y, y):
    """f/n by eq. 1 to 3 of the NCA paper: p_ij = softmax over j != i of -|y_i - y_j|^2; p_i sums those of its class."""
    squares = ((Y[:, None, :] - Y[None, :, :]) ** 2).sum(axis=2)
    np.fill_diagonal(squares, np.inf)
    weights = np.exp(squares.min(axis=1, keepdims=True) - squares)
    p_ij = weights / weights.sum(axis=1, keepdims=True)
    return float((p_ij * (y[:, None] == y[None, :])).sum(axis=1).mean())


def main():
    # 1. The data are those that were used.
    data = load()
    if content_sha256(data) != DATA_SHA256:
        sys.exit("The data are not those that were used: their SHA-256 is another one.")
    print(f"{data.n_samples} rows, {data.n_features} features, {data.n_classes} classes")

    # 2. The recipe is carried out: noise, sample, split, preparation (learned on the training rows alone), and whatever
    #    can be solved in one go (PCA, LDA ...).
    recipe = from_link(RECIPE).recipe
    comparison = embedded(compare(recipe, data, apart=True), nullcontext)
    prepared = comparison.prepared
    for step in prepared.steps:
        print(f"    {step.sentence}")
    check("rows to train on", prepared.train.sum(), N_TRAIN)
    check("rows held out", prepared.held_out.sum(), N_HELD_OUT)
    held_out = np.ascontiguousarray(prepared.raw.row_numbers[prepared.held_out], dtype="<i8")
    if hashlib.sha256(held_out.tobytes()).hexdigest() != HELD_OUT_SHA256:
        sys.exit("Other rows are held out than on the page.")
    check("rows kept for a test", 0 if prepared.test is None else prepared.test.n_samples, N_TEST)

    # 3. Each panel is trained, where it trains, up to the iteration that was shown, and measured.
    snapshots = {}
    for key, shown in SHOWN.items():
        panel = comparison.panel(key)
        print(panel.recipe.shown_title, SHOWN_AT.get(key, ""))
        snapshot = None
        if panel.trains:
            start = np.array(STARTS[key]) if key in STARTS else None
            snapshot = comparison.trained(key, start=start).snapshots[shown["iteration"]]
            snapshots[key] = snapshot
            check("objective", snapshot.objective, shown["objective"])
        scores = measure(comparison, key, snapshot, k=K, full=True)
        Y = projection(comparison, key, snapshot).Y
        check("norm_of_Y", np.linalg.norm(Y), shown["norm_of_Y"])
        for name, number in shown.items():
            if hasattr(scores, name):
                check(name, getattr(scores, name), number)

        # The mean of p_i of NCA once more, by its definition. (A training that goes by numbers compares no classes.)
        by_classes = panel.trains and panel.config.target_similarity is None
        if panel.recipe.method_key == "nca" and by_classes and N_TRAIN <= 3000:
            found = mean_p_by_definition(Y[prepared.train], panel.y[prepared.train])
            if not math.isclose(found, shown["mean_p"], rel_tol=1e-6):
                sys.exit(f"By its definition the mean of p_i is {found}; the page showed {shown['mean_p']}.")

    # 4. The test rows, where they were opened.
    for score in open_test(comparison, snapshots, K) if TESTED else ():
        if score.panel.key in TESTED:
            print(score.sentence, f"Opened {OPENED} times.")
            check("1-NN on the test rows", score.accuracy_1nn, TESTED[score.panel.key][0])
            check("K-NN on the test rows", score.accuracy_knn, TESTED[score.panel.key][1])

    print("All numbers are equal.")


if __name__ == "__main__":
    main()
'''


SCRIPT = Export(
    key="proof",
    title="Proof: a script that repeats the numbers",
    description="Python that goes from the data, checked by SHA-256, through preparation, split and training to the "
    "table, and checks every number. It needs this program's folder; your own file comes along in a ZIP.",
    forms={"py": "Python"},
    make=_make,
    problem=_problem,
)

"""How a script gets the data again: from the catalogue, from the file brought along, else from their values."""

from __future__ import annotations

import hashlib
import io
import json
from dataclasses import MISSING, dataclass, fields
from pathlib import PurePath
from typing import Any

import numpy as np

from datasets.base.dataset import Dataset
from datasets.base.fingerprint import content_sha256
from datasets.catalogue import DATASETS
from export.entry import safe_name
from export.subject import SourceFile
from study.recipe import DataRecipe

_OF_THIS_PROGRAM = ("bundled", "generator")  # kinds of the catalogue that need no file


@dataclass(frozen=True)
class DataPart:
    """The part of a script that loads the data.

    Attributes
    ----------
    imports, constants, load : str
        Its import lines, its constants, and the body of its function `load`.
    sha256 : str
        Of the data as they are used: values, labels and names.
    filename, content : str, bytes or None
        The file that stands beside the script; None where it needs none.
    """

    imports: str
    constants: str
    load: str
    sha256: str
    filename: str = ""
    content: bytes | None = None


def data_part(dataset: Dataset, recipe: DataRecipe, source: SourceFile | None) -> DataPart:
    """The part for these data."""
    sha256 = content_sha256(dataset)
    if source is not None:
        return _from_file(source, sha256)
    entry = DATASETS.get(recipe.key)
    if entry is not None and entry.kind in _OF_THIS_PROGRAM:
        parameters = {parameter.name: parameter.default for parameter in entry.parameters} | dict(recipe.parameters)
        words = "".join(f", {name}={value!r}" for name, value in parameters.items())
        return DataPart(
            "from datasets.catalogue import load_dataset",
            "# The data come with NCA Explorer.",
            f"    return load_dataset({recipe.key!r}{words})",
            sha256,
        )
    return _from_values(dataset, sha256)


_READ_BYTES = """    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name(FILE)
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != FILE_SHA256:
        sys.exit(f"{path} is not the file that was used: its SHA-256 is another one.")
"""


def _from_file(source: SourceFile, sha256: str) -> DataPart:
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
    return DataPart(imports, constants, load, sha256, filename, source.content)


def _from_values(dataset: Dataset, sha256: str) -> DataPart:
    """The values themselves, as a file of arrays that runs no code when it is read."""
    about = {"features": dataset.feature_names, "classes": dataset.class_names, "image_shape": dataset.image_shape}
    arrays: dict[str, Any] = {"X": dataset.X, "y": dataset.y, "row_numbers": dataset.row_numbers}
    if dataset.target is not None:
        arrays["target"] = dataset.target
    packed = io.BytesIO()
    np.savez_compressed(packed, about=np.frombuffer(json.dumps(about).encode(), dtype=np.uint8), **arrays)
    content = packed.getvalue()
    constants = f"FILE = 'data.npz'\nFILE_SHA256 = {hashlib.sha256(content).hexdigest()!r}"
    load = _READ_BYTES + (
        "    with np.load(io.BytesIO(content), allow_pickle=False) as found:\n"
        "        about = json.loads(bytes(found['about']))\n"
        "        return Dataset(\n"
        "            name=NAME,\n"
        "            X=found['X'],\n"
        "            y=found['y'],\n"
        "            feature_names=tuple(about['features']),\n"
        "            class_names=tuple(about['classes']),\n"
        "            source=Source('beside this script'),\n"
        "            image_shape=about['image_shape'] and tuple(about['image_shape']),\n"
        "            target=found['target'] if 'target' in found else None,\n"
        "            row_numbers=found['row_numbers'],\n"
        "        )"
    )
    imports = "import io\nimport json\n\nfrom datasets.base.dataset import Dataset, Source"
    return DataPart(imports, constants, load, sha256, "data.npz", content)


def _call(value: Any) -> str:
    """A dataclass as the call that makes it, with what differs from the defaults; texts in it are literals."""
    said = []
    for each in fields(value):
        default = each.default if each.default is not MISSING else None
        if getattr(value, each.name) != default:
            said.append(f"{each.name}={getattr(value, each.name)!a}")
    return f"{type(value).__name__}({', '.join(said)})"

"""Subjects that the tests of exports share: comparisons on data where right and wrong differ, trained a little."""

import csv
import io
from contextlib import nullcontext

import numpy as np

from datasets.columns import build_dataset
from datasets.proposals import Choices, apply, propose
from datasets.reading import ReadOptions, read_table
from export.entry import Export, ExportRequest, File, SourceFile, Subject
from study.compare import compare
from study.embed import embedded
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe
from tests.study.some_data import whole_training

HOSTILE = "</script><img src=x onerror='window.harmed=1'>"


def subject_of(recipe, dataset, source=None, rows=(), address=""):
    """The recipe carried out and trained."""
    comparison = embedded(compare(recipe, dataset, apart=True), nullcontext)
    trained = {
        panel.key: whole_training(comparison, panel.key).snapshots for panel in comparison.panels if panel.trains
    }
    return Subject(comparison, trained, source=source, rows=rows, address=address)


def nca(max_iter=6, key="nca", **panel):
    return PanelRecipe(key, {"max_iter": max_iter}, **panel)


def mixed_table(label="kind"):
    """Numbers with gaps and decimal commas, categories, an identifier, unlabelled rows, classes that overlap."""
    rng = np.random.default_rng(5)
    lines = [f"id;width;height;colour;weight;{label}"]
    for number in range(120):
        k = int(rng.integers(3))
        cells = [f"{1.2 * k + rng.normal():.4f}", f"{rng.normal() - 0.7 * (k == 1):.4f}", f"{3 * rng.normal() + k:.3f}"]
        width, height, weight = ("" if rng.random() < 0.06 else cell.replace(".", ",") for cell in cells)
        colour = rng.choice(["red", "green", "=blue()"], p=[0.6, 0.2, 0.2] if k else [0.2, 0.5, 0.3])
        name = "" if number % 17 == 5 else ["@one", "two", "-three"][k]
        lines.append(f"{1000 + number};{width};{height};{colour};{weight};{name}")
    return ("\n".join(lines) + "\n").encode("cp1252")


def own_table(*panels, filename="people (1).csv", content=None, **recipe):
    """A subject on that table, read and planned as its page does."""
    content = mixed_table() if content is None else content
    source = SourceFile(filename, content, ReadOptions(separator=";"), None, Choices(label="kind"))
    table = read_table(content, filename, source.options)
    plan = apply(propose(table), source.choices)
    dataset = build_dataset(plan.table, plan.columns)
    data = DataRecipe("own", content="", name=dataset.name)
    return subject_of(Recipe(data=data, panels=panels, **recipe), dataset, source)


def made(export: Export, subject: Subject, form="", panel="", only_selected=False) -> File:
    """The file, and that its progress rises to the end."""
    wish = ExportRequest(form or next(iter(export.forms)), panel, only_selected)
    assert export.problem(subject, wish) == ""
    steps = list(export.make(subject, wish, nullcontext))
    assert [step.done for step in steps] == sorted(step.done for step in steps)
    assert steps[-1].done == steps[-1].wanted
    assert [step.file for step in steps[:-1]] == [None] * (len(steps) - 1)
    assert steps[-1].file is not None
    return steps[-1].file


def read_csv(data: bytes) -> dict[str, list[str]]:
    """The columns of an exported table."""
    names, *lines = csv.reader(io.StringIO(data.decode("utf-8-sig")))
    return {name: [line[k] for line in lines] for k, name in enumerate(names)}

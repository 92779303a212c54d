"""Splits by group and by time: nothing of a group or of the future is trained on; what cannot be split so says why."""

from dataclasses import replace

import numpy as np
import pytest

from datasets.columns import build_dataset
from datasets.noise_lab import NoiseConfig, add_noise
from datasets.preparation import PreparationConfig, prepare
from datasets.proposals import Choices, apply, propose
from datasets.reading import read_table

SHARE = 0.25


def dataset_of(**columns):
    """120 rows of two classes with these columns beside three features; the label last."""
    rng = np.random.default_rng(1)
    shown = {f"x{k}": [f"{value:.3f}" for value in rng.normal(size=120)] for k in range(3)} | columns
    shown["kind"] = [("a", "b")[row % 2] for row in range(120)]
    lines = [",".join(shown), *(",".join(row) for row in zip(*shown.values(), strict=True))]
    plan = apply(propose(read_table("\n".join(lines).encode(), "t.csv")), Choices(label="kind"))
    return build_dataset(plan.table, plan.columns)


def patients(size=5):
    return [f"P{row // size:03}" for row in range(120)]


def split_of(dataset, by, column, seed=0):
    return prepare(
        dataset, PreparationConfig(held_out_fraction=SHARE, split=by, split_column=column, random_state=seed)
    )


def test_ids_that_repeat_are_proposed_and_others_are_not():
    dataset = dataset_of(patient_id=patients(), colour=["red", "green", "blue"] * 40, day=[str(k) for k in range(120)])
    found = {each.name: each for each in dataset.split_columns}
    assert set(found) == {"patient_id", "colour", "day"}
    assert [found[name].proposed for name in ("patient_id", "colour", "day")] == [True, False, False]
    assert found["patient_id"].times is None
    np.testing.assert_array_equal(found["day"].times, np.arange(120))
    assert dataset_of(patient_id=[str(k) for k in range(120)]).split_columns == ()


@pytest.mark.parametrize("seed", range(4))
def test_a_group_stays_on_one_side(seed):
    found = split_of(add_noise(dataset_of(patient=patients()), NoiseConfig(noise_columns=2)), "group", "patient", seed)
    groups = np.array(patients())
    assert not set(groups[found.train]) & set(groups[found.held_out])
    assert abs(found.held_out.sum() - 30) <= 3
    assert "Split by patient: 6 of 24 groups held out." in found.notes
    stratified = split_of(dataset_of(patient=patients()), "stratified", "", seed)
    assert set(groups[stratified.train]) & set(groups[stratified.held_out])  # by class they would be on both


@pytest.mark.parametrize("dates", [False, True])
def test_the_latest_rows_are_held_out(dates):
    order = np.random.default_rng(5).permutation(120)
    days = [f"2024-{1 + day // 28:02}-{1 + day % 28:02}" if dates else str(day) for day in order]
    found = split_of(dataset_of(day=days), "time", "day")
    assert order[found.train].max() < order[found.held_out].min()
    assert found.held_out.sum() == 30


def test_equal_times_stay_together_and_rows_without_one_are_trained_on():
    days = ["" if row % 10 == 0 else str(row // 25) for row in range(120)]
    found = split_of(dataset_of(day=days), "time", "day")
    held = {days[row] for row in np.flatnonzero(found.held_out)}
    assert held == {"3", "4"}  # 40 rows are nearer to 30 than 18
    assert not held & {days[row] for row in np.flatnonzero(found.train)}
    assert "12 training rows have no day." in found.notes


@pytest.mark.parametrize(
    ("columns", "by", "column", "why"),
    [
        ({"patient": ["P1"] * 60 + [""] * 60}, "group", "patient", "no column 'patient'"),
        ({"patient": patients()}, "group", "plate", "no column 'plate'"),
        ({"patient": patients()}, "time", "patient", "neither numbers nor dates"),
        ({"patient": ["A", "B"] * 60}, "group", "patient", "the training rows have one class"),
    ],
)
def test_where_it_cannot_be_the_rows_are_split_by_class(columns, by, column, why):
    dataset = dataset_of(**columns)
    found = split_of(dataset, by, column)
    (note,) = [text for text in found.notes if why in text]
    assert note.endswith("The rows are split by class instead.")
    np.testing.assert_array_equal(found.held_out, split_of(dataset, "stratified", "").held_out)


def test_one_group_or_one_time_is_no_split():
    dataset = dataset_of(patient=patients(), day=[str(k) for k in range(120)])
    patient, day = dataset.split_columns
    one = replace(dataset, split_columns=(replace(patient, codes=patient.codes * 0), replace(day, times=day.times * 0)))
    assert any("has 1 group;" in note for note in split_of(one, "group", "patient").notes)
    assert any("has 1 time;" in note for note in split_of(one, "time", "day").notes)


def test_a_class_on_one_side_only_is_named():
    late = ["1" if row < 80 else "2" for row in range(120)]
    dataset = dataset_of(day=late)
    y = np.where(np.arange(120) < 80, dataset.y, 1)
    found = split_of(replace(dataset, y=y), "time", "day")
    assert any("only one side has rows of a" in note for note in found.notes)


def test_ties_that_hold_out_another_share_are_said():
    found = split_of(dataset_of(day=[str(k // 40) for k in range(120)]), "time", "day").notes
    assert any("33\N{NO-BREAK SPACE}% of the rows are held out, not 25\N{NO-BREAK SPACE}%" in note for note in found)
    assert not any(", not " in note for note in split_of(dataset_of(patient=patients()), "group", "patient").notes)


def test_a_group_that_is_a_feature_too_is_said():
    said = "site groups the rows and is a feature, too."
    dataset = dataset_of(site=[f"site {row // 8}" for row in range(120)])
    assert [category.name for category in dataset.categories] == ["site"]
    assert said in split_of(dataset, "group", "site").notes
    assert said not in split_of(replace(dataset, categories=()), "group", "site").notes
    apart = dataset_of(patient=patients())
    assert apart.categories == ()  # no feature by itself
    assert not any("is a feature, too" in note for note in split_of(apart, "group", "patient").notes)

"""Groups that are read out of the names of samples."""

import pytest

from datasets.proposals import Choices, apply, orientation_question, propose
from datasets.reading import ReadOptions, read_table
from datasets.reading.samples import (
    groups_in_names,
    groups_of,
)
from tests.datasets.proposals.tables import normal, table_of


def test_groups_are_read_out_of_names_behind_numbers():
    rows = [f"{k % 4}.5,{'wt' if k < 9 else 'mut'} - {k},{k * k % 7}.25" for k in range(18)]
    table = propose(read_table("\n".join(["standard,sample,zinc", *rows]).encode(), "t.csv")).table
    assert table.column("group read from sample") == ["wt"] * 9 + ["mut"] * 9


def test_a_group_of_one_name_is_no_group():
    assert groups_of(["Rec 1", "Rec 2", "Rec 3", "Rec 4", "All"]) == []
    assert groups_of(["a 1", "a 2", "b 1", "b 2", "b 3", "blank"]) == ["a", "a", "b", "b", "b", "blank"]
    assert groups_of(["a", "a (2)", "b", "b (2)"]) == ["a", "a", "b", "b"]
    cells = [(f"g_{k}_{j}", "part") for k in range(41) for j in range(3)]
    assert groups_in_names([name for name, _ in cells], "cell") == []
    assert len(groups_in_names([name for name, _ in cells[:120]], "cell")) == 1


def test_words_of_names_say_more_than_dates_that_group_alike():
    names = [f"20140224_il10_x_{k}" for k in range(4)] + [f"20140319_old_mice_y_{k}" for k in range(4)]
    (first, *_) = groups_in_names(names, "sample")
    assert first[1] == ["il10"] * 4 + ["old"] * 4


def test_what_all_names_end_with_is_no_part_of_their_groups():
    names = [f"{kind}_{k}{' ' if k == 2 else ''}: log2(raw)" for kind in ("wt", "ko") for k in (1, 2, 3)]
    assert groups_in_names(names, "sample") == [("group read from sample", ["wt"] * 3 + ["ko"] * 3)]


def test_letters_around_numbers_that_repeat_are_the_larger_groups():
    names = [f"{sex}_{diet}{k}N" for sex in ("f", "m") for diet in ("C", "ET") for k in (1, 2, 3)]
    groups = dict(groups_in_names(names, "sample"))
    assert [sorted(set(group)) for group in groups.values()][:2] == [["f", "m"], ["CN", "ETN"]]


@pytest.mark.parametrize(("n_blanks", "n_parts"), [(2, 3), (5, 2)])  # one is that of whole names
def test_a_few_names_of_fewer_parts_are_groups_of_their_own(n_blanks, n_parts):
    names = [f"{organ}_{age}_{k}" for organ in ("liver", "kidney") for age in ("young", "old") for k in (1, 2, 3)]
    groups = groups_in_names([*names, *(f"Blank{k}" for k in range(n_blanks))], "sample")
    assert len([group for _, group in groups if "Blank" in group]) == n_parts
    if n_parts == 3:
        assert {"young", "old", "Blank"} in [set(group) for _, group in groups]


def test_numbers_alone_are_names_of_groups_where_they_repeat():
    assert groups_of(["91500", "91500", "GJ-1", "GJ-2"]) == ["91500", "91500", "GJ", "GJ"]
    assert groups_of(["1", "2", "3", "4"]) == []


def test_names_without_the_number_of_the_replicate_are_groups_beside_those_of_their_parts():
    names = [
        f"LFQ {drug} {dose}{k}"
        for drug, dose in (("A", "1uM "), ("A", "5uM "), ("B", "1uM "), ("C", ""))
        for k in "123"
    ]
    assert groups_in_names(names, "sample")[-1][1] == [name[:-2] for name in names]
    plain = [f"{kind}_{k}" for kind in ("wt", "ko") for k in "123"]
    assert [group for _, group in groups_in_names(plain, "sample")] == [["wt"] * 3 + ["ko"] * 3]


def test_of_paths_the_last_part_is_a_name_and_decimals_are_one_part():
    names = [
        f"/data/{'old/' * (k % 2)}{dose}_{kind}_{k}.mzML" for dose in ("0.1", "7") for kind in "AB" for k in range(3)
    ]
    groups = [group for _, group in groups_in_names(names, "sample")]
    assert groups[:2] == [["0.1"] * 6 + ["7"] * 6, [kind for _ in range(2) for kind in "AAABBB"]]


@pytest.mark.parametrize("odd", ["A1P3G{}_p3", "A1P3-G{}_p3"])
def test_the_last_part_of_all_names_groups_them_where_others_have_fewer_parts(odd):
    names = [f"A{k % 3}P{p}-G{k}_p{p}" for p in (1, 2, 3) for k in range(9)]
    names += [odd.format(k) for k in range(6)]
    groups = [group for _, group in groups_in_names(names, "sample")]
    assert [name.rpartition("_")[2] for name in names] in groups


def test_depths_with_decimals_behind_names_tell_no_groups():
    names = [f"{core}-{depth}" for core in ("NAN", "FISK") for depth in ("10", "10.5", "131.5", "20")]
    assert groups_of(names) == ["NAN"] * 4 + ["FISK"] * 4


def test_wells_behind_numbers_tell_no_groups_and_the_names_beside_them_do():
    wells = [f"{k + 1}(1,{'ABCDEFGH'[k % 8]}{k // 8 + 1})" for k in range(24)]
    assert groups_in_names(wells, "Location") == []
    names = [f"{('ctl', 'high', 'low')[k % 3]} {k // 3}" for k in range(23)] + ["ctl 0"]  # one of them twice
    plan = apply(propose(table_of(Location=wells, Sample=names, a=normal(24), b=normal(24, 1))))
    assert plan.label.name == "group read from Sample"


def test_a_part_of_names_that_looks_like_numbers_is_no_feature_beside_another_part():
    names = [f"{('wt', 'ko')[k % 2]}_{('tak1', '9017', '10', '11')[k // 2 % 4]}_R{k // 8}" for k in range(24)]
    plan = apply(propose(table_of(name=names, a=normal(24), b=normal(24, 1))), Choices(label="part 1 read from name"))
    assert plan.columns.features == ("a", "b")


@pytest.mark.parametrize("at_the_end", [False, True])
def test_parts_of_names_are_aligned_where_they_group(at_the_end):
    lines = ["Y05", "Y023_5", "E05", "R2"]
    names = [
        f"{treat}_{rep}_{line}" if at_the_end else f"{line}_{treat}_{rep}"
        for line in lines
        for treat in ("uv", "vis")
        for rep in "xyz"
    ]
    groups = [group for _, group in groups_in_names(names, "sample")]
    assert [name.split("_")[0 if at_the_end else -2] for name in names] in groups


def test_names_that_group_rows_are_offered_beside_many_numbers_of_few_values():
    sites = [site for site in ("HX", "Coos", "Lida", "WGq") for _ in range(15)]
    names = [*(f"{site}{k % 15 + 1}" for k, site in enumerate(sites)), "", "Blank7"]
    alleles = {f"l{j}": [100 + 2 * (k * k * (j + 3) % 5) for k in range(62)] for j in range(24)}
    plan = apply(propose(table_of(sample=names, **alleles)))
    assert plan.label.name == "group read from sample"
    assert plan.label.sizes[0][1] == 15


@pytest.mark.parametrize(("n_numbers", "label"), [(18, "spots"), (19, "group read from sample")])
def test_few_values_of_one_of_many_columns_of_numbers_are_no_label_before_groups_in_names(n_numbers, label):
    names, spots = [f"{('wt', 'ko')[k % 2]}_{k // 2}" for k in range(40)], [k * 7 % 3 for k in range(40)]
    table = table_of(sample=names, spots=spots, **{f"p{j}": normal(40, j) for j in range(n_numbers)})
    assert propose(table).candidates[0].name == label


@pytest.mark.parametrize(("n_single", "n_groupings"), [(1, 1), (4, 0)])
def test_names_of_which_more_than_a_few_stand_alone_are_no_groups(n_single, n_groupings):
    words = [*["wt"] * 10, *["ko"] * 10, *["xa", "yb", "zc", "qd"][:n_single]]
    assert len(groups_in_names([f"{word}_{chr(97 + k)}" for k, word in enumerate(words)], "sample")) == n_groupings


def test_names_that_come_again_in_the_file_are_groups_and_columns_below_a_time_that_may_be_turned():
    """As replicates in a plate, whose names were given numbers."""
    names = ["blank", *(f"Sample {k}" for k in range(1, 6))] * 5
    rows = [",".join([str(20 * k), *(f"{0.1 + j / 9 + k * j % 7 / 90:.3f}" for j in range(30))]) for k in range(12)]
    data = "\n".join([",".join(["Time", *names]), *rows]).encode()
    question = orientation_question(apply(propose(read_table(data, "t.csv"))), ReadOptions())
    assert question.text.endswith("'Time' names the rows. Transpose the table?")
    plan = apply(propose(read_table(data, "t.csv", question.answers[0].options)))
    assert plan.table.column("part 1 read from sample") == names
    other = [f"{'qwerty'[j // 5]}{'asdfg'[j % 5]}" for j in range(30)]  # of channels
    data = "\n".join([",".join(["Time", *other]), *rows]).encode()
    assert orientation_question(apply(propose(read_table(data, "t.csv"))), ReadOptions()) is None


@pytest.mark.parametrize(("name", "asked"), [("mz", True), ("Wavelength (nm)", True), ("depth", False)])
def test_numbers_on_the_axis_of_a_spectrum_name_features_of_grouped_samples(name, asked):
    rows = [
        ",".join([f"{146.1 + k * 7.3:.2f}", *(f"{10.0 ** (k % 5) * (2 + j % 7):.2f}" for j in range(12))])
        for k in range(30)
    ]
    names = [f"{kind}{k}" for kind in ("KOG", "WTG", "KOR", "WTR") for k in (1, 2, 3)]
    data = "\n".join([",".join([name, *names]), *rows]).encode()
    assert (orientation_question(apply(propose(read_table(data, "t.csv"))), ReadOptions()) is not None) == asked


@pytest.mark.parametrize(("form", "groups"), [("{}{}{}", [["1", "2"], ["1A", "1LG", "2E", "2N"]]), ("10{}{}{}", [])])
def test_numbers_and_letters_without_anything_between_them_are_cut_before_the_letters_and_the_last_one(form, groups):
    """As of species 1, the large guts, replicate C; numbers of three digits are of the samples."""
    kinds = {1: ("A", "LG"), 2: ("E", "N")}
    names = [form.format(k, kind, replicate) for k, own in kinds.items() for kind in own for replicate in "ABCDE"]
    assert [sorted(set(found)) for _, found in groups_in_names(names, "sample")] == groups

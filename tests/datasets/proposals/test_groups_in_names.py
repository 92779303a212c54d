"""Groups that the names of rows tell: their parts, also counted from behind, and the letters before numbers."""

import pytest

from datasets.proposals import apply, propose
from datasets.reading.samples import groups_in_names
from tests.datasets.proposals.tables import normal, table_of


def groups(names):
    return [group for _, group in groups_in_names(names, "sample")]


@pytest.mark.parametrize(("n_each", "found"), [(25, True), (24, False)])
def test_a_part_before_the_last_one_may_group_names_of_different_length_into_many_groups(n_each, found):
    states = [f"{chr(97 + k // 7)}{chr(97 + k % 7)}" for k in range(41)]
    towns = ["port-{}", "{}", "new-{}-city"]
    names = [f"{towns[k % 3].format(f'x{k}')}-{states[k % 41]}-{k}" for k in range(41 * n_each)]
    assert ([name.split("-")[-2] for name in names] in groups(names)) == found


def test_a_sign_between_digits_is_no_group():
    names = [f"J{k * 37 % 90:02d}{'+-−'[k % 3]}{k * 11 % 60:02d}" for k in range(60)]
    assert groups(names) == []
    cells = [f"CD{k}{'+-'[k % 2]} {k // 2}" for k in (4, 8) for _ in range(9)]
    assert len(groups(cells)) > 0


def test_a_digit_before_letters_belongs_to_the_name():
    names = [f"{kind} {k}" for kind in ("2D", "3D", "InVivo") for k in range(5)]
    assert groups(names) == [["2D"] * 5 + ["3D"] * 5 + ["InVivo"] * 5]


def test_names_of_several_schemes_are_grouped_by_their_first_letters():
    names = [f"{name.format(k)}" for name in ("NLF{:03d}", "MH{}", "V{}.CD-0", "{}-stool1") for k in range(101, 113)]
    assert groups(names) == [["NLF"] * 12 + ["MH"] * 12 + ["V"] * 12 + ["stool"] * 12]
    assert groups([*names[:-2], "a", "b"]) == []  # names without a number


def test_longer_names_hide_no_parts_of_a_few_shorter_ones():
    usual = [
        f"{age}{k}-{state}-{day}" for age in "YO" for k in (1, 2, 3) for state in ("act", "qui") for day in (8, 11)
    ]
    longer = [f"{age}{k}-qui-try-11" for age in "YO" for k in (1, 2, 3, 4, 5)]
    found = groups([*usual, *longer, "QC1", "QC2", "QC3"])
    assert ["act", "act", "qui", "qui"] * 6 + ["qui"] * 10 + ["QC"] * 3 in found


def test_names_of_a_month_in_several_languages_are_one():
    names = [f"{month}{year}" for year in range(97, 100) for month in ("Sep", "Oct", "Fev")] + ["Set96", "Out96"]
    assert groups(names) == [["Sep", "Oct", "Fev"] * 3 + ["Sep", "Oct"]]
    names[0] = "Site97"  # no month
    assert "Set" in groups([*names, "Site98", "Set98", "Out98"])[0]


def test_accessions_of_proteins_tell_no_groups():
    proteins = [f"{'OPQ'[k % 3]}{k % 10}Y{k * 7 % 10}A{k * 3 % 10}" for k in range(60)]
    assert groups(proteins) == []
    assert groups([f"{name};A0A075B6H7" for name in proteins]) == []
    assert groups([f"{'OPQ'[k % 3]}{k % 10}{k * 7 % 10}" for k in range(60)]) != []


def test_names_whose_number_goes_on_belong_to_their_letters_where_they_are_few():
    sites = ["FSS", "CLC"]
    names = [f"{site}{k}{'F' * (k > 16)}" for site in sites for k in range(10, 20)] + ["FUR1F", "FUR2(blue)"]
    assert groups(names) == [["FSS"] * 10 + ["CLC"] * 10 + ["FUR"] * 2]
    paired = [f"{site}{k}{'NT'[k % 2]}" for site in sites for k in range(10)]
    assert groups(paired) == [[f"{name[:3]}{name[-1]}" for name in paired]]  # most have one: normal and tumour


@pytest.mark.parametrize(("first", "is_asked"), [("ABCDEFGH", True), ("A", False), ("tray", False)])
def test_wells_are_no_label_where_names_tell_groups(first, is_asked):
    """Also where those of the first row of a plate are the most frequent."""
    n = 192
    places = [f"{first[k // 12 % len(first)] if first != 'tray' else first}{k % 12 + 1}" for k in range(n)]
    names = [f"{('QL', 'RH', 'T')[k % 3]}{k * 7 % 1000:03d}" for k in range(n)]
    table = table_of(position=places, sample=names, weight=normal(n), carbon=normal(n, 1))
    names = [each.name for each in propose(table).candidates]
    assert (names[0] == "group read from sample") == is_asked


@pytest.mark.parametrize(
    ("cell", "group"),
    [
        ("{way} of Town {k}.5  km (near {place})", True),
        ("{way}方  {k}.5  公里 ({place})", True),
        ("{way} of Town {k}.5 {unit} ({place})", False),  # of several units
        ("{place} street {k} back {way}", False),  # words that do not repeat
        ("Town {k}.5 km ({place})", False),  # one group
        ("{way} of Town 5 km", False),  # few texts
        ("{way} of Town {k} km", False),  # nothing behind the unit: an amount
    ],
)
def test_words_before_a_number_and_its_unit_are_a_group(cell, group):
    places = [f"{'abcdefgh'[k % 8]}{'aeiou'[k // 8]}n" for k in range(40)]
    cells = [
        cell.format(k=k, way=("north", "south-west", "east")[k % 3], place=place, unit=("km", "mi")[k % 2])
        for k, place in enumerate(places)
    ]
    plan = apply(propose(table_of(place=cells, depth=normal(40), size=normal(40, 1))))
    assert ("group read from place" in plan.table.columns) == group
    if group:
        assert (plan.label.name, plan.label.sure) == ("group read from place", False)
        assert plan.table.columns[-1] in ("place: km", "place: 公里")
        assert plan.table.column(plan.table.columns[-1])[:2] == ["0.5", "1.5"]


@pytest.mark.parametrize(("n_groups", "n_others", "found"), [(40, 6, True), (41, 6, False), (40, 7, False)])
def test_words_before_a_number_are_few_and_stand_in_nearly_all_cells(n_groups, n_others, found):
    ways = [f"{'abcdefgh'[k % 8]}{'aeiou'[k // 8 % 5]}{'lmn'[k // 40]} of Town" for k in range(n_groups)]
    cells = [f"{ways[k % n_groups]} {k}.5 km (at {chr(97 + k % 26)}{k % 7}{k})" for k in range(129)]
    for k in range(n_others):
        cells[10 + 9 * k] = f"somewhere {chr(97 + k)}"
    table = apply(propose(table_of(place=cells, depth=normal(129), size=normal(129, 1)))).table
    assert ("group read from place" in table.columns) == found

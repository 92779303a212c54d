"""Columns that number, code or record the rows, and copies of the label, are no features."""

import numpy as np
import pytest

from datasets.proposals import Choices, apply, propose
from datasets.proposals.roles import IN_LABEL, SAME_AS_LABEL, TELLS_PERSONS, measured_alike
from datasets.reading import read_table
from tests.datasets.proposals.tables import cycled, normal, table_of

N = 60
LABEL = cycled("xyz", N)
CODES, IDS, ALIKE = "it holds codes", "it holds the numbers of an identifier", "it holds codes, nearly all different"


def planned(name, cells, label=LABEL):
    plan = apply(propose(table_of(**{"a": normal(N), name: cells, "b": normal(N, 1), "label": label})))
    return next(column for column in plan.planned if column.name == name)


DIFFERENT = [3_000 + 37 * (7 * k % N) for k in range(N)]


@pytest.mark.parametrize(
    ("name", "cells", "reason"),
    [
        ("IDnum", [f"{n}.25" for n in DIFFERENT], IDS),
        ("station_cd", DIFFERENT, CODES),
        ("cd", DIFFERENT, ""),  # cadmium
        ("telefono", DIFFERENT, ALIKE),
        ("matricola", DIFFERENT, ALIKE),
        ("PLZ", [n // 2 * 2 for n in DIFFERENT], ALIKE),
        ("CAP", DIFFERENT, CODES),
        ("cap width", DIFFERENT, ""),  # of a mushroom
        ("Column1", [9 * k for k in range(N)], "it is a different number in every row, an id"),
    ],
)
def test_numbers_below_a_name_of_codes_are_no_feature(name, cells, reason):
    column = planned(name, cells)
    assert (column.role, column.reason) == ("left_out" if reason else "number", reason)


@pytest.mark.parametrize(
    ("name", "cells", "reason"),
    [
        ("who", ["ann@x.org", "bob.b@mail.example.com", "eve+1@x.org", "dan@x.org"], TELLS_PERSONS),
        ("created_by.x", ["Ann", "Bob", "Eve", "Dan"], TELLS_PERSONS),
        ("_submitted_by", ["Ann", "Bob", "Eve", "Dan"], TELLS_PERSONS),
        ("username", ["Ann", "Bob", "Eve", "Dan"], TELLS_PERSONS),
        ("divided_by", ["two", "three", "four", "ten"], ""),
        ("opened email", ["no", "twice", "once", "yes"], ""),
        ("place", ["@home", "@work", "outside", "@sea"], ""),
    ],
)
def test_who_wrote_a_row_down_is_no_feature(name, cells, reason):
    column = planned(name, cycled(cells, N))
    assert (column.role, column.reason) == ("left_out" if reason else "categories", reason)


@pytest.mark.parametrize(
    ("name", "role"),
    [("STATE", "left_out"), ("town code", "left_out"), ("minutes", "number")],
)
def test_short_codes_with_leading_zeros_are_told_by_their_name(name, role):
    assert planned(name, [f"{k * k % 59:02}" for k in range(N)]).role == role
    assert planned(name, [str(k * k % 59) for k in range(N)]).reason != "it holds codes with leading zeros"


@pytest.mark.parametrize(
    ("cells", "role"),
    [
        ([f"{170 * (k * k % 59):04}" for k in range(N)], "left_out"),  # "0170"
        ([f"{170 * (k * k % 59)}" for k in range(N)], "number"),
        ([f"{k * k % 24:02}{k % 4 * 15:02}" for k in range(N)], "number"),  # "0915", a time
        ([f"{k * k % 59:03}" for k in range(N)], "number"),
        ([f"{100 * (k * k % 7 + 97 + k % 9):05}" for k in range(N)], "number"),  # "09700": equal steps
        ([f"{100 + k * 7 % 59:05}" for k in range(N)], "left_out"),  # steps of one: they number things
    ],
)
def test_four_digits_with_leading_zeros_are_codes_unless_they_are_times(cells, role):
    column = planned("office", cells)
    assert column.role == role
    assert role == "number" or column.reason == "it holds codes with leading zeros"


@pytest.mark.parametrize(("odd", "left_out"), [("1077f78a-0ec2-4def-aad4-cc0b93b09e5", True), ("unknown ", False)])
def test_numbers_that_are_uuids_in_some_rows_name_the_records(odd, left_out):
    cells = [f"{odd}{k % 10}" if k > 54 else k * k % 31 for k in range(N)]
    assert (planned("title", cells).role == "left_out") == left_out


@pytest.mark.parametrize(
    ("n", "last", "left_out"), [(50, "", True), (49, "", False), (50, "town-1", False), (50, "town-31400", False)]
)
def test_numbers_that_stand_in_the_names_of_the_rows_are_no_feature(n, last, left_out):
    branch = [300 + 37 * (7 * k % 53) for k in range(n)]
    slugs = [f"town-{chr(97 + k % 26)}-{number}" for k, number in enumerate(branch)]
    slugs[-1] = last or slugs[-1]
    table = table_of(branch=branch, slug=slugs, size=normal(n), kind=cycled("uv", n))
    assert ("branch" not in apply(propose(table)).columns.features) == left_out


def test_of_a_code_and_the_words_that_it_stands_for_the_words_are_kept():
    words = cycled(["north", "south", "east", "west"], N)
    code = {"north": "01", "south": "02", "east": "03", "west": "11"}
    columns = {"region": [code[word] for word in words], "name": words, "a": normal(N), "label": LABEL}
    assert dict(apply(propose(table_of(**columns))).columns.left_out) == {"region": "it tells no more than name"}
    columns = {"dose": [str(int(code[word])) for word in words]} | columns  # an amount
    assert "dose" in apply(propose(table_of(**columns))).columns.features


@pytest.mark.parametrize("n", [3, 2])
@pytest.mark.parametrize("ends", [("ID", "Time"), (" no.", " %")])
def test_columns_that_end_alike_are_measures_where_others_with_the_same_beginnings_stand_beside(n, ends):
    names = [f"T{k}{end}" for k in range(n) for end in ends]
    cells = {name: [1_000 + 37 * (k * (j + 7) % 61) for k in range(N)] for j, name in enumerate(names)}
    facts = propose(table_of(**cells, label=LABEL)).facts
    assert measured_alike(facts) == ({f"T{k}{ends[0]}" for k in range(n)} if n == 3 else set())
    features = apply(propose(table_of(**cells, label=LABEL))).columns.features
    assert set(features) == {name for name in names if n == 3 or name.endswith(ends[1])}


def test_identifiers_beside_names_stay_identifiers():
    cells = {}
    for k, thing in enumerate(("shop", "item", "buyer")):
        cells |= {f"{thing} id": [j * (k + 7) % 50 for j in range(N)], f"{thing} name": cycled("uvw", N)}
    assert measured_alike(propose(table_of(**cells, label=LABEL)).facts) == set()


@pytest.mark.parametrize(("n", "left_out"), [(10, True), (9, False)])
def test_the_numbers_of_the_label_in_other_writing_are_no_feature(n, left_out):
    price = [210_000 + 1_700 * (k * k % 31) + 13 * k for k in range(n)]
    written = [f"{p // 1000} {p % 1000:03} €" for p in price]
    table = table_of(size=normal(n), rooms=normal(n, 1), price=price, price_text=written)
    out = dict(apply(propose(table), Choices(label="price")).columns.left_out)
    assert (out.get("price_text") == SAME_AS_LABEL) == left_out
    written[3] = "190 000 €"
    other = apply(
        propose(table_of(size=normal(n), rooms=normal(n, 1), price=price, price_text=written)), Choices("price")
    )
    assert "price_text" in other.columns.features


def test_whole_numbers_in_two_writings_are_one_feature():
    price = [210_000 + 1_700 * (k * k % 31) + 13 * k for k in range(16)]
    table = table_of(price=price, text=[f"{p} €" for p in price], kind=cycled("uv", 16))
    assert dict(apply(propose(table)).columns.left_out)["text"] == "it is the same as price"


@pytest.mark.parametrize(("slips", "left_out"), [(0, True), (1, False)])
@pytest.mark.parametrize("name", ["Sloping", "terrain: sloping", "terrain_Sloping"])
def test_a_column_that_ticks_a_class_by_its_name_is_a_part_of_the_label(name, slips, left_out):
    terrain = cycled(["Flat", "Sloping", "Undulating"], N)
    ticks = np.array([int(word == "Sloping") for word in terrain])
    ticks[:slips] = 1 - ticks[:slips]
    assert (planned(name, ticks, terrain).reason == IN_LABEL) == left_out
    assert planned("Upsloping", ticks, terrain).role == "number"


@pytest.mark.parametrize(
    ("name", "first", "left_out"),
    [("Group", 1_000, True), ("sample_name", 1_000, True), ("group size", 1_000, False), ("Group", 5, False)],
)
def test_numbers_of_one_length_that_name_samples_are_identifiers(name, first, left_out):
    """As mothur calls its samples; numbers of several lengths may count."""
    numbers = [first + k * 37 % 997 * 9 for k in range(N)]
    counts = {f"otu{j}": [k * (j + 3) % 97 for k in range(N)] for j in range(4)}
    plan = apply(propose(table_of(**{name: numbers}, **counts, kind=cycled(["a", "b"], N))))
    assert (name in dict(plan.columns.left_out)) == left_out


@pytest.mark.parametrize(("first", "left_out"), [(1_790, False), (3_790, True), (2_050, True)])
def test_years_in_a_column_without_a_name_are_no_identifier(first, left_out):
    """Up to 1849, or beyond 2100."""
    rows = [f"{first + k},{k * k % 97}.5,{'ab'[k % 3 % 2]}" for k in range(N)]
    plan = apply(propose(read_table("\n".join([",people,kind", *rows]).encode(), "t.csv")))
    assert ("column 1" in dict(plan.columns.left_out)) == left_out


@pytest.mark.parametrize(("digits", "is_name"), [(18, True), (14, False)])
def test_whole_numbers_larger_than_doubles_tell_apart_name_the_rows_whatever_their_length(digits, is_name):
    """As the identifiers of Gaia."""
    cells = [str(7 * 10 ** (digits - k % 3) + k * k * 10 ** (digits - 9)) for k in range(N)]
    assert (planned("Gaia", cells).role == "left_out") == is_name


@pytest.mark.parametrize(
    ("name", "is_id"),
    [(name, True) for name in ("groupid", "idstation", "properties.idplot", "Mod. probe IDs", "tree_id", "idpatient")]
    + [(name, False) for name in ("humid", "valid", "acid", "grid", "solid", "paid", "lipid", "ideal", "identity")],
)
def test_names_that_join_id_and_what_it_numbers_are_identifiers(name, is_id):
    column = planned(name, [3_000 + 37 * (k * k % 31) for k in range(N)])
    assert (column.role, column.reason) == (("left_out", IDS) if is_id else ("number", ""))


@pytest.mark.parametrize(("values", "role"), [((57_301, 57_365), "categories"), ((0, 1), "number"), ((1, 2), "number")])
def test_two_numbers_of_an_identifier_are_categories_unless_they_say_no_and_yes(values, role):
    assert planned("Experiment ID", cycled(values, N)).role == role


@pytest.mark.parametrize(
    ("name", "cells", "reason"),
    [
        ("Well", [1 + 7 * k % 384 for k in range(N)], TELLS_PERSONS),
        ("wells", [1 + 7 * k % 384 for k in range(N)], ""),  # counted
        ("twin.pair", [1 + k * k % 47 for k in range(N)], TELLS_PERSONS),
        ("station_nu", [1 + k * k % 47 for k in range(N)], TELLS_PERSONS),
        ("nu", [1 + k * k % 47 for k in range(N)], ""),  # a frequency
        ("Kreisschluessel", [1_000 * (1 + k * k % 47) for k in range(N)], CODES),
        ("gene", [2_310_000 + 17 * (k * k % 30) for k in range(N)], CODES),
        ("gene", [23 + 17 * (k * k % 30) for k in range(N)], ""),  # few digits, as of how many
        ("genes", [2_310_000 + 17 * (k * k % 30) for k in range(N)], ""),
        ("gene", [2_310_000 + 17 * (k * k % 997) for k in range(N)], ""),  # one for each row
        ("ftir_idx", [3 * (7 * k % N) for k in range(N)], IDS),
        ("ftir_idx", [3 * (7 * k % N) + 5 * N for k in range(N)], ""),  # more than there can be rows
        ("heat_idx", [20 + k * k % 31 for k in range(N)], ""),
    ],
)
def test_numbers_of_places_pairs_genes_and_other_tables_are_no_feature(name, cells, reason):
    column = planned(name, cells)
    assert (column.role, column.reason) == ("left_out" if reason else "number", reason)


@pytest.mark.parametrize("name", ["seat no", "seat number", "Seat No.", "Seat nr"])
@pytest.mark.parametrize(("slips", "left_out"), [(0, True), (1, False)])
def test_numbers_that_run_in_each_level_of_a_column_number_its_members(name, slips, left_out):
    region = [f"region {chr(97 + k % 5)}" for k in range(N)]
    number = [1 + 5 * (k // 5) % 12 for k in range(N)]  # 1 to 12 in any order
    number[4] += slips
    features = {"a": normal(N), "b": normal(N, 1)}
    table = table_of(region=region, **{name.replace(" ", "__"): number}, **features, label=LABEL)
    assert (dict(apply(propose(table)).columns.left_out).get(name) == IDS) == left_out
    rank = table_of(region=region, place=number, **features, label=LABEL)
    assert "place" in apply(propose(rank)).columns.features
    week = table_of(region=region, week__no=number, **features, label=LABEL)
    assert "week no" in apply(propose(week)).columns.features


@pytest.mark.parametrize(("noise", "is_measure"), [(7.0, True), (14.0, False)])
def test_numbers_that_count_from_row_to_row_are_measures_where_another_number_goes_with_them(noise, is_measure):
    """As the cycle of a battery and its capacity."""
    number = [1 + k % 20 for k in range(N)]
    level = [f"{value - noise * float(error):.3f}" for value, error in zip(number, normal(N, 2), strict=True)]
    features = {"a": normal(N), "level": level}
    plan = apply(propose(table_of(**features, cycle__number=number, label=LABEL)))
    assert ("cycle number" in plan.columns.features) == is_measure
    # 1 for 1 in other steps: a count
    counted = [1 + (k * k) % 19 for k in range(N)]
    assert "egg number" in apply(propose(table_of(**features, egg__number=counted, label=LABEL))).columns.features


@pytest.mark.parametrize(("in_order", "left_out"), [(False, True), (True, False)])
def test_numbers_with_a_trait_each_in_a_column_of_their_name_are_identifiers(in_order, left_out):
    """The levels of a measure, such as "hen" and "hen group", follow each other."""
    hens = [1_001 + 3 * (k % 30) for k in range(N)]
    breed = [("low" if hen < 1_046 else "high") if in_order else "uv"[hen * hen % 7 > 1] for hen in hens]
    table = table_of(hen=hens, henbreed=breed, a=normal(N), b=normal(N, 1), label=LABEL)
    assert (dict(apply(propose(table)).columns.left_out).get("hen") == IDS) == left_out
    slips = [("low" if hen < 1_046 else "high") if hen % 5 else "mid" for hen in hens]  # of a measure, too
    slipped = table_of(hen=hens, henbreed=slips, a=normal(N), b=normal(N, 1), label=LABEL)
    assert "hen" in apply(propose(slipped)).columns.features
    other = table_of(hen=hens, breed=breed, a=normal(N), b=normal(N, 1), label=LABEL)
    assert "hen" in apply(propose(other)).columns.features
    breed[31] = "low" if breed[31] != "low" else "high"  # no longer one each
    mixed = table_of(hen=hens, henbreed=breed, a=normal(N), b=normal(N, 1), label=LABEL)
    assert "hen" in apply(propose(mixed)).columns.features


@pytest.mark.parametrize(("n_odd", "left_out"), [(1, True), (2, False)])
def test_a_column_that_counts_upwards_may_write_its_unit_once(n_odd, left_out):
    years = [("FY " if k < n_odd else "") + str(27 + k) for k in range(N)]
    plan = apply(propose(table_of(a=normal(N), term=years, b=normal(N, 1), label=LABEL)))
    assert ("term" in dict(plan.columns.left_out)) == left_out
    assert not (left_out and plan.columns.odd_as_missing)


@pytest.mark.parametrize(("cells", "role"), [("HILIC C18", "categories"), ("A B", "left_out"), ("3 7", "left_out")])
def test_a_column_beside_the_rows_of_a_plate_is_a_place_by_its_cells(cells, role):
    """As the column of a chromatograph; F may have become FALSE."""
    rows = cycled(["A", "B", "C", "D", "E", "FALSE", "G"], N)
    columns = {"Row": rows, "Col": cycled(range(1, 13), N), "Column": cycled(cells.split(), N)}
    plan = apply(propose(table_of(**columns, a=normal(N), b=normal(N, 1), label=LABEL)))
    roles = {column.name: column.role for column in plan.planned}
    assert roles["Row"] == roles["Col"] == "left_out"
    assert roles["Column"] == role


@pytest.mark.parametrize(
    ("name", "stem", "reason"),
    [
        ("positionKey", "left wing ", ""),
        ("positionKey", "pos-1", TELLS_PERSONS),
        ("position_id", "wing ", TELLS_PERSONS),
    ],
)
def test_words_below_key_are_kinds_and_codes_are_identifiers(name, stem, reason):
    assert planned(name, cycled([f"{stem}{c}" for c in "abcdefgh"], N)).reason == reason


@pytest.mark.parametrize(("step", "left_out"), [(1, True), (10, False)])
def test_large_different_numbers_without_a_name_name_the_rows_though_some_are_small(step, left_out):
    """As the numbers of lines in a log; amounts are round."""
    rows = [f"{step * (40 + 797 * (7 * k % N))},{k * k % 97}.5,{k * k % 89}.5,{'ab'[k % 3 % 2]}" for k in range(N)]
    plan = apply(propose(read_table("\n".join(rows).encode(), "t.csv")))
    assert ("column 1" in dict(plan.columns.left_out)) == left_out


@pytest.mark.parametrize(("n_teeth", "left_out"), [(1, True), (2, False)])
def test_large_numbers_without_a_name_that_rise_with_the_rows_are_an_identifier(n_teeth, left_out):
    """A few may stand elsewhere; those of a saw rise from row to row only."""
    events = [16_001 + 9_001 * (k * n_teeth % N + k * n_teeth // N) ** 2 for k in range(N)]
    events[7], events[20] = events[20], events[7]
    rows = [f"{k * k % 97}.5,{k * k % 89}.5,{event},{'ab'[k % 3 % 2]}" for k, event in enumerate(events)]
    plan = apply(propose(read_table("\n".join(rows).encode(), "t.csv")))
    assert ("column 3" in dict(plan.columns.left_out)) == left_out


@pytest.mark.parametrize(("digits", "left_out"), [(10, True), (8, False)])
def test_numbers_of_ten_digits_are_identifiers_though_some_rows_have_none(digits, left_out):
    cells = ["" if k % 9 == 4 else 3 * 10 ** (digits - 1) + 37 * k * k for k in range(N)]
    assert (planned("ssid", cells).role == "left_out") == left_out
    cells[7] = "no site"
    assert (planned("ssid", cells).role == "left_out") == left_out

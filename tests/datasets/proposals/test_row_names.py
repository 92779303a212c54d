"""Columns read out of the names of rows: replicates, numbers in parts, names further right or beside a label."""

import pytest

from datasets.proposals import Choices, apply, propose
from datasets.proposals.roles import OF_RECORDING
from tests.datasets.proposals.tables import cycled, normal, table_of

N = 60


def wells(n_names=20, n_each=3, kind="{}{}"):
    """Names of samples, each in a few wells of a plate, behind the name of the well."""
    names = [kind.format("mz"[k % 2], k // 2) for k in range(n_names) for _ in range(n_each)]
    n = len(names)
    return {"well": [f"x{k * 7919 % 997}y" for k in range(n)], "sample": names, "ct": normal(n)}


@pytest.mark.parametrize(
    ("columns", "label"),
    [
        (wells(), "part 1 read from sample"),
        (wells(n_each=4), "part 1 read from sample"),
        (wells(n_each=5), "sample"),  # rather a class
        (wells(n_names=10), "part 1 read from sample"),
        (wells(n_names=9), "sample"),
        (wells(kind="{0}{0}{1}_x"), "part 1 read from sample"),
        (wells(kind="p{1}"), "sample"),  # one group
        (wells(kind="{1} {0} 4"), "sample"),  # ranges
    ],
)
def test_names_of_replicates_are_grouped_by_their_parts(columns, label):
    assert propose(table_of(**columns)).candidates[0].name == label


@pytest.mark.parametrize(("place", "n_again", "is_found"), [(2, 0, True), (3, 0, False), (2, 2, True), (2, 3, False)])
def test_names_stand_in_one_of_three_columns_and_nine_in_ten_of_them_differ(place, n_again, is_found):
    names = [f"{'mz'[k % 2]}{k // 2}" for k in range(20 - n_again)]
    columns = [(name, normal(20, seed)) for seed, name in enumerate("abc")]
    columns.insert(place, ("sample", [*names, *names[:n_again]]))
    found = propose(table_of(**dict(columns))).table.columns
    assert ("part 1 read from sample" in found or "group read from sample" in found) == is_found


def test_names_that_the_label_was_read_out_of_are_no_feature():
    plan = apply(propose(table_of(**wells(), dose=normal(N, 1))))
    assert dict(plan.columns.left_out)["sample"] == "the label was read out of it"
    other = apply(plan.proposal, Choices(label="dose"))
    assert "sample" in other.columns.features


def test_names_that_mostly_stand_alone_or_hold_no_numbers_are_no_replicates():
    names = [f"{'mz'[k % 2]}{k // 2}" for k in range(17)]
    once = table_of(well=wells(17, 1)["well"], sample=names, a=normal(17), kind=cycled(["u", "v"], 17))
    assert propose(once).candidates[0].name == "kind"
    letters = [f"{'mz'[k % 2]} {chr(97 + k // 2)}" for k in range(20) for _ in range(3)]
    on_a_plate = [f"{'AB'[k % 2]}{k // 2 + 1}" for k in range(20) for _ in range(3)]
    for names in (letters, on_a_plate):
        table = propose(table_of(**wells() | {"sample": names})).table
        assert not any("read from" in name for name in table.columns)


def test_groups_in_names_behind_it_leave_a_column_the_last_one():
    candidates = propose(table_of(**wells(), tint=cycled(["u", "v"], N))).candidates
    places = {each.name: each.place for each in candidates}
    assert (places["tint"], places["part 1 read from sample"]) == ("last column", "")


def test_a_sure_label_stays_beside_groups_of_replicates():
    plan = apply(propose(table_of(**wells(), species=cycled(["u", "v"], N))))
    assert (plan.label.name, plan.label.sure) == ("species", True)
    assert "part 1 read from sample" in plan.table.columns


def test_names_in_parts_are_in_the_box_beside_a_label_and_others_are_not():
    names = [f"Room_{'AB'[k % 2]}_{('pre', 'post')[k // 2 % 2]}_{k}.dat" for k in range(N)]
    kinds = cycled(["u", "v"], N)
    plan = apply(propose(table_of(file=names, a=normal(N), group=kinds)))
    assert plan.label.name == "group"
    assert plan.table.column("part 2 read from file")[:4] == ["pre", "pre", "post", "post"]
    assert not any("read from" in each.name for each in plan.label.runners_up)
    people = [f"Name {k}, {('Mr', 'Mrs')[k % 2]}. X" for k in range(N)]
    assert propose(table_of(name=people, a=normal(N), group=kinds)).table.columns == ("name", "a", "group")


@pytest.mark.parametrize(("n_values", "offered"), [(10, True), (11, False)])
def test_one_of_two_numbers_in_a_name_groups_rows_where_it_has_few_values(n_values, offered):
    n = 11 * n_values
    names = [f"{k // n_values + 1}_{k % n_values * 3}" for k in range(n)]
    table = propose(table_of(name=names, a=normal(n), b=normal(n, 1))).table
    assert any(len(set(table.column(name))) == n_values for name in table.columns[3:]) == offered


def test_codes_in_parts_further_right_group_rows_and_other_texts_do_not():
    def label(names):
        places = {"a": normal(N), "b": normal(N, 1), "c": normal(N, 2)}
        return apply(propose(table_of(**places, slug=names, d=normal(N, 3)))).label

    assert label([f"town{k * 7 % 61}-{('me', 'nh')[k % 2]}-{k}" for k in range(N)]).name == "group read from slug"
    assert label([f"town{k * 7 % 61} {('me', 'nh')[k % 2]} {k}" for k in range(N)]) is None
    assert label([f"n{k}_x@{('me', 'nh')[k % 2]}.org" for k in range(N)]) is None


def test_flags_of_qpcr_are_no_label():
    flags = {name: cycled(["Y", "N", "N"], N) for name in ("BADROX", "EXPFAIL", "NOISE", "SPIKE")}
    plan = apply(propose(table_of(a=normal(N), kind=cycled(["u", "v", "w"], N), b=normal(N, 1), **flags)))
    assert plan.label.name == "kind"
    assert {name for name, why in plan.columns.left_out if why == OF_RECORDING} == set(flags)
    noise = propose(table_of(a=normal(N), b=normal(N, 1), SPIKE=cycled("yn", N), NOISE=cycled(["Y", "N"], N)))
    assert [each.name for each in noise.candidates][:2] == ["NOISE", "SPIKE"]


@pytest.mark.parametrize(("n_different", "is_found"), [(31, True), (30, False)])
def test_codes_further_right_are_looked_at_where_most_of_them_differ(n_different, is_found):
    """As of finds that several measurements were made of, with the parts of some codes cut by another sign."""
    codes = [f"TE{'-_'[k % 3 > 1]}{'TC'[k % 2]}-{k % n_different}" for k in range(N)]
    codes = [codes[k % n_different] for k in range(N)]
    plan = apply(propose(table_of(a=normal(N), b=normal(N, 1), c=normal(N, 2), find=codes)))
    assert any("read from find" in name for name in plan.table.columns) == is_found

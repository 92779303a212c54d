"""Which columns are offered as the label beside the proposed one, or where none looks like one."""

import pytest

from datasets.proposals import apply, propose
from tests.datasets.proposals.tables import cycled, normal, table_of

N = 60
WORDS = cycled(["u", "v", "w"], N)
BITS = cycled("01101", N)


def test_numbers_in_few_steps_can_be_a_label_and_a_column_that_is_mostly_blank_is_no_answer():
    columns = {"a": normal(N), "dose": cycled(["0.5", "1.5", "2.5"], N), "b": normal(N, 1)}
    plan = apply(propose(table_of(**columns, rest=["" if k % 3 else f"{k}.5" for k in range(N)])))
    assert plan.label is None
    (question,) = [question for question in plan.questions if question.key == "label"]
    assert [answer.text for answer in question.answers] == ["dose", "a", "b"]
    many = apply(propose(table_of(**columns | {"dose": cycled([f"{k}.5" for k in range(N // 20 + 1)], N)})))
    assert "dose" not in [candidate.name for candidate in many.proposal.candidates]


def test_runners_up_have_their_classes_and_counts():
    table = table_of(target=BITS, town=cycled("nsew", N), a=normal(N), kind=WORDS)
    label = apply(propose(table)).label
    assert label.name == "target"
    assert [other.name for other in label.runners_up] == ["kind", "town"]
    assert label.runners_up[0].n_classes == 3
    assert sum(count for _, count in label.runners_up[0].classes) == N
    assert dict(label.candidate.classes) == {"0": BITS.count("0"), "1": BITS.count("1")}


@pytest.mark.parametrize(
    "last",
    [
        {"flag": ["e", *[""] * (N - 2), "p"]},
        {"remark": [f"remark {k} of many" for k in range(N)]},
        {"day": [f"2024-01-{1 + k % 20:02d}" for k in range(N)]},
        {},
    ],
    ids=["nearly empty", "text", "dates", "odd cell"],
)
def test_the_last_column_of_numbers_is_a_button_where_the_last_column_is_no_label(last):
    value = [f"{k * k % 101}.{k}" for k in range(N - 1)] + [".."]
    plan = apply(propose(table_of(place=cycled([f"p{k}" for k in range(20)], N), value=value, **last)))
    (answer,) = [answer for answer in plan.questions[0].answers if answer.text == "value"]
    assert answer.cost.startswith("last column")
    assert plan.questions[0].blocking


def test_of_a_short_table_the_numbers_are_buttons():
    plan = apply(propose(table_of(name=["u", "v", "w"], size=["2", "4", "7"], age=["1.5", "2", "3"])))
    assert [answer.text for answer in plan.questions[0].answers] == ["age", "size"]


def test_words_that_repeat_are_offered_where_no_column_looks_like_a_label():
    ligand = [f"L{k % 40}" for k in range(N)]
    plan = apply(propose(table_of(receptor=[f"R {k}" for k in range(N)], ligand=ligand, a=normal(N), b=normal(N, 1))))
    assert plan.label is None
    (question,) = [question for question in plan.questions if question.key == "label"]
    assert [answer.text for answer in question.answers] == ["ligand", "b", "a"]


def test_an_outcome_by_its_name_is_among_the_answers():
    n = 60
    table = table_of(
        total=normal(n, 3), kind=cycled("abc", n), day=cycled("uvwxyz", n), month=cycled("rst", n), wet=normal(n)
    )
    asked = apply(propose(table)).questions[0]
    assert [answer.text for answer in asked.answers][:1] == ["kind"]
    assert "total" in [answer.text for answer in asked.answers]
    assert asked.answers[[answer.text for answer in asked.answers].index("total")].cost == (
        f"column 1 of 5, {n} different numbers"
    )


def test_where_no_column_looks_like_a_label_few_steps_are_offered_and_no_text():
    n = 100
    lists = [f"{{3: {90 - k % 70}.0, 2: {k % 70}.5, 1: 7.5, 0: 1}}" for k in range(n)]
    steps = {
        name: [f"{0.5 + (k // every) % most / 9:.4f}" for k in range(n)]
        for name, every, most in (("p", 25, 4), ("q", 5, 3))
    }
    plan = apply(propose(table_of(lists=lists, **steps, a=normal(n), last=normal(n, 1))))
    (question,) = (each for each in plan.questions if each.key == "label")
    assert [answer.text for answer in question.answers] == ["last", "q", "p", "a"]


def sites(n_species):
    """How often each species was seen, most of them nowhere at most sites, beside the height of the site."""
    seen = {f"beetle {k}": [str((j + k) % 4 if j % 3 == k % 3 else 0) for j in range(N)] for k in range(n_species)}
    rare = [str(int(j % 9 == 4)) for j in range(N)]
    return table_of(site=[f"s{k}" for k in range(N)], **seen, rare=rare, height=normal(N))


@pytest.mark.parametrize(("n_species", "offered"), [(8, ["height"]), (7, ["height"]), (2, ["rare", "height"])])
def test_counts_of_rare_species_are_no_answers_where_these_are_many(n_species, offered):
    question = apply(propose(sites(n_species))).questions[0]
    found = [answer.text for answer in question.answers]
    assert [name for name in found if name in ("rare", "height")] == offered
    assert len(found) == (1 if n_species == 8 else 4)
    assert ("Choose a number to predict" in question.text) == (n_species == 8)


def test_in_a_wide_table_the_first_number_is_offered_too():
    steps = {f"d{k}": cycled([str(k + j) for j in range(4)], N) for k in range(1, 10)}
    wide = {f"m{k}": normal(N, k) for k in range(4)}
    plan = apply(propose(table_of(name=[f"s{k}" for k in range(N)], potency=normal(N, 9), **steps, **wide)))
    assert [answer.text for answer in plan.questions[0].answers] == ["d1", "d2", "m3", "potency"]


def test_conditions_are_offered_after_what_was_measured_under_them():
    def offered(*names):
        n = 300
        salts = [f"salt {k % 60}" for k in range(n)]
        columns = {name: normal(n, k) for k, name in enumerate(names)}
        label = apply(propose(table_of(salt=salts, **columns, formula=[f"formula {k % 59}" for k in range(n)]))).label
        assert (label.sure, label.candidate.n_classes > 50) == (False, True)
        return [other.name for other in label.runners_up if other.mode == "bins"]

    assert offered("temperature", "viscosity", "delta__viscosity") == ["viscosity", "temperature"]
    assert offered("heat", "viscosity", "gain") == ["heat", "gain"]


def test_one_button_of_four_is_for_a_number_where_four_columns_could_be_the_classes():
    kinds = {name: cycled(cells, N) for name, cells in (("p", "abc"), ("q", "defg"), ("r", "hijkm"), ("s", "lmnopq"))}
    columns = {"a": normal(N), **kinds, "b": normal(N, 1), "remark": [f"r{k}" for k in range(N)]}
    label = apply(propose(table_of(**columns))).label
    assert [other.name for other in (label.candidate, *label.runners_up)] == ["p", "q", "r", "b"]
    whole = {name: cells for name, cells in columns.items() if name not in ("a", "b")}
    label = apply(propose(table_of(**whole))).label
    assert len(label.runners_up) == 3


def test_no_button_is_for_a_number_that_counts_the_rows():
    order = [str(7 * k % N + 1) for k in range(N)]
    columns = {"no": order, "a": normal(N), "town": cycled("nse", N), "b": normal(N, 1), "day": cycled("pqrst", N)}
    label = apply(propose(table_of(**columns))).label
    assert [other.name for other in label.runners_up] == ["day", "b", "a"]


@pytest.mark.parametrize("cell", ["http://example.org/{}", "0b97014f-1a82-46d5-bfbf-8985700000{:02}", "{}"])
def test_of_columns_that_tell_the_same_one_is_offered(cell):
    towns = cycled("nsew", N)
    links = [cell.format("nsew".index(town)) for town in towns]
    plan = apply(propose(table_of(kind=WORDS, link=links, a=normal(N), town=towns, b=normal(N, 1))))
    offered = [plan.label.name, *(other.name for other in plan.label.runners_up)]
    assert set(offered) & {"link", "town"} == ({"link", "town"} if cell == "{}" else {"town"})  # numbers may be others


@pytest.mark.parametrize(("n_gaps", "first"), [(13, "b"), (12, "a")])
def test_numbers_with_many_gaps_are_offered_behind_others(n_gaps, first):
    cells = normal(N)
    cells[:n_gaps] = [""] * n_gaps
    (question, *_) = apply(propose(table_of(a=cells, b=normal(N, 1), c=normal(N, 2), d=normal(N, 3)))).questions
    assert next(answer.text for answer in question.answers if answer.text in ("a", "b")) == first


@pytest.mark.parametrize(("name", "offered"), [("stray", False), ("group", True)])
def test_a_column_mostly_without_values_is_offered_by_its_name_only(name, offered):
    few = ["high" if k % 3 == 0 else "low" if k % 3 == 1 and k < 20 else "" for k in range(N)]
    table = table_of(sound=cycled("abc", N), a=normal(N), **{name: few}, b=normal(N, 1), town=cycled("nsewu", N))
    label = apply(propose(table)).label
    shown = {label.name, *(other.name for other in label.runners_up)}
    assert {"sound", "town"} <= shown
    assert (name in shown) == offered


def test_numbers_are_offered_beside_groups_in_names():
    places = [f"{'Primary' if k % 3 else 'Middle'} School {k}" for k in range(N)]
    label = apply(propose(table_of(place=places, a=normal(N), b=normal(N, 1), c=normal(N, 2)))).label
    assert label.name == "group read from place"
    assert [other.name for other in label.runners_up] == ["a", "c", "b"]


def years(n_full):
    """Shares of 60 countries by year; each year but the fullest was measured in a few of them."""
    cells = {str(1990 + k): ["" if j % 6 else f"{(j * (k + 3)) % 89}.5" for j in range(N)] for k in range(6)}
    cells["1993"] = [f"{j * j % 89}.5" if j < n_full else "" for j in range(N)]
    return apply(propose(table_of(place=[f"p{chr(97 + k % 26)}{chr(97 + k // 26)}" for k in range(N)], **cells)))


def test_of_columns_that_are_mostly_blank_the_fullest_are_offered_and_used():
    plan = years(n_full=19)
    assert next(answer.text for answer in plan.questions[0].answers) == "1993"
    assert plan.columns.features == tuple(str(1990 + k) for k in range(6))
    plan = years(n_full=21)  # the others have 10
    assert [answer.text for answer in plan.questions[0].answers] == ["1993"]
    assert plan.columns.features == ("1993",)


def test_columns_named_by_years_are_no_spectrum():
    values = {str(1990 + k): [f"{(j * (k + 3)) % 89}.5" for j in range(N)] for k in range(25)}
    plan = apply(propose(table_of(place=[f"p{chr(97 + k % 26)}{k}" for k in range(N)], men=normal(N), **values)))
    assert {"men", "2014", "1990"} <= {answer.text for answer in plan.questions[0].answers}

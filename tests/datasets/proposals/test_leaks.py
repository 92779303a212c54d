"""Columns that give the label away are named before anything is trained, and sound tables are left alone."""

from dataclasses import replace
from functools import cache

import numpy as np
import pyarrow as pa
import pytest

from datasets.catalogue import load_dataset
from datasets.columns import build_dataset, column_of
from datasets.proposals import Choices, apply, propose, unasked_plan
from datasets.proposals.leaks import find_leaks
from datasets.reading import Table
from tests.datasets.proposals import tables

GENERATED = ("n2d", "blobs", "rings", "moons", "spirals", "noisy_xor", "lowe_xor", "ring", "pure_noise", "xor")


@cache
def sound_tables():
    """60 labelled tables without a leak, (X, y): 4 measured ones, halves of these, and generated ones."""
    found = []
    for key in ("wine", "iris", "breast_cancer", "balance"):
        X, y = load_dataset(key).X, load_dataset(key).y
        found += [(X, y), (X[::2], y[::2]), (X[1::2], y[1::2])]
    for seed in range(5):
        for key in GENERATED:
            n = {"n_samples": 300, "random_state": seed}
            found.append((load_dataset(key, **n).X, load_dataset(key, **n).y))
    return found[:60]


def table_of(X, y, **more):
    columns = {f"x{k}": X[:, k] for k in range(X.shape[1])} | more | {"label": [f"class {code}" for code in y]}
    cells = pa.table({name: pa.array(values).cast(pa.string()) for name, values in columns.items()})
    return Table("t.csv", cells, np.arange(2, len(y) + 2))


def disagreeing(y, share, rng):
    changed, rows = np.array(y), rng.permutation(len(y))[: int(share * len(y))]
    changed[rows] = (changed[rows] + 1) % (y.max() + 1)
    return changed


def one_hot(y, rng):
    return {f"is {code}": (y == code).astype(int) for code in range(y.max() + 1)}


# The columns that each kind of leak puts beside the features.
KINDS = {
    "one-hot": one_hot,
    "code": lambda y, rng: {"code": 100 * rng.permutation(y.max() + 1)[y] + rng.integers(0, 9, len(y))},
    "flag": lambda y, rng: {"flag": disagreeing(y, 0.01, rng)},
    "second labelling": lambda y, rng: {"kind": [f"k{c}.{rng.integers(3)}" for c in disagreeing(y, 0.005, rng)]},
    "identifier": lambda y, rng: {"number": np.argsort(np.argsort(y, kind="stable")) * 3 + rng.integers(0, 3, len(y))},
    "score": lambda y, rng: {"score": y + rng.uniform(-0.49, 0.49, len(y))},
}


def leaks_of(table, categories=()):
    columns = [column_of(table, name) for name in table.columns[:-1]]
    return find_leaks(columns, categories, column_of(table, "label").levels.codes.astype(np.int64))


@pytest.mark.parametrize("kind", KINDS)
def test_planted_leaks_are_found(kind):
    found = 0
    for seed, (X, y) in enumerate(sound_tables()[::2]):
        planted = KINDS[kind](y, np.random.default_rng(seed))
        leaks = leaks_of(table_of(X, y, **planted), ("kind",))
        found += leaks is not None and set(leaks.columns) <= set(planted) and len(leaks.columns) >= len(planted) - 1
    assert found >= 28


def test_sound_tables_are_left_alone():
    tables = sound_tables()
    assert len(tables) == 60
    assert [leaks_of(table_of(X, y)) for X, y in tables] == [None] * 60


def wine_with(**more):
    X, y = load_dataset("wine").X, load_dataset("wine").y
    return table_of(X, y, **more)


def test_they_are_asked_about_when_the_label_is_chosen_and_left_out_in_one_press():
    y = load_dataset("wine").y
    flag = [f"{code} {k % 3}" for k, code in enumerate(y)]
    flag[7] = "2 1"
    plan = apply(propose(wine_with(flag=flag, town=["nse"[k % 3] for k in range(len(y))])))
    (question,) = [question for question in plan.questions if question.blocking]
    assert question.key == "leaks"
    assert question.text.startswith("'flag' alone gives the label in 99")  # 177 of 178
    assert "flag" in plan.columns.features
    left = apply(plan.proposal, question.answers[0].choices)
    assert left.ready
    assert ("flag", "it gives the label away") in left.columns.left_out
    assert "flag (it gives the label away)" in " ".join(build_dataset(left.table, left.columns).notes)
    kept = apply(plan.proposal, question.answers[1].choices)
    assert kept.ready
    assert "flag" in kept.columns.features
    other = apply(plan.proposal, left.choices.with_label("town"))
    assert "flag" in other.columns.features
    assert unasked_plan(plan.table).columns.left_out == left.columns.left_out


def test_a_column_that_tells_a_class_and_not_its_spelling_is_found():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 200)
    table = table_of(rng.normal(size=(200, 3)), y, kind=[f"k{code}" for code in y])
    cells = [
        "Class 1" if cell == "class 1" and k % 2 else cell for k, cell in enumerate(table.cells["label"].to_pylist())
    ]
    spelt = Table("t.csv", table.cells.set_column(4, "label", pa.array(cells)), table.line_numbers)
    plan = apply(propose(spelt))
    assert len(plan.label.spellings) == 1
    assert plan.leaks.columns == ("kind",)


def test_a_column_that_the_user_put_back_stays():
    y = load_dataset("wine").y
    plan = apply(propose(wine_with(score=y + np.linspace(0, 0.4, len(y)))))
    chosen = plan.questions[0].answers[0].choices.saying("roles", "score", "number")
    assert "score" in apply(plan.proposal, chosen).columns.features


def test_a_numeric_label_is_given_away_by_the_same_amount_in_other_units():
    X = load_dataset("wine").X
    table = table_of(X, X[:, 0], euros=0.9 * X[:, 0] + 3)
    choices = Choices(label="x0")
    assert apply(propose(table), choices).leaks.columns == ("euros",)


def test_a_lone_feature_is_no_leak():
    assert leaks_of(table_of(np.arange(60)[:, None] // 30 + 0.5, np.arange(60) // 30)) is None


def test_classes_that_lie_apart_in_every_measurement_are_no_leak():
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    X = rng.normal(size=(90, 6)) + 20 * y[:, None] * rng.choice([-1, 1], 6)
    assert leaks_of(table_of(X, y)) is None


def test_a_long_table_is_searched_in_a_sample():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, 20_000)
    assert leaks_of(table_of(rng.normal(size=(len(y), 5)), y, flag=y)).columns == ("flag",)


@pytest.mark.parametrize(
    ("n_others", "n_wrong", "is_measured", "is_leak"),
    [
        (12, 1, False, True),
        (12, 2, False, False),  # too large a share of the rare class
        (100, 6, False, False),  # too many rows
        (40, 2, False, True),
        (40, 2, True, False),  # classes that lie apart in a measurement
    ],
)
def test_a_flag_of_a_rare_class_may_disagree_in_one_row_of_a_hundred(n_others, n_wrong, is_measured, is_leak):
    rng = np.random.default_rng(0)
    y = (np.arange(300) < n_others).astype(int)
    flag = y.astype(float)
    flag[:n_wrong] = 0
    flag += rng.uniform(0, 0.4, 300) * is_measured
    leaks = leaks_of(table_of(rng.normal(size=(300, 2)), y, flag=flag))
    assert (leaks is not None) == is_leak


def test_two_columns_whose_pairs_are_the_classes_are_found():
    n = 96
    strain, diet = ["abcd"[k % 4] for k in range(n)], ["fat" if k // 4 % 3 else "lean" for k in range(n)]
    group = [f"{one}{other}" for one, other in zip(strain, diet, strict=True)]
    columns = {"a": tables.normal(n), "strain": strain, "diet": diet, "b": tables.normal(n, 1)}
    plan = apply(propose(tables.table_of(**columns, group=group)), Choices("group"))
    assert plan.leaks.columns == ("strain", "diet")
    assert plan.leaks.together
    assert "'strain' and 'diet' together give the label in 100\xa0% of rows." in plan.leaks.sentence
    once = [*group[:-1], group[0]]
    assert group[0] != group[-1]
    finer = [f"{name} {k % 3}" for k, name in enumerate(group)]  # of which a pair does not tell
    assert apply(propose(tables.table_of(**columns, group=finer)), Choices("group")).leaks is None
    found = apply(propose(tables.table_of(**columns, group=once)), Choices("group")).leaks
    assert (found.columns, found.together) == (("strain", "diet"), True)
    assert (
        "together give the label in 98\xa0% of rows" in found.sentence
    )  # one slip of the pen, of two rows that tell it


@pytest.mark.parametrize(
    ("n", "n_wrong", "is_found"), [(300, 0, True), (300, 3, True), (300, 9, False), (60, 0, False)]
)
def test_two_counts_that_together_tell_the_label_are_found(n, n_wrong, is_found):
    """As the goals of both sides tell who won, where each pair of them is in several rows."""
    rng = np.random.default_rng(1)
    home, away = rng.integers(0, 5, (2, n))
    won = np.where(home > away, "H", np.where(home < away, "A", "D"))
    won[:n_wrong] = ["H" if each == "A" else "A" for each in won[:n_wrong]]
    columns = {"x": tables.normal(n), "home": home.tolist(), "away": away.tolist(), "z": tables.normal(n, 2)}
    leaks = apply(propose(tables.table_of(**columns, won=won.tolist())), Choices("won")).leaks
    assert (leaks is not None and set(leaks.columns) == {"home", "away"}) == is_found


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ("aabbcc", ("part",)),  # words, as a continent
        ("aaabbb", None),  # two words may be measured
        ("112233", None),  # numbers, no more than half as many as classes
        ("112344", ("part",)),  # more
    ],
)
def test_a_column_that_is_the_same_in_all_rows_of_a_class_follows_from_it(values, found):
    n = 120
    kinds = ["uvwxyz"[(k * 7 + k // 11) % 6] for k in range(n)]
    part = [values["uvwxyz".index(kind)] for kind in kinds]
    part[3] = values[0]  # a slip
    columns = {"a": tables.normal(n), "part": part, "b": tables.normal(n, 1), "kind": kinds}
    leaks = apply(propose(tables.table_of(**columns)), Choices("kind")).leaks
    assert (leaks and leaks.columns) == found


def test_words_of_which_most_mark_a_class_are_a_leak():
    n = 150
    results = ("won", "won", "lost at chess", "won", "drawn", "lost on time")
    ours = [results[(k * 7 + k // 11) % 6] for k in range(n)]
    ends = {"won": ("resigned", "timeout"), "drawn": ("agreed", "repeated")}
    theirs = [ends.get(each, ("won", "won"))[k % 2] for k, each in enumerate(ours)]
    columns = {"a": tables.normal(n), "theirs": theirs, "b": tables.normal(n, 1), "ours": ours}
    leaks = apply(propose(tables.table_of(**columns)), Choices("ours")).leaks
    assert (leaks.columns, leaks.follow) == (("theirs",), False)
    loose = [word if k % 3 else "won" for k, word in enumerate(theirs)]  # fewer than half of the rows are marked
    assert apply(propose(tables.table_of(**columns | {"theirs": loose})), Choices("ours")).leaks is None


@pytest.mark.parametrize(("scale", "first"), [(0.37, "keep it"), (1.0, "leave it out")])
def test_a_measurement_of_classes_far_apart_is_kept_unless_a_person_says_otherwise(scale, first):
    rng = np.random.default_rng(3)
    y = np.arange(60) % 2
    far = (np.round(rng.normal(size=60) * 5) + 100 * y) * scale
    plan = apply(propose(table_of(rng.normal(size=(60, 3)), y, far=far if scale < 1 else far.astype(int))))
    (question,) = [question for question in plan.questions if question.key == "leaks"]
    assert question.answers[0].text == first
    assert question.blocking


ACTIVITIES = ("walks", "stands", "stands chewing", "lies", "lies chewing")


def boxes_of(activity, **boxes):
    """A table of boxes, ticked or blank, bool (n,), beside a measurement."""
    cells = {name: np.where(ticked, "x", "").tolist() for name, ticked in boxes.items()}
    return tables.table_of(speed=tables.normal(len(activity)), **cells, label=list(activity))


def test_boxes_whose_patterns_are_the_classes_are_found():
    codes = np.random.default_rng(3).integers(0, 5, 300)
    noise = {f"box{k}": np.random.default_rng(k).random(300) < 0.5 for k in range(3)}
    own = {"stands": np.isin(codes, (1, 2)), "lies": codes > 2, "chews": np.isin(codes, (2, 4))}
    found = apply(propose(boxes_of(np.array(ACTIVITIES)[codes], **noise, **own))).leaks
    assert (set(found.columns), found.together, found.share) == ({"stands", "lies", "chews"}, True, 1.0)
    walks = apply(propose(boxes_of(np.array(ACTIVITIES)[codes], **own, walks=codes == 0))).leaks
    assert set(walks.columns) == {"stands", "lies", "chews", "walks"}  # which marks a class, though the others tell it


@pytest.mark.parametrize("n_noise", [60, 210])
def test_three_flags_whose_number_is_the_label_are_found_behind_many_boxes(n_noise):
    """No two of them predict more rows than one, where the label is whether most are ticked."""
    rng = np.random.default_rng(3)
    flags = rng.random((300, 3)) < 0.5
    noise = {f"box{k}": rng.random(300) < 0.5 for k in range(n_noise)}
    most = np.array(["low", "high"])[(flags.sum(axis=1) > 1).astype(int)]
    found = apply(propose(boxes_of(most, **noise, **{f"flag {k}": flags[:, k] for k in range(3)}))).leaks
    assert (found and set(found.columns)) == ({"flag 0", "flag 1", "flag 2"} if n_noise < 200 else None)


def test_boxes_of_many_patterns_tell_kinds_as_legs_and_feathers_do_and_are_no_leak():
    ticked = np.random.default_rng(5).random((400, 5)) < 0.5
    kinds = np.where(ticked.any(axis=1), ticked.argmax(axis=1) % 3, 2)  # by the first box that is ticked
    table = boxes_of([f"kind {k}" for k in kinds], **{f"box{k}": ticked[:, k] for k in range(5)})
    assert apply(propose(table)).leaks is None


def test_measurements_that_are_1_in_the_rows_of_a_class_each_are_found():
    codes = np.random.default_rng(3).integers(0, 6, 480)
    rng = np.random.default_rng(4)
    near = {
        f"agreement with {k}": np.where(codes == k, 1.0 - 1e-12 * rng.random(480), rng.uniform(-0.9, 0.9, 480))
        for k in range(6)
    }
    table = tables.table_of(
        **{name: map(repr, cells.tolist()) for name, cells in near.items()},
        size=tables.normal(480),
        label=[f"c{code}" for code in codes],
    )
    found = apply(propose(table)).leaks
    assert (len(found.columns), found.together) == (6, True)


def test_a_copy_with_gaps_is_judged_by_the_rows_that_have_it():
    rng = np.random.default_rng(7)
    codes = rng.integers(0, 2, 400)
    score = [f"{10 * code + k % 7}" if k % 6 else "" for k, code in enumerate(codes)]
    table = tables.table_of(score=score, size=tables.normal(400), label=[f"c{code}" for code in codes])
    assert apply(propose(table)).leaks.columns == ("score",)


def test_words_of_few_rows_each_that_occur_in_one_class_only_are_a_leak_unless_that_could_be_chance():
    n = 160
    kinds = ["uvwxyz"[(k * 7 + k // 11) % 6] for k in range(n)]
    seen = dict.fromkeys(kinds, 0)
    people = []
    for kind in kinds:  # three rows each
        people.append(f"{kind.upper()}{chr(97 + seen[kind] // 3)}")
        seen[kind] += 1
    people[::3] = ["nobody"] * len(people[::3])
    columns = {"a": tables.normal(n), "who": people, "b": tables.normal(n, 1)}
    choices = Choices("kind", roles=(("who", "categories"),))
    leaks = apply(propose(tables.table_of(**columns, kind=kinds)), choices).leaks
    assert (leaks.columns, leaks.sentence) == (("who",), "'who' alone tells some of the classes.")
    pairs = [f"p{chr(97 + k // 2 % 26)}{chr(97 + k // 52)}" for k in range(n)]
    rare = ["vvww"[k] if k < 4 else "u" if k % 4 else "vw"[k % 8 > 0] for k in range(n)]  # most pairs are of one class
    assert apply(propose(tables.table_of(**columns | {"who": pairs}, kind=rare)), choices).leaks is None


@pytest.mark.parametrize(("n_classes", "found"), [(12, ("part",)), (13, None)])
def test_classes_of_few_rows_have_one_value_each_by_chance(n_classes, found):
    n = 60
    kinds = [f"k{chr(97 + k % n_classes)}" for k in range(n)]
    part = ["uvwxyz"[k % n_classes % 6] for k in range(n)]
    columns = {"a": tables.normal(n), "part": part, "b": tables.normal(n, 1), "kind": kinds}
    leaks = apply(propose(tables.table_of(**columns)), Choices("kind")).leaks
    assert (leaks and leaks.columns) == found


@pytest.mark.parametrize(
    ("n", "n_rows", "found"), [(8, 120, ("soil",)), (7, 120, None), (10, 200, ("soil",)), (9, 200, None)]
)
def test_a_small_class_may_be_marked_by_chance(n, n_rows, found):
    kinds = ["vw"[(k * 7 + k // 11) % 2] for k in range(n_rows)]
    kinds[:n] = ["u"] * n
    columns = {"a": tables.normal(n_rows), "soil": ["peat" if kind == "u" else "loam" for kind in kinds]}
    leaks = apply(propose(tables.table_of(**columns, b=tables.normal(n_rows, 1), kind=kinds)), Choices("kind")).leaks
    assert (leaks and leaks.columns) == found


@pytest.mark.parametrize(
    ("yes", "no", "first"), [("peat", "loam", "leave it out"), ("0", "1", "keep it"), ("0.5", "1.5", None)]
)
def test_a_cell_that_marks_one_class_of_several_is_a_leak(yes, no, first):
    n = 120
    kinds = ["uvw"[(k * 7 + k // 11) % 3] for k in range(n)]
    soil = [yes if kind == "u" else no for kind in kinds]
    columns = {"a": tables.normal(n), "soil": soil, "b": tables.normal(n, 1), "kind": kinds}
    plan = apply(propose(tables.table_of(**columns)), Choices("kind"))
    asked = [question.answers[0].text for question in plan.questions if question.key == "leaks"]
    assert asked == ([first] if first else [])


@pytest.mark.parametrize(("n_flags", "found"), [(3, True), (4, False)])
def test_many_numbers_that_mark_classes_are_measurements(n_flags, found):
    n = 120
    kinds = ["uvwxyz"[(k * 7 + k // 11) % 6] for k in range(n)]
    flags = {f"f{j}": [int(kind == "uvwx"[j]) for kind in kinds] for j in range(n_flags)}
    plan = apply(
        propose(tables.table_of(a=tables.normal(n), **flags, b=tables.normal(n, 1), kind=kinds)), Choices("kind")
    )
    assert (plan.leaks is not None) == found


@pytest.mark.parametrize(("n_measured", "found"), [(3, True), (4, False)])
def test_several_whole_numbers_that_tell_the_label_are_measurements_of_classes_far_apart(n_measured, found):
    rng = np.random.default_rng(0)
    y = np.arange(120) % 3
    X = {f"m{k}": (1000 * y + rng.integers(0, 300, size=120)).tolist() for k in range(n_measured)}
    columns = X | {"a": tables.normal(120), "kind": ["uvw"[k] for k in y]}
    assert (apply(propose(tables.table_of(**columns)), Choices("kind")).leaks is not None) == found


@pytest.mark.parametrize(("n_slips", "found"), [(7, ("code", "state")), (9, ("code",))])
def test_words_that_tell_nearly_as_much_go_with_a_leak(n_slips, found):
    n = 120
    y = [(k * 7 + k // 11) % 3 for k in range(n)]
    state = [f"state {k}" for k in y]
    state[:n_slips] = [f"state {(k + 1) % 3}" for k in y[:n_slips]]
    columns = {"a": tables.normal(n), "code": ["pqr"[k] for k in y], "state": state, "b": tables.normal(n, 1)}
    for k in (5, 50):  # else it would be a copy
        columns["code"][k] = "p" if y[k] else "q"
    leaks = apply(propose(tables.table_of(**columns, kind=["uvw"[k] for k in y])), Choices("kind")).leaks
    assert leaks.columns == found


def test_columns_that_follow_or_mark_classes_are_named_beside_others():
    n = 120
    kinds = ["uvw"[(k * 7 + k // 11) % 3] for k in range(n)]
    codes = [f"c{'uvw'.index(kind)}" for kind in kinds]
    codes[5:50:40] = ["c9"] * 2
    columns = {"a": tables.normal(n), "code": codes, "soil": ["peat" if kind == "u" else "loam" for kind in kinds]}
    plan = apply(propose(tables.table_of(**columns, b=tables.normal(n, 1), kind=kinds)), Choices("kind"))
    assert plan.leaks.columns == ("code", "soil")
    assert plan.leaks.sentence == (
        "'code' alone gives the label in 98\xa0% of rows. 'soil' alone tells some of the classes."
    )
    assert plan.questions[0].text.endswith("Leave them out, unless new rows will have them too?")
    only = apply(propose(tables.table_of(code=columns["code"], soil=columns["soil"], kind=kinds)), Choices("kind"))
    assert only.leaks.columns == ("code",)  # of both nothing would be left


@pytest.mark.parametrize(("n_others", "found"), [(20, ("quiz",)), (19, None)])
def test_a_single_error_among_few_rows_is_a_slip(n_others, found):
    users = [1] * (60 - n_others) + [0] * n_others
    quiz = [4 + k % 3 if user else 0 for k, user in enumerate(users)]
    quiz[3] = 0
    columns = {"a": tables.normal(60), "quiz": quiz, "b": tables.normal(60, 1), "user": users}
    leaks = apply(propose(tables.table_of(**columns)), Choices("user")).leaks
    assert (leaks and leaks.columns) == found


@pytest.mark.parametrize(("missing", "found"), [("impute", True), ("drop_columns", False)])
def test_a_column_that_goes_with_its_gaps_is_no_leak(missing, found):
    y = np.arange(80) % 2
    score = [f"{10 * k + j % 5}.5" if j % 9 else "" for j, k in enumerate(y.tolist())]
    columns = {"a": tables.normal(80), "b": tables.normal(80, 1), "score": score, "kind": ["uv"[k] for k in y]}
    plan = apply(propose(tables.table_of(**columns)), Choices("kind", missing=missing))
    assert (plan.leaks is not None) == found


@pytest.mark.parametrize(("n_wrong", "found"), [(30, True), (31, False)])
@pytest.mark.parametrize("words", ["ABC", "abc", "XYZ"])
def test_predictions_of_the_label_are_a_leak_though_some_are_wrong(n_wrong, found, words):
    n = 150
    kinds = [k % 3 for k in range(n)]
    guesses = [(kind + (k < n_wrong)) % 3 for k, kind in enumerate(kinds)]
    table = tables.table_of(
        a=tables.normal(n),
        guess=[words[k] for k in guesses],
        b=tables.normal(n, 1),
        label=["abc"[kind] for kind in kinds],
    )
    leaks = find_leaks(
        [column_of(table, name) for name in ("a", "guess", "b")],
        ("guess",),
        column_of(table, "label").levels.codes.astype(np.int64),
        column_of(table, "label"),
    )
    assert (leaks is not None and "guess" in leaks.columns) == (found and words != "XYZ")


@pytest.mark.parametrize(("noise", "found"), [(0.0, True), (0.02, True), (0.05, False)])
def test_numbers_linear_in_the_number_to_predict_are_a_leak(noise, found):
    rng = np.random.default_rng(0)
    dose = rng.normal(size=60)
    light = 3.0 - 2.0 * dose + 2.0 * noise * rng.normal(size=60)
    table = tables.table_of(a=tables.normal(60), light=light, b=tables.normal(60, 1), dose=dose)
    plan = apply(propose(table), Choices(label="dose"))
    assert (plan.leaks is not None and "light" in plan.leaks.columns) == found


@pytest.mark.parametrize(("n_gaps", "words"), [(6, "of rows."), (7, "of rows that have it.")])
def test_a_leak_with_many_gaps_is_said_to_be_one_of_the_rows_that_have_it(n_gaps, words):
    n = 120
    dose = ["" if k < n_gaps else f"{9 * (k % 2) + k / 131:.3f}" for k in range(n)]
    labels = ["xy"[k % 2] for k in range(n)]
    table = tables.table_of(a=tables.normal(n), dose=dose, b=tables.normal(n, 1), label=labels)
    y = column_of(table, "label").levels.codes.astype(np.int64)
    leaks = find_leaks([column_of(table, name) for name in ("a", "dose", "b")], (), y)
    assert leaks.sentence.startswith("'dose' alone gives the label in ")
    assert leaks.sentence.endswith(words)
    assert replace(leaks, columns=("a", "b")).sentence.endswith(words.replace("it", "them"))


@pytest.mark.parametrize(("n_more", "found"), [(56, True), (57, False)])
def test_of_more_measurements_than_rows_some_mark_small_classes_by_chance(n_more, found):
    n = 60
    labels = ["abcd"[k % 4] for k in range(n)]
    marks = {f"m{c}": [7 if label == c else 10 + k * 37 % 61 for k, label in enumerate(labels)] for c in "abcd"}
    more = {f"g{k}": tables.normal(n, k) for k in range(n_more)}
    table = tables.table_of(**marks, **more, label=labels)
    y = column_of(table, "label").levels.codes.astype(np.int64)
    leaks = find_leaks([column_of(table, name) for name in table.columns[:-1]], (), y)
    assert (leaks is not None and leaks.together) == found


@pytest.mark.parametrize(("n_groups", "n_more", "found"), [(12, 3, True), (9, 3, False), (12, 2, False)])
def test_what_is_the_same_in_each_group_goes_with_the_column_that_names_the_groups(n_groups, n_more, found):
    rng = np.random.default_rng(0)
    group = rng.integers(n_groups, size=240)
    y = (group * 7 % 5) % 2
    of_group = {f"mean {k}": rng.integers(0, 9, n_groups)[group] for k in range(n_more)}
    table = table_of(rng.normal(size=(240, 2)), y, school=[f"school {g}" for g in group], **of_group)
    leaks = apply(propose(table)).leaks
    assert ("mean 0" in leaks.columns, "mean 1" in leaks.columns) == (found, found)
    words = " 'mean 0', 'mean 1' and 'mean 2' are the same for all rows of one 'school'."
    assert leaks.sentence.endswith(words) == found


@pytest.mark.parametrize(("noise", "found"), [(0.0, True), (0.01, True), (0.3, False)])
def test_numbers_that_rise_with_the_number_to_predict_are_a_leak_however_many(noise, found):
    rng = np.random.default_rng(0)
    age = np.sort(rng.normal(size=120))
    depths = {f"depth {k}": np.exp((k + 1) * (age + noise * rng.normal(size=120))) for k in range(14)}
    table = tables.table_of(a=tables.normal(120), age=age, b=tables.normal(120, 1), **depths)
    leaks = apply(propose(table), Choices(label="age")).leaks
    assert (leaks is not None and set(depths) <= set(leaks.columns)) == found


@pytest.mark.parametrize(("noise", "found"), [(0.0, True), (0.01, True), (0.2, False)])
def test_two_columns_that_add_up_to_the_number_to_predict_are_a_leak(noise, found):
    rng = np.random.default_rng(0)
    bikes, empty = rng.normal(size=(2, 120))
    docks = bikes + 2 * empty + noise * rng.normal(size=120)
    table = tables.table_of(a=tables.normal(120, 5), bikes=bikes, empty=empty, docks=docks)
    plan = apply(propose(table), Choices(label="docks"))
    assert (plan.leaks is not None and plan.leaks.columns == ("bikes", "empty")) == found
    if found:
        assert "'bikes' and 'empty' together give the label in 9" in plan.leaks.sentence


def test_each_column_left_out_with_a_leak_has_its_own_reason():
    rng = np.random.default_rng(0)
    group = rng.integers(12, size=240)
    y = (group * 7 % 5) % 2
    of_group = {f"mean {k}": rng.integers(0, 9, 12)[group] for k in range(3)}
    table = table_of(rng.normal(size=(240, 2)), y, school=[f"school {g}" for g in group], **of_group)
    plan = apply(propose(table), Choices(leaks=(("label", True),)))
    assert ("school", "it gives the label away") in plan.columns.left_out
    assert ("mean 0", "it is the same for all rows of one school") in plan.columns.left_out


def test_what_begins_or_is_numbered_as_a_leak_goes_with_it():
    rng = np.random.default_rng(0)
    y = np.arange(300) % 2
    places = {f"places {k}": np.where(y == 1, rng.integers(1, 90, 300), 0) for k in (1, 2)}
    places["beds 1"] = np.where(y == 1, rng.integers(1, 90, 300), 0)  # alone of its series
    few = {
        f"{name} 3": np.where((y == 1) & (np.arange(300) % 7 == k), 5, 0)
        for k, name in enumerate(("places", "rooms", "beds"))
    }
    near = {
        f"{name} top": np.where(np.arange(300) % 25, 9 * y, 9 - 9 * y) + rng.normal(size=300)
        for name in ("places", "roof")
    }
    plan = apply(propose(table_of(rng.normal(size=(300, 2)), y, **places, **few, **near)))
    assert set(plan.leaks.columns) == {"places 1", "places 2", "beds 1", "places 3", "places top"}
    assert plan.leaks.sentence.endswith("'places 3' alone tells some of the classes.")


@pytest.mark.parametrize(("noise", "n_more", "found"), [(0.0, 0, True), (0.3, 0, False), (0.0, 9, False)])
def test_numbers_that_are_functions_of_one_count_once(noise, n_more, found):
    rng = np.random.default_rng(0)
    y = np.arange(120) % 2
    p = np.where(y == 1, rng.uniform(1e-6, 0.01, 120), rng.uniform(0.2, 0.9, 120))

    def near():
        return p * np.exp(noise * rng.normal(size=120))

    of_p = {"p": p, "log p": -np.log10(near()), "adjusted": np.round(near(), 3), "root": np.sqrt(near())}
    of_p |= {f"power {k}": near() ** (1 / k) for k in range(3, 3 + n_more)}  # as many as the channels of a spectrum
    table = tables.table_of(
        a=tables.normal(120), **of_p, b=tables.normal(120, 1), found=["yes" if k else "no" for k in y]
    )
    leaks = apply(propose(table), Choices("found")).leaks
    assert (leaks is not None and set(leaks.columns) == set(of_p)) == found


@pytest.mark.parametrize(
    ("length", "found", "first"),
    [
        (None, ("code", "kind"), "keep them"),  # nothing else would be left
        (0.7, ("kind",), "leave it out"),  # a measurement stays, though the classes lie apart in it
    ],
)
def test_words_that_give_the_label_away_are_named_where_no_other_column_tells_less(length, found, first):
    n = 120
    y = [(k * 7 + k // 11) % 3 for k in range(n)]
    kind = [f"{'pqr'[k]}{j % 2}" for j, k in enumerate(y)]
    first_column = (
        [100 * k + j % 5 for j, k in enumerate(y)]
        if length is None
        else [9 * k + length + j % 5 / 10 for j, k in enumerate(y)]
    )
    columns = {"code" if length is None else "length": first_column, "kind": kind}
    plan = apply(propose(tables.table_of(**columns, label=["uvw"[k] for k in y])), Choices("label"))
    assert plan.leaks.columns == found
    (question,) = [question for question in plan.questions if question.key == "leaks"]
    assert question.answers[0].text == first
    assert question.text.endswith("No other column is left. Keep them, or choose another label?") == (length is None)
    assert apply(plan.proposal, question.answers[0].choices).columns.features


def test_whole_numbers_that_all_tell_the_label_are_measurements_of_classes_far_apart():
    rng = np.random.default_rng(0)
    y = np.arange(120) % 3
    columns = {f"m{k}": (1000 * y + rng.integers(0, 300, size=120)).tolist() for k in range(2)}
    assert apply(propose(tables.table_of(**columns, label=["uvw"[k] for k in y])), Choices("label")).leaks is None


@pytest.mark.parametrize(("years", "found"), [("112344", ("fuel", "year")), ("112233", None)])
def test_two_words_that_follow_from_the_label_are_named_beside_others_that_do(years, found):
    n = 120
    cars = ["uvwxyz"[(k * 7 + k // 11) % 6] for k in range(n)]
    columns = {
        "a": tables.normal(n),
        "fuel": ["diesel" if car in "uvw" else "gas" for car in cars],
        "radio": ["yes" if k == 5 else "no" for k in range(n)],  # nearly the same in all rows
        "year": [years["uvwxyz".index(car)] for car in cars],
        "b": tables.normal(n, 1),
    }
    leaks = apply(propose(tables.table_of(**columns, car=cars)), Choices("car")).leaks
    assert (leaks and leaks.columns) == found
    if found:
        assert leaks.sentence.startswith("'fuel' and 'year' follow from the label")
        only = tables.table_of(fuel=columns["fuel"], year=columns["year"], car=cars)
        assert apply(propose(only), Choices("car")).leaks.columns == ("year",)


@pytest.mark.parametrize(("n_wrong", "found"), [(0, True), (1, True), (4, False)])
def test_a_list_of_answers_tells_each_of_them(n_wrong, found):
    rng = np.random.default_rng(0)
    ticked = rng.random((200, 9)) < 0.5
    ticked[:, 0] = np.arange(200) % 3 == 0
    needs = [
        " ".join(f"need_{c}" for c, is_ticked in zip("abcdefghi", row, strict=True) if is_ticked) for row in ticked
    ]
    assert len(set(needs)) > 140  # most are in one row only
    food = [int(is_ticked != (k < n_wrong)) for k, is_ticked in enumerate(ticked[:, 0])]
    columns = {"a": tables.normal(200), "needs": needs, "b": tables.normal(200, 1), "needs/food": food}
    choices = Choices("needs/food", roles=(("needs", "categories"),))
    leaks = apply(propose(tables.table_of(**columns)), choices).leaks
    assert (leaks is not None and leaks.columns == ("needs",)) == found


def test_words_of_a_name_tell_classes_unless_they_are_in_every_name():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 240)
    names = [f"{('oak', 'pine', 'elm')[k]} tree {rng.integers(0, 1000)}" for k in y]
    columns = {"a": tables.normal(240), "b": tables.normal(240, 1), "label": ["uvw"[k] for k in y]}
    choices = Choices("label", roles=(("name", "categories"),))
    assert apply(propose(tables.table_of(name=names, **columns)), choices).leaks.columns == ("name",)
    other = [name.replace("oak", "elm").replace("pine", "elm") for name in names]
    assert apply(propose(tables.table_of(name=other, **columns)), choices).leaks is None


@pytest.mark.parametrize(
    ("n_fees", "noise", "found"), [(15, 0.0, True), (15, 0.001, True), (15, 0.2, False), (14, 0.0, False)]
)
def test_the_amount_in_the_words_of_the_label_is_a_leak(n_fees, noise, found):
    """Most amounts are in one row or two; the few of a series of standards are told by many measurements."""
    rng = np.random.default_rng(0)
    fees = [0.5 + 3.5 * (k % n_fees) for k in range(25)]
    labels = [f"€{fee:g}M" if fee > 1 else f"€{1000 * fee:g}k" for fee in fees] + ["free"] * 15 + ["loan"] * 5
    exact = [round(1e6 * fee * (1 + noise * rng.normal())) for fee in fees] + [""] * 20
    table = tables.table_of(a=tables.normal(45), fee_value=exact, b=tables.normal(45, 1), fee=labels)
    leaks = apply(propose(table), Choices("fee")).leaks
    assert (leaks is not None and leaks.columns == ("fee_value",)) == found


@pytest.mark.parametrize(
    ("values", "n_others", "n_wrong", "found"),
    [
        ("pqr", 8, 0, True),
        ("pqr", 7, 0, False),  # by chance
        ("pqr", 8, 1, False),
        ("pqrst", 8, 0, False),  # fewer than five rows each
    ],
)
def test_words_of_few_kinds_give_the_label_away_in_small_tables_too(values, n_others, n_wrong, found):
    n, n_kinds = 20, len(values)
    y = [k < n_others for k in range(n)]
    kind = [values[0] if is_other else values[1 + k % (n_kinds - 1)] for k, is_other in enumerate(y)]
    kind[n - 1] = values[0] if n_wrong else kind[n - 1]
    apart = [10.5 * is_other + k / 7 for k, is_other in enumerate(y)]  # a measurement
    columns = {"a": tables.normal(n), "apart": apart, "kind": kind, "label": ["uv"[is_other] for is_other in y]}
    leaks = apply(propose(tables.table_of(**columns)), Choices("label")).leaks
    assert (leaks and leaks.columns) == (("kind",) if found else None)

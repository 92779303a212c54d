"""Tables in other shapes: samples in columns, classes as columns of 0 and 1, several labels, scales, opposites."""

import json
import sys

import numpy as np
import pytest

from datasets.columns import build_dataset
from datasets.columns.cells import ordered_levels
from datasets.proposals import Choices, apply, orientation_question, propose
from datasets.reading import Limits, ReadOptions, Table, read_table
from datasets.reading.samples import groups_in_names, samples_in_columns
from tests.datasets.proposals.tables import cycled, normal, table_of

N = 60


def expressions(names, n=90):
    """Genes in rows, each with a level of its own, as a tab-separated file."""
    rng = np.random.default_rng(0)
    X = rng.gamma(2, 100, n)[:, None] * rng.lognormal(0, 0.2, (n, len(names)))
    lines = ["\t".join([f"g{k}", *(f"{value:.2f}" for value in row)]) for k, row in enumerate(X)]
    return ("\t".join(["gene", *names]) + "\n" + "\n".join(lines)).encode(), X


def test_samples_in_columns_are_asked_about_and_transposed_in_one_press():
    names = [f"{kind}_{k}" for kind in ("tumour", "normal") for k in range(9)]
    data, X = expressions(names)
    question = orientation_question(apply(propose(read_table(data, "t.tsv"))), ReadOptions())
    assert "'gene' names the rows" in question.text
    options = question.answers[0].options
    plan = apply(propose(read_table(data, "t.tsv", options)))
    assert (plan.label.name, plan.label.sure) == ("group read from sample", False)
    assert orientation_question(plan, options) is None
    dataset = build_dataset(plan.table, plan.columns)
    np.testing.assert_allclose(dataset.X, X.T.round(2), atol=0.006)
    assert dataset.class_names == ("normal", "tumour")
    assert dataset.feature_names[0] == "g0"


def test_descriptions_of_features_beside_their_names_are_left_out_of_the_transposed_table():
    data, _ = expressions([f"{kind}_{k}" for kind in ("tumour", "normal") for k in range(9)])
    header, *rows = data.decode().splitlines()
    described = [
        f"{row.split(chr(9), 1)[0]}\t{7 if k == 5 else f'S{k % 80}'}\t{row.split(chr(9), 1)[1]}"
        for k, row in enumerate(rows)
    ]
    lines = [header.replace("gene", "gene\tsymbol"), *described]
    data = "\n".join(f"{line}\t{'taxonomy' if not k else f'k; p{k}'}" for k, line in enumerate(lines)).encode()
    question = orientation_question(apply(propose(read_table(data, "t.tsv"))), ReadOptions())
    table = read_table(data, "t.tsv", question.answers[0].options)
    assert (table.n_rows, table.columns[:2]) == (18, ("sample", "g0"))
    assert table.notes[-1] == "Columns were taken as rows, named by 'gene'. Left out beside these: symbol, taxonomy."


def test_samples_stand_behind_numbers_and_words_that_describe_features():
    data, X = expressions([f"{kind}_{k}" for kind in ("tumour", "normal") for k in range(9)])
    header, *rows = [line.split("\t", 1)[1] for line in data.decode().splitlines()]
    lines = [f"ion\tmass\tkind\tname\tkey\t{header}"]
    lines += [f"{k // 2}\t{k * 7.5}\t{'uv'[k % 2]}\tm{k}\tC{k % 50}\t{row}" for k, row in enumerate(rows)]
    data = "\n".join(lines).encode()
    question = orientation_question(apply(propose(read_table(data, "t.tsv"))), ReadOptions())
    assert "'name' names the rows" in question.text
    table = read_table(data, "t.tsv", question.answers[0].options)
    assert (table.n_rows, table.columns[:3]) == (18, ("sample", "m0", "m1"))
    assert table.notes[-1].endswith("named by 'name'. Left out beside these: ion, mass, kind, key.")
    np.testing.assert_allclose([float(cell) for cell in table.row(2)[1:-1]], X[:, 2].round(2), atol=0.006)


def test_words_among_samples_name_the_rows_only_where_the_first_column_holds_numbers():
    columns = ("ion", "a", "kind", "b")
    assert samples_in_columns(columns, (False, True, False, True), len, ()) == ("ion", 1, 4)
    assert samples_in_columns(columns, (True, True, False, True), len, ()) == ("kind", 3, 4)
    assert samples_in_columns(columns, (False,) * 4, len, ()) == ("ion", 1, 4)


def test_names_that_differ_in_letters_behind_their_numbers_are_groups():
    names = tuple(f"EC{k}{kind}" for k in range(1, 4) for kind in ("", "yuan"))
    ((title, groups),) = groups_in_names(names, "sample")
    assert (title, groups) == ("group read from sample", ["EC", "ECyuan"] * 3)
    assert groups_in_names([f"{kind}{k}x" for kind in "abc" for k in range(2)], "sample")[0][1] == [
        f"{kind}x" for kind in "aabbcc"
    ]
    assert groups_in_names([f"a{k}" for k in range(6)], "sample") == []
    genes = [f"Gly{k}g{k}x" for k in range(20)]
    assert len(groups_in_names([*genes, "Gly1s2x", "Gly3s4x"], "gene")) == 1
    assert groups_in_names([*genes, "Gly20g1x", "Gly1s2x", "Gly3s4x"], "gene") == []


GROUPS = ["Control"] * 9 + ["Case"] * 8 + ["Blank"]


@pytest.mark.parametrize(
    ("above", "below", "name"),
    [
        (None, ["Label", *GROUPS], "Label"),
        (["", *GROUPS], None, "group"),
        (["", "Control", *[""] * 8, "Case", *[""] * 7, "Blank"], None, "group"),  # merged cells
        (None, None, ""),
    ],
    ids=["below the names", "above them", "merged", "nowhere"],
)
def test_a_line_of_groups_beside_the_names_of_samples_becomes_their_label(above, below, name):
    header, *rows = expressions([f"P{(7 * k) % 18}" for k in range(18)])[0].decode().splitlines()
    lines = [*(["\t".join(above)] if above else []), header, *(["\t".join(below)] if below else []), *rows]
    data = "\n".join(lines).encode()
    question = orientation_question(apply(propose(read_table(data, "t.tsv"))), ReadOptions())
    table = read_table(data, "t.tsv", question.answers[0].options)
    assert table.n_rows == 18
    if name:
        assert table.columns[-1] == name
        assert table.column(name) == GROUPS
    else:
        assert table.columns[-1] == "g89"


@pytest.mark.parametrize(
    ("names", "groups"),
    [
        ("wt_1 wt_2 mut_1 mut_2", {"group read from sample": "wt wt mut mut"}),
        ("wt1 wt2 mut1 mut2", {"group read from sample": "wt wt mut mut"}),  # nothing between the parts
        (
            "7_wt_a 8_wt_b 7_mut_a 8_mut_b",
            {"part 1 read from sample": "wt wt mut mut", "part 2 read from sample": "a b a b"},
        ),
        ("s_1 s_2 s_3 s_4", {}),
        ("wt1_UMI wt2_UMI mut1_UMI mut2_UMI", {"group read from sample": "wt wt mut mut"}),
        ("1A 2A 1B 2B", {"group read from sample": "A A B B"}),
        ("K_1 K_2 s7_1 s7_2", {"group read from sample": "K K s7 s7"}),
        ("2D_1 2D_2 3D_1 3D_2", {"group read from sample": "2D 2D 3D 3D"}),
        ("F1_6 F1_12 M2_6 M2_12", {"part 1 read from sample": "F1 F1 M2 M2", "part 2 read from sample": "6 12 6 12"}),
        ("F1_k F2_k F1_m F2_m", {"part 1 read from sample": "F1 F2 F1 F2", "part 2 read from sample": "k k m m"}),
        ("Saliva Tongue Saliva Tongue", {"group read from sample": "Saliva Tongue Saliva Tongue"}),  # named again
        ("1_k 2_k a3_m a4_m", {"group read from sample": "k k m m"}),
        ("wt_k_1 wt_k_2 mut_m_1 mut_m_2", {"group read from sample": "wt wt mut mut"}),
        ("wt_a wt_b mut mut_c", {"group read from sample": "wt wt mut mut"}),  # parts that differ in number
        ("x.A.1 x.A.2. x.B.1 x.B.2", {"group read from sample": "A A B B"}),  # what ends a name
        ("wt_a wt_b mut_c not_d", {}),
    ],
)
def test_what_repeats_in_the_names_of_samples_are_groups(names, groups):
    header = ",".join(["gene", *names.split()])
    rows = [f"g{k}," + ",".join(str(j * k % 7) for j in range(4)) for k in range(8)]
    table = read_table("\n".join([header, *rows]).encode(), "t.csv", ReadOptions(transposed=True))
    assert {name: " ".join(table.column(name)) for name in table.columns[9:]} == groups


def test_a_survey_whose_only_numbers_are_the_answers_of_lists_is_not_asked_to_be_turned():
    fruits = ["apple", "pear", "plum", "fig", "kiwi", "lime", "nut"]
    liked = [
        ", ".join(fruit for j, fruit in enumerate(fruits) if (k * 7 + j * j) % 3 == 0 or j == k % 7) for k in range(60)
    ]
    rows = [f'r{k},{"abc"[k % 3]},"{liked[k]}"' for k in range(60)]
    plan = apply(propose(read_table("\n".join(["name,first,liked", *rows]).encode(), "t.csv")))
    assert len(plan.proposal.facts) > 8
    assert orientation_question(plan, ReadOptions()) is None


@pytest.mark.parametrize(("n_steps", "asked"), [(12, True), (11, False)])
def test_a_survey_with_a_number_of_the_answer_is_not_asked_to_be_turned(n_steps, asked):
    rows = [f"{900 + 7 * k}," + ",".join(str((k // 5 + j) % n_steps) for j in range(9)) for k in range(60)]
    data = "\n".join(["response id," + ",".join(f"q{j}" for j in range(9)), *rows]).encode()
    assert (orientation_question(apply(propose(read_table(data, "t.csv"))), ReadOptions()) is not None) == asked


@pytest.mark.parametrize(("orders", "asked"), [([0] * 6, True), ([0, 3, 1, 2, 0, 4], False)])
def test_measurements_in_unlike_units_are_no_samples(orders, asked):
    """One large lake differs from the others more than the columns do, but not in orders of magnitude."""
    rows = [
        ",".join([f"lake {k}", *(f"{(100_000 if k == 7 else 1) * (j + k + 2) * 10 ** orders[j]}" for j in range(6))])
        for k in range(40)
    ]
    data = "\n".join(["lake,age,depth,length,width,slope,area", *rows]).encode()
    question = orientation_question(apply(propose(read_table(data, "t.csv"))), ReadOptions())
    assert (question is not None) == asked


def test_animals_of_both_sexes_are_groups_and_so_are_their_sexes():
    names = [f"{sex}{animal}_{hour}" for sex in "FM" for animal in "12" for hour in (6, 12)]
    groups = dict(groups_in_names(names, "sample"))
    assert ["".join(dict.fromkeys(group)) for group in groups.values()] == ["FM", "F1F2M1M2", "612"]


def test_a_gene_of_few_counts_is_no_label_beside_groups_of_samples():
    table = "gene,wt_1,wt_2,wt_3,mut_1,mut_2,mut_3\n" + "\n".join(
        f"g{k}," + ",".join(str((j + k) * (1 if k else 5) % 7) for j in range(6)) for k in range(9)
    )
    plan = apply(propose(read_table(table.encode(), "t.csv", ReadOptions(transposed=True))))
    assert plan.label.name == "group read from sample"
    assert not plan.label.runners_up
    more = f"{table}\ndiagnosis,0,1,0,1,1,0\ntissue,root,leaf,root,leaf,root,leaf"
    plan = apply(propose(read_table(more.encode(), "t.csv", ReadOptions(transposed=True))))
    named = [candidate.name for candidate in plan.proposal.candidates]
    assert set(named) == {"diagnosis", "tissue", "group read from sample"}


def test_taxa_that_share_names_are_asked_about_where_the_names_of_samples_form_groups():
    names = [f"{k}.{'wt' if k % 2 else 'tg'}" for k in range(20)]
    level = [3 ** (k % 9) for k in range(90)]
    rows = [",".join([f"t{k % 45}", *(str(level[k] + (k * j) % 5) for j in range(20))]) for k in range(90)]
    table = read_table("\n".join([",".join(["taxon", *names]), *rows]).encode(), "t.csv")
    assert orientation_question(apply(propose(table)), ReadOptions()) is not None
    for first, length in (("MSTRG.", "Length,"), ("", ""), ("", "Length,")):
        head = ",".join(["gene", *([length[:-1]] if length else []), *names])
        many = [f"{first if k % 2 else first and 'ENS'}{k * 37 % 900}," for k in range(900)]
        rows_below = [
            name + (f"{k}," if length else "") + ",".join(str(3 ** (k % 9) + (k * j) % 5) for j in range(20))
            for k, name in enumerate(many)
        ]
        table = read_table("\n".join([head, *rows_below]).encode(), "t.csv")
        assert orientation_question(apply(propose(table)), ReadOptions()) is not None, first
        zeros = [row.zfill(len(row) + 6 - len(row.split(",")[0])) for row in rows_below]
        of_places = [[head.replace("gene", name), *rows_below] for name in ("area code", "FIPS")]
        for changed in (*of_places, [head, *zeros]):
            coded = read_table("\n".join(changed).encode(), "t.csv")
            assert (orientation_question(apply(propose(coded)), ReadOptions()) is None) == (not first)
    plain = ["taxon", *(f"{'abcdefghijklmnopqrst'[k]}x" for k in range(20))]
    table = read_table("\n".join([",".join(plain), *rows]).encode(), "t.csv")
    assert orientation_question(apply(propose(table)), ReadOptions()) is None
    two_kinds = [f"{'MSTRG' if k % 2 else 'ENS'}{k}," + ",".join(row.split(",")[1:]) for k, row in enumerate(rows * 10)]
    table = read_table("\n".join([",".join(plain), *two_kinds]).encode(), "t.csv")
    assert orientation_question(apply(propose(table)), ReadOptions()) is not None
    few = [",".join([f"t{k % 20}", *row.split(",")[1:]]) for k, row in enumerate(rows)]
    table = read_table("\n".join([",".join(["taxon", *names]), *few]).encode(), "t.csv")
    assert orientation_question(apply(propose(table)), ReadOptions()) is None


def test_statistics_beside_samples_are_no_samples():
    rows = [f"g{k},{'X' if k == 3 else k},{k}.5,{k}2,{k},2,3,4,0.0{k}" for k in range(8)]
    data = "\n".join(["gene,chr,log2FC,Unique.peptides,wt1,wt2,mut1,mut2,p.adj", *rows]).encode()
    table = read_table(data, "t.csv", ReadOptions(transposed=True))
    assert table.column("sample") == ["wt1", "wt2", "mut1", "mut2"]
    assert table.notes[-1].endswith("Left out beside these: chr, log2FC, Unique.peptides, p.adj.")


def test_numbered_rows_below_groups_of_columns_are_asked_about():
    rng = np.random.default_rng(0)
    X = rng.gamma(2, 100, 300)[:, None] * rng.lognormal(0, 0.2, (300, 8))
    rows = ["\t".join([str(k), *(f"{value:.2f}" for value in row)]) for k, row in enumerate(X, start=1)]

    def asked(names):
        data = "\n".join(["\t".join(["spot", *names]), *rows]).encode()
        return orientation_question(apply(propose(read_table(data, "t.tsv"))), ReadOptions())

    names = [f"{kind}_{word}" for kind in ("wt", "mut") for word in "abcd"]
    assert "'spot' names the rows" in asked(names).text
    assert asked("abcdefgh") is None
    del rows[100:]
    assert asked(names) is None  # too few rows


def test_names_of_genes_that_begin_alike_are_no_groups_of_samples():
    names = [f"{kind}_{word}" for kind in ("wt", "mut") for word in "abcd"]
    data, _ = expressions(names)
    for k in range(90):
        data = data.replace(f"\ng{k}\t".encode(), f"\nAT{k % 5}G0{k}\t".encode())
    assert (
        "'gene' names the rows" in orientation_question(apply(propose(read_table(data, "t.tsv"))), ReadOptions()).text
    )


def test_of_more_rows_than_can_become_columns_those_that_vary_most_do(monkeypatch):
    monkeypatch.setattr(sys.modules[orientation_question.__module__], "Limits", lambda: Limits(columns=61))
    data, X = expressions([f"s{k}" for k in range(12)])
    header, *rows = data.decode().replace(".", ",").splitlines()
    data = "\n".join([header, *rows, "kind" + "\ta\tb" * 6]).encode()
    question = orientation_question(apply(propose(read_table(expressions("abcdefgh")[0], "t.tsv"))), ReadOptions())
    assert "Of 90 rows the 60 that vary most" in question.text
    table = read_table(data, "t.tsv", question.answers[0].options, limits=Limits(columns=61))
    most = sorted(np.argsort(-X.round(2).var(axis=1))[:59])  # and the row of words
    assert table.columns == ("sample", *(f"g{k}" for k in most), "kind")
    assert table.notes[0] == "31 of 91 rows, those that vary least, were left out."


def test_rows_named_as_groups_of_samples_are_not_asked_about():
    data, _ = expressions([f"gene{name}" for name in "ABCDEFG"], n=8)
    names = ["wt1", "wt2", "wt3", "wt4", "mut1", "mut2", "mut3", "mut4"]
    for k, name in enumerate(names):
        data = data.replace(f"\ng{k}\t".encode(), f"\n{name}\t".encode())
    assert orientation_question(apply(propose(read_table(data, "t.tsv"))), ReadOptions()) is None


def test_features_in_columns_are_not_asked_about():
    columns = {f"x{k}": [str(10**k * float(cell)) for cell in normal(N, k)] for k in range(8)}
    names = [f"plant {k}" for k in range(N)]
    assert orientation_question(apply(propose(table_of(name=names, **columns))), ReadOptions()) is None


def one_hot(names, kinds):
    return {name: [str(int(kind == k)) for kind in kinds] for k, name in enumerate(names)}


@pytest.mark.parametrize(
    ("names", "title", "classes"),
    [
        (("fault_pits", "fault_dirt", "fault_bump"), "fault", ("bump", "dirt", "pits")),
        (("Pastry", "Dirt", "Stain"), "class", ("Dirt", "Pastry", "Stain")),
        (("x12", "x13", "x14"), "class", ("x12", "x13", "x14")),
    ],
)
@pytest.mark.parametrize("first", [False, True])
def test_a_class_given_as_columns_of_0_and_1_is_joined(names, title, classes, first):
    kinds = [k * k % 7 % 3 for k in range(N)]
    marks, others = one_hot(names, kinds), {"a": normal(N), "b": normal(N, 1), "lit": cycled("011", N)}
    plan = apply(propose(table_of(**(marks | others if first else others | marks))))
    assert (plan.label.name, plan.ready) == (title, True)
    assert plan.columns.features == ("a", "b", "lit")
    assert dict(plan.columns.left_out)[names[0]] == "it is a part of the label"
    dataset = build_dataset(plan.table, plan.columns)
    assert dataset.class_names == classes
    assert [names.index(names[k]) for k in kinds] == kinds
    assert [dataset.class_names[code] for code in dataset.y] == [names[k].removeprefix("fault_") for k in kinds]
    other = apply(plan.proposal, Choices(label="lit"))
    assert set(names) <= set(other.columns.features)
    assert (title, "it joins other columns") in other.columns.left_out


def test_marks_that_overlap_are_not_joined():
    table = table_of(a=normal(N), p=cycled("01", N), q=cycled("011", N), r=cycled("001", N))
    assert propose(table).table.columns == ("a", "p", "q", "r")


@pytest.mark.parametrize(("n_kinds", "n_twice", "is_joined"), [(5, 5, True), (5, 6, False), (4, 5, False)])
def test_rows_with_two_marks_have_no_class_where_nearly_all_have_one(n_kinds, n_twice, is_joined):
    kinds = [3 * k % n_kinds for k in range(100)]
    marks = one_hot([f"in {letter}" for letter in "pqrst"[:n_kinds]], kinds)
    for k in range(n_twice):
        marks["in p"][k], marks["in q"][k] = "1", "1"
    table = propose(table_of(a=normal(100), **marks)).table
    assert ("in" in table.columns) == is_joined
    if is_joined:
        assert table.column("in")[:8] == ["", "", "", "", "", "p", "s", "q"]


def test_of_several_labels_the_others_are_left_out():
    table = table_of(a=normal(N), b=normal(N, 1), Y1=cycled("uv", N), Y2=cycled("pqr", N))
    plan = apply(propose(table))
    assert [answer.text for answer in plan.questions[0].answers][:2] == ["Y2", "Y1"]
    chosen = apply(plan.proposal, Choices(label="Y1"))
    assert chosen.columns.left_out == (("Y2", "it is another label"),)


@pytest.mark.parametrize(
    ("levels", "order"),
    [
        (("often", "Never", "sometimes"), (1, 2, 0)),
        (("Agree", "Neither agree nor disagree", "Strongly disagree"), (2, 1, 0)),
        (("Somewhat agree", "Strongly agree", "Somewhat disagree"), (2, 0, 1)),
        (("Stimme voll und ganz zu", "teils/teils", "Stimme eher nicht zu"), (2, 1, 0)),
        (("D’accord", "Pas du tout d'accord", "Plutôt d’accord"), (1, 2, 0)),
        (("Spesso", "Quasi mai", "Mai", "Sempre"), (2, 1, 0, 3)),
        (("Concordo", "Discordo parcialmente", "Concordo totalmente"), (1, 0, 2)),
        (("иногда", "Всегда", "Почти никогда"), (2, 0, 1)),
        (("stimme zu", "trifft zu", "neutral"), ()),  # two words for one step
        (("26-35", "<18", "36+", "18-25"), (1, 3, 0, 2)),
        (("$100,000 - $149,999", "$0 - $24,999", "$25,000 - $49,999"), (1, 2, 0)),
        (("3M", "7Up", "5 Alive"), ()),
        (("yes", "no"), ()),
    ],
)
def test_answers_on_a_scale(levels, order):
    assert ordered_levels(levels) == tuple(levels[place] for place in order)


def test_answers_on_a_scale_become_one_ordered_column():
    answers = cycled(["never", "sometimes", "often", ""], N)
    plan = apply(propose(table_of(a=normal(N), visits=answers, kind=cycled("uvw", N))), Choices(label="kind"))
    assert plan.columns.ordered == ("visits",)
    dataset = build_dataset(plan.table, plan.columns)
    assert dataset.feature_names == ("a", "visits")
    steps = {"never": 1.0, "sometimes": 2.0, "often": 3.0}
    known = [k for k, answer in enumerate(answers) if answer]
    assert [dataset.X[k, 1] for k in known] == [steps[answers[k]] for k in known]
    assert "visits counts 3 steps: never < sometimes < often." in dataset.notes
    apart = apply(plan.proposal, Choices(label="kind").saying("roles", "visits", "categories"))
    assert apart.columns.categories == ("visits",)


def test_two_columns_that_are_each_others_opposite_count_once():
    male = cycled("01101", N)
    female = [str(1 - int(cell)) for cell in male]
    plan = apply(propose(table_of(male=male, a=normal(N), female=female, kind=cycled("uvw", N))))
    assert ("female", "it tells no more than male") in plan.columns.left_out
    assert "female" in apply(plan.proposal, Choices().saying("roles", "female", "number")).columns.features


def test_nested_records_are_flattened_three_levels_deep():
    records = [
        {"size": {"x": k, "y": {"z": 1, "w": {"v": {"u": 2}}}} if k else None, "label": "pq"[k % 2]} for k in range(9)
    ]
    for text in (json.dumps(records), "\n".join(map(json.dumps, records))):
        table = read_table(text.encode(), "t.json")
        assert table.columns == ("label", "size.x", "size.y.z")
        assert [table.row(k) for k in (0, 3)] == [("p", "", ""), ("q", "3", "1")]
        assert "Left out, as nested: size.y.w.v." in table.notes


def test_lists_of_plain_values_become_columns_or_one_cell():
    """Such as the coordinates of GeoJSON, an image, or several answers; in place, so that the last column stays so."""
    records = [
        {"at": [k, 2.5], "tags": ["u", "v"][: k % 3], "deep": [[k], [1]], "label": "pq"[k % 2]} for k in range(9)
    ]
    records[4]["at"] = None
    table = read_table(json.dumps(records).encode(), "t.json")
    assert table.columns == ("at 1", "at 2", "tags", "label")
    assert [table.row(k) for k in (3, 4, 5)] == [("3", "2.5", "", "q"), ("", "", "u", "p"), ("5", "2.5", "u | v", "q")]
    kinds = ("A column for each number of a list: at.", "Lists in one cell: tags.", "Left out, as nested: deep.")
    assert table.notes == kinds


def test_records_below_keys_beside_other_things():
    content = {"at": "2026-04-19", "items": {f"i{k}": {"z": k, "label": "pq"[k % 2]} for k in range(10)}}
    table = read_table(json.dumps(content).encode(), "t.json")
    assert (table.columns, table.n_rows, table.row(3)) == (("key", "z", "label"), 10, ("i3", "3", "q"))
    assert "Left out beside the records: at." in table.notes


def test_records_inside_one_record_of_many_do_not_drop_the_others():
    records = [{"size": k, "parts": [{"z": 1}] * (k == 3)} for k in range(9)]
    table = read_table(json.dumps(records).encode(), "t.json")
    assert (table.columns, table.n_rows) == (("size",), 9)
    assert (table.sheets, table.sheet) == (("outer records", "parts"), "outer records")


RNG = np.random.default_rng(5)


@pytest.mark.parametrize(
    ("cells", "left_out"),
    [
        (1_237_648_720_000_000_000 + RNG.integers(0, 10**12, N), True),  # object numbers
        (RNG.integers(4 * 10**15, 5 * 10**15, N), True),  # card numbers
        (RNG.permutation(90_000)[:N] + 10_000, True),  # drawn from one range
        ([f"${value}" for value in RNG.permutation(90_000)[:N] + 10_000], False),  # prices
        (np.r_[RNG.integers(1e8, 1.01e8, N // 2), RNG.integers(9e8, 9.01e8, N - N // 2)], True),  # of two offices
        (RNG.lognormal(10.5, 0.3, N).round(), False),  # wages
        (RNG.lognormal(12, 2, N).round(), False),  # inhabitants
        (RNG.integers(200, 900, N) * 100, False),  # round amounts
    ],
)
def test_numbers_that_only_identify_rows_are_left_out(cells, left_out):
    table = table_of(a=normal(N), number=cells, kind=cycled("uv", N))
    column = next(column for column in apply(propose(table)).planned if column.name == "number")
    assert (column.role == "left_out") == left_out
    assert ("like an identifier" in column.reason) == left_out


@pytest.mark.parametrize(
    ("name", "role"), [("number", "left_out"), ("Population 2018", "number"), ("total_sales", "number")]
)
def test_amounts_by_their_names_identify_no_rows(name, role):
    table = table_of(a=normal(N), **{name: RNG.integers(20_000_000, 90_000_000, N)}, kind=cycled("uv", N))
    assert next(column for column in apply(propose(table)).planned if column.name == name).role == role


def test_boxes_that_were_ticked_or_not_are_features():
    boxes = {f"role {k}": [str(k) if (j * j + j // 3) % 7 == k else "" for j in range(N)] for k in (1, 2, 4)}
    boxes = {"role 0": [""] * N, **boxes, "role 5": ["5", *[""] * (N - 1)]}
    boxes |= {"all 1": ["1"] * N, "all 2": ["1"] * N, "all 3": ["1"] * N}
    label = cycled("uv", N)
    plan = apply(propose(table_of(a=normal(N), **boxes, label=label)))
    assert plan.columns.categories == ("role 1", "role 2", "role 4")
    dataset = build_dataset(plan.table, plan.columns)
    k = dataset.feature_names.index("role 2 = 2")
    np.testing.assert_array_equal(dataset.X[:, k] > 0, [cell == "2" for cell in boxes["role 2"]])
    del boxes["role 1"]
    assert apply(propose(table_of(a=normal(N), **boxes, label=label))).columns.features == ("a",)


def test_groups_are_read_out_of_the_names_of_rows_where_no_column_is_a_label():
    names = [f"{group}{k}" for group in ("CK", "AMO", "BOS") for k in range(1, 7)]
    counts = {f"otu{j}": [str((7 * i + 3 * i * j) % 5 % 3) for i in range(18)] for j in range(12)}
    plan = apply(propose(table_of(sample=names, **counts)))
    assert (plan.label.name, plan.label.sure) == ("group read from sample", False)
    assert dict(plan.label.sizes) == {"CK": 6, "AMO": 6, "BOS": 6}
    assert "group read from sample" not in plan.columns.features
    other = apply(plan.proposal, Choices("otu3"))
    assert ("group read from sample", "it was read out of the names of the rows") in other.columns.left_out
    several = [f"rep{k}_{name}_{group}" for name in ("WT", "KO") for group in ("ctrl", "drug") for k in range(1, 6)]
    counted = {f"otu{j}": [str((7 * i + 3 * i * j) % 5 % 3) for i in range(20)] for j in range(12)}
    parts = apply(propose(table_of(sample=several, **counted)))
    answers = [answer.text for answer in parts.questions[0].answers]
    assert answers[:3] == [f"part {k} read from sample" for k in (2, 3, 1)]  # replicates last
    # With a column of words of its own, and without names that repeat, nothing is added.
    labelled = apply(propose(table_of(sample=names, **counts, diet=cycled(["fat", "lean"], 18))))
    assert labelled.label.name == "diet"
    assert "group read from sample" not in labelled.table.columns
    twice = apply(propose(table_of(sample=[*names[:9], *names[:9]], **counts)))
    assert "group read from sample" not in twice.table.columns
    times = [f"{k // 60:02d}:{k % 60:02d}:{k % 7:02d}" for k in range(18)]
    assert "group read from sample" not in apply(propose(table_of(sample=times, **counts))).table.columns


def test_one_of_many_columns_that_count_up_is_no_label():
    counts = {f"otu{j}": [str((7 * i + 3 * i * j) % 5 % 3) for i in range(18)] for j in range(12)}
    alone = apply(propose(table_of(**counts)))
    assert alone.label is None
    (question,) = [question for question in alone.questions if question.key == "label"]
    assert question.blocking
    named = apply(propose(table_of(**counts, group=cycled("12", 18))))
    assert named.label.name == "group"
    few = {name: counts[name] for name in list(counts)[:9]}
    assert apply(propose(table_of(**few))).label.name == "otu8"
    others = {name: normal(18) for name in ("age", "size", "depth", "width")}
    assert apply(propose(table_of(**others, **counts))).label.name.startswith("otu")
    unnamed = "\n".join("\t".join(row) for row in zip(*counts.values(), strict=True))
    assert apply(propose(read_table(unnamed.encode(), "t.tsv"))).label.name.startswith("column")


@pytest.mark.parametrize("mark", ["; ", ", ", ";"])
def test_each_answer_of_lists_is_a_column(mark):
    hobbies = ["sport", "music", "cards (poker, bridge)" if mark != ";" else "cards", "film"]
    chosen = [[hobby for j, hobby in enumerate(hobbies) if (k * k + 3 * k) % 13 >> j & 1] for k in range(N)]
    chosen[5] = ["flying"]
    columns = {"age": normal(N), "hobby": [mark.join(cell) for cell in chosen], "kind": cycled("uv", N)}
    plan = apply(propose(table_of(**columns)))
    dataset = build_dataset(plan.table, plan.columns)
    assert set(dataset.feature_names) == {"age", *(f"hobby: {hobby}" for hobby in hobbies)}
    for hobby in hobbies:
        told = dataset.X[:, dataset.feature_names.index(f"hobby: {hobby}")]
        np.testing.assert_array_equal(told, [hobby in cell for cell in chosen])
    assert (
        "'hobby' holds lists of answers: each of 4 is a column of 0 and 1, rarer ones and blank cells are 0."
        in dataset.notes
    )
    assert "1 cell of 'hobby' with rarer answers only counts as 0 (the first on line 7, 'flying')." in dataset.notes
    assert ("hobby", "it holds lists of answers, each of which is a column") in plan.columns.left_out
    assert not any(candidate.name.startswith("hobby:") for candidate in plan.proposal.candidates)
    other = {"age": columns["age"], "diet": cycled(["fat", "lean"], N), "hobby": columns["hobby"]}
    assert apply(propose(table_of(**other))).label.name == "diet"
    of_hobbies = apply(plan.proposal, Choices("hobby"))
    assert set(of_hobbies.columns.features) == {"age", "kind"}


@pytest.mark.parametrize(("n_rare", "are_columns"), [(2, True), (3, False)])
def test_three_in_ten_words_of_lists_from_json_are_frequent(n_rare, are_columns):
    """Words that lists have in common are columns, if they are not too few beside those of single rows."""
    often, letters = ("calm", "loud", "warm"), "abcdefghij"
    rare = [[f"{letters[j]}{letters[k // 10]}{letters[k % 10]}x" for j in range(n_rare)] for k in range(N)]
    words = [" | ".join([often[k % 3], *rare[k]]) for k in range(N)]
    names = apply(propose(table_of(a=normal(N), words=words, kind=cycled("uv", N)))).table.columns
    assert list(names[3:]) == [f"words: {word}" for word in often if are_columns]


def test_an_answer_that_holds_a_comma_is_one_answer():
    ways = ["By car", "By bus", "On foot, or by bike", "by car"]
    chosen = [", ".join(way for j, way in enumerate(ways) if (k * k + 3 * k) % 13 >> j & 1) for k in range(N)]
    names = apply(propose(table_of(a=normal(N), way=chosen, kind=cycled("uv", N)))).table.columns
    # Two spellings of a car are one answer.
    assert {name.lower() for name in names[3:]} == {"way: by car", "way: by bus", "way: on foot, or by bike"}
    assert len(names) == 6
    whole = cycled(["Yes", "No, never", "Yes, but seldom", "No", "Yes, but seldom", "Often", "Once"], N)
    assert apply(propose(table_of(a=normal(N), ill=whole, kind=cycled("uv", N)))).table.columns == ("a", "ill", "kind")


def test_answers_that_begin_alike_and_go_on_behind_a_comma_are_apart():
    why = ["Friends, whom I know", "Friends, met here", "Blogs", "News"]
    chosen = [", ".join(each for j, each in enumerate(why) if (k * k + 3 * k) % 13 >> j & 1) for k in range(N)]
    names = apply(propose(table_of(a=normal(N), why=chosen, kind=cycled("uv", N)))).table.columns
    assert set(names[3:]) == {f"why: {each}" for each in why}
    sites = ["a forum", "Blogs", "itch.io", "News"]
    ticked = [", ".join(each for j, each in enumerate(sites) if (k * k + 3 * k) % 13 >> j & 1) for k in range(N)]
    names = apply(propose(table_of(a=normal(N), site=ticked, kind=cycled("uv", N)))).table.columns
    assert set(names[3:]) == {f"site: {each}" for each in sites}  # each begins a list of its own
    by_hand = [", ".join(each.split()[-1] for each in cell.split(", ") if each).capitalize() for cell in chosen]
    names = apply(propose(table_of(a=normal(N), why=by_hand, kind=cycled("uv", N)))).table.columns
    assert {name.lower() for name in names[3:]} == {"why: friends", "why: know", "why: here", "why: blogs", "why: news"}


def test_pairs_of_numbers_are_two_columns():
    at = [f"{48 + k / 100}, {-2 - k / 50}" for k in range(N)]
    points = [f"POINT ({2 + k / 100} {48 + k / 50})" for k in range(N)]
    plan = apply(propose(table_of(at=["", *at[1:]], point=points, kind=cycled("uv", N))))
    assert plan.columns.features == ("at 1", "at 2", "point 1", "point 2")
    assert plan.table.column("at 2")[:2] == ["", "-2.02"]
    assert plan.table.column("point 1")[3] == "2.03"
    assert "'at', 'point' hold pairs of numbers: each number is a column." in plan.proposal.table.notes
    assert "range 1" not in apply(propose(table_of(a=at, range=["1-2"] * N, kind=cycled("uv", N)))).table.columns


def test_numbers_on_both_sides_of_a_stroke_are_two_columns_unless_they_could_be_dates():
    pressure = [f"{100 + k * k % 59}/{60 + k * k % 31}" for k in range(N)]
    plan = apply(propose(table_of(bp=pressure, kind=cycled("uv", N))))
    assert plan.columns.features == ("bp 1", "bp 2")
    days = [f"{1 + k % 12}/{1 + k % 28}" for k in range(N)]
    scores = [f"{k % 37} / 40" if k % 3 else "12/9" for k in range(N)]
    names = apply(propose(table_of(bp=days, score=scores, kind=cycled("uv", N)))).table.columns
    assert names == ("bp", "score", "kind", "score 1", "score 2")


@pytest.mark.parametrize(
    "cells",
    [
        cycled(["Austin, TX", "Dallas, TX", "Boise, ID", "Provo, UT", "Ogden, UT"], N),  # each town in one of them
        [f"{k % 4}; {k % 5}" if k % 3 else f"no {k % 2}" for k in range(N)],  # numbers
        [f"{k / 7 + 40:.3f}, {k / 9:.3f}" if k % 2 else f"at the river {k % 5}" for k in range(N)],  # some pairs only
        [f"word {k}, word {k + 1}" if k % 3 else "none of all" for k in range(N)],  # each once
        cycled(["yes", "Yes", "YES", "no", "No"], N),  # one answer each, in several spellings
        cycled(["alone", "single", "one, two"], N),  # no answer stands alone and in a list
        ["w1, w2" if k < 4 else f"w{k % 12}" for k in range(N)],  # hardly ever several
        [f"w{k % 3}, w{k % 4}, x{k}, y{k}" if k % 2 else f"w{k % 4}" for k in range(N)],  # mostly words of their own
    ],
)
def test_other_cells_with_commas_are_no_lists(cells):
    table = apply(propose(table_of(a=normal(N), text=cells, kind=cycled("uv", N)))).table
    assert table.columns == ("a", "text", "kind")


def test_a_column_whose_name_begins_like_the_label_is_no_part_of_it():
    columns = {"kind": cycled("uv", N), "kind: size": normal(N), "b": normal(N, 1)}
    assert apply(propose(table_of(**columns)), Choices("kind")).columns.features == ("kind: size", "b")


@pytest.mark.parametrize(("step", "asked"), [(1, False), (7, True)])
def test_numbers_of_rows_beside_classes_name_no_features(step, asked):
    n, names = 160, [f"{group}{k}" for group in "ABCD" for k in range(1, 6)]
    lines = [",".join(["", "stock", *names])]
    for k in range(n):
        lines.append(",".join([str(1 + step * k), "uv"[k % 2], *(f"{2.0 ** (k % 23) + j / 7:.3f}" for j in range(20))]))
    data = ("\n".join(lines) + "\n").encode()
    assert (orientation_question(apply(propose(read_table(data, "t.csv"))), ReadOptions()) is not None) == asked


def test_answers_of_lists_are_columns_though_the_question_is_none_for_most():
    cell = ["sport", "music, film", "film, sport, chess", "music, chess", "sport, music, film"]
    hobby = [cell[k % 5] if k % 6 == 0 else "does not apply" for k in range(N)]
    plan = apply(propose(table_of(age=normal(N), hobby=hobby, kind=cycled("uv", N))))
    names = build_dataset(plan.table, plan.columns).feature_names
    assert {"hobby: sport", "hobby: music", "hobby: film", "hobby: does not apply"} <= set(names)


def test_lines_in_cells_are_columns_where_all_have_as_many():
    """As of members, with name, group and country below each other."""
    members = [f"M{k} Surname\n{'uvw'[k * k % 3]}\n{('north', 'south')[k % 2]}" for k in range(N)]
    members[7] = "M7 alone"
    rows = [(f"{k * k % 17}.5", f"{k**3 % 13}.25", cell) for k, cell in enumerate(members)]
    plan = apply(propose(Table.from_rows("t.csv", ("a", "b", "member"), rows, range(N))))
    assert plan.label.name in ("member 2", "member 3")
    assert {"member 2", "member 3"} <= {plan.label.name, *(other.name for other in plan.label.runners_up)}
    assert plan.table.row(4)[3:] == ("M4 Surname", "v", "north")
    assert dict(plan.columns.left_out)["member"] == "it holds several lines, each of which is a column"
    assert "'member' holds 3 lines in each cell: each is a column." in plan.table.notes
    assert "1 cell of 'member' without 3 lines counts as missing (the first on line 7, 'M7 alone')." in plan.table.notes
    for last in ("and {}", "and so on"):  # of which none repeats, or all are one
        rows = [(f"{k * k % 17}.5", f"it {k}\n{last.format(k)}") for k in range(N)]
        assert propose(Table.from_rows("t.csv", ("a", "text"), rows, range(N))).table.columns == ("a", "text")


def test_an_identifier_at_the_end_is_no_number_to_predict():
    rows = {"town": cycled("nsew", N), "paid": normal(N), "supplier__id": [str(7919 * k % 997) for k in range(N)]}
    offered = apply(propose(table_of(**rows))).questions[0].answers
    assert [answer.text for answer in offered][:2] == ["town", "paid"]


@pytest.mark.parametrize(
    ("form", "ranks"),
    [
        ("k__Fungi; p__{}; c__C{}; o__", {"phylum", "class", "kingdom"}),
        ("D_0__Bacteria;D_1__{};D_2__C{}", {"phylum", "class", "domain"}),
        ("k__Bacteria|p__{}|c__C{}", {"phylum", "class", "kingdom"}),
        ("k__Fungi; p__{} C{}", set()),
    ],
)
def test_ranks_of_lineages_are_columns(form, ranks):
    lineages = [form.format("AB"[k % 2], k * k % 5) for k in range(N)]
    lineages[3] = "unassigned"
    otus = [f"x{chr(97 + k % 26)}{k}y" for k in range(N)]
    plan = apply(propose(table_of(otu=otus, a=normal(N), b=normal(N, 1), taxonomy=lineages)))
    assert {name.partition(": ")[2] for name in plan.table.columns if name.startswith("taxonomy: ")} == ranks
    if ranks:
        assert "taxonomy: phylum" in (plan.label.name, *(other.name for other in plan.label.runners_up))
        assert any("1 cell of 'taxonomy' without ranks counts as missing" in note for note in plan.table.notes)
        assert (plan.table.cell(3, "taxonomy: phylum"), plan.table.cell(4, "taxonomy: phylum")) == ("", "A")
        assert dict(plan.columns.left_out)["taxonomy"] == "it holds lineages, each rank of which is a column"

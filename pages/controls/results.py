"""Below the stage: accuracies, classifiers, spectra and weights; Compare's numbers, tests and differences."""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from datasets.base.errors import DataError
from datasets.base.words import counted, duration, percent
from export.statistics import FORMS, MIMES, Columns, encoded, pair_columns, split_rows, split_values
from nca_core.classifiers import CLASSIFIERS
from nca_core.snapshot import Snapshot
from pages.controls.long_work import start_button, watched
from pages.controls.recipe_widgets import chart, folded, kept_number, one_of_few, save_file, select_key
from pages.server import measurements
from pages.server.jobs import Job
from pages.server.workers import WORKERS
from pages.server.workspace import Workspace
from pages.views import figures, tables
from stage.plain_text import as_text
from study.compare import Comparison
from study.differences import agreement, cell_rows, changed_rows, common_neighbours, confusion, evaluated_rows
from study.features import PREPARATIONS, PREPARED
from study.inference import FEWEST_SPLITS, MARGIN, OVERLAP, share_of_plan
from study.learnt import weights_of_features
from study.measure import CHOSEN, Measurement, shared_k
from study.opening import open_test, opened_sentence, rows_key, scores_of
from study.panel import FEATURES
from study.panel_changes import without_names
from study.recipe import Recipe
from study.repetitions import Chance, Splits, repeat_permutations, repeat_splits

_WEIGHTS = {True: "per standard deviation", False: "per unit"}
_SPLITS, _EMBEDDINGS = "splits", "compare.repeat_embeddings"
_WIDTH, _WIDTH_WITH_ERROR = 92, 124  # pixels of a column, at least
_LETTER, _AROUND = 8, 20  # pixels of a letter of a title, and beside it
_THREE_DIGITS = st.column_config.NumberColumn(format="%.3f")
_HOW_OVER_SPLITS = (
    "Corrected resampled t-test of 1-NN accuracies, split by split (Nadeau and Bengio 2003). As splits share rows, "
    f"variances are multiplied by 1/J + {OVERLAP} n_test/n_train for J splits; the paper has 1 for {OVERLAP}."
)
_CHANCE = "chance"
_CONFUSION = "compare.confusion"
SELECT = "compare.select"  # (a growing number, rows): the rows to select on the stage


def accuracies(measured: Sequence[Measurement]) -> None:
    table = tables.accuracy_table(measured)
    columns = {name: _THREE_DIGITS for name in table.column_names if "-NN" in name}
    # Stays in sight on a narrow page.
    columns["Projection"] = st.column_config.TextColumn(pinned=True)
    st.dataframe(table, hide_index=True, column_config=columns, placeholder="–", key="explore.accuracies")
    show_moments(measured)


def show_moments(measured: Collection[Measurement]) -> None:
    """Name each training shown at an iteration before its last; several panels invite a choice among them."""
    for one in measured:
        if one.moment:
            st.caption(as_text(f"{one.title}: {one.moment}."))
    trained = any(one.iteration is not None for one in measured)
    if trained and sum(not math.isnan(one.held_out_1nn) for one in measured) > 1:
        st.caption("If you choose a panel or λ by these held-out rows, its accuracy on them is too good.")


def test_rows(space: Workspace, comparison: Comparison) -> None:
    """The button that opens the test rows, their accuracies, and how often they were opened."""
    test, own = comparison.prepared.test, space.document
    if test is None:
        return
    openings, key = space.first.document.openings, rows_key(comparison.recipe)

    def opened() -> None:
        shown = {panel.key: space.at(panel.key) for panel in comparison.panels}
        try:
            scores = open_test(comparison, shown, shared_k(comparison, shown))
        except DataError as error:
            st.toast(as_text(str(error)))
            return
        own.test_scores = comparison.recipe, scores
        openings[key] = openings.get(key, 0) + 1

    with st.container(horizontal=True, vertical_alignment="center", key="test_rows"):
        st.button("Open the test rows", key="explore.open_test", on_click=opened)
        st.caption(opened_sentence(openings.get(key, 0), bool(comparison.prepared.held_out.any())), width="stretch")
    for score in scores_of(comparison, own.test_scores):
        st.markdown(as_text(score.sentence))


@folded("More classifiers", "explore.rules")
def more_classifiers(space: Workspace, comparison: Comparison) -> None:
    if not comparison.prepared.held_out.any():
        st.caption("Hold out rows under Prepare: classifiers are compared on held-out rows.")
        return
    with st.spinner("Testing every classifier …"):
        measured = measurements.rules(space, comparison)
    table = tables.rules_table(measured)
    columns = {rule.title: st.column_config.Column(help=rule.description) for rule in CLASSIFIERS.values()}
    st.dataframe(table, hide_index=True, column_config=columns, placeholder="–", key="explore.rules_table")
    st.caption(tables.rules_caption(measured))
    for line in tables.rules_notes(measured):
        st.caption(as_text(line))


def spectra(space: Workspace, comparison: Comparison) -> None:
    """The spectrum of each trained metric; nothing where the trained matrix is the shown one."""
    found = [(panel, space.at(panel.key)) for panel in comparison.panels]
    shown = [(panel, at, at.spectrum) for panel, at in found if at is not None and at.spectrum is not None]
    if not shown:
        return
    for place, (panel, at, spectrum) in zip(st.columns(len(shown)), shown, strict=True):
        n_shown = len(at.transformation)
        with place:
            st.caption(as_text(figures.spectrum_sentence(panel.recipe.shown_title, spectrum, n_shown)))
            chart(figures.spectrum_figure(spectrum, n_shown), f"explore.spectrum.{panel.key}")


def weights_of_a(comparison: Comparison, key: str | None, snapshot: Snapshot | None) -> None:
    """The weights of the features; `snapshot` is the newest of the panel `key`, None before the first."""
    if snapshot is None or key is None:
        st.caption("Press Train or Step to see the rows of the trained A.")
        return
    ready, panel = comparison.prepared, comparison.panel(key).recipe
    if not panel.method.linear:
        st.caption(f"{panel.shown_title} is nonlinear: no feature has one weight everywhere.")
        return
    if panel.features != PREPARED:
        own = f"uses features of its own ({FEATURES.title(panel.features)}): weights are of the shared features only."
        kernel = "uses similarities to other rows: features have no weights."
        st.caption(f"{panel.shown_title} {own if panel.features in PREPARATIONS else kernel}")
        return
    about = "How far a point moves when a feature grows by one standard deviation, or by one unit."
    per_deviation = one_of_few("Weights", _WEIGHTS, "explore.weights", about)
    weights = weights_of_features(ready, snapshot.transformation, per_deviation)
    if ready.raw.image_shape is not None:
        figure = figures.transformation_images(weights, ready.raw.image_shape)
        words = "Each row of A weights the pixels: red adds, blue subtracts, light pixels hardly count."
    else:
        figure = figures.transformation_bars(weights, ready.raw.feature_names)
        words = "Each row of A weights the original features; the largest weights come first."
    chart(figure, "explore.features")
    st.caption(f"{as_text(panel.shown_title)}, iteration {snapshot.iteration}. {words}")


what_a_looks_at = folded("Which features matter", "explore.what_a_looks_at")(weights_of_a)


# -- Compare


def numbers(space: Workspace, comparison: Comparison) -> None:
    """The numbers of one split or over several, with the differences of all pairs, as tables and files."""
    recipe = without_names(comparison.recipe)
    placed = tuple(panel for panel in recipe.panels if panel.method.kind != "embedding")
    if placed and not st.session_state.get(_EMBEDDINGS):  # embeddings have no held-out number
        recipe = replace(recipe, panels=placed)
    job = space.document.jobs.find(_SPLITS, recipe)
    watched(job, partial(_table, space, comparison, job), "Splits", "compare.splits")
    _repeat(space, comparison, recipe, job)


def _table(space: Workspace, comparison: Comparison, job: Job | None) -> None:
    titles = {panel.key: panel.recipe.shown_title for panel in comparison.panels}
    splits: Splits | None = job.result if job is not None else None
    measured = {} if splits is not None else measurements.scores(space, comparison)
    if splits is None:
        table, width = tables.fair_table(titles, measured), _WIDTH
    else:
        draw = partial(tables.splits_table, titles, splits)
        table = space.document.cached("splits table", draw, splits, tuple(titles.items()))
        width = _WIDTH_WITH_ERROR
    # By position: the names have two levels.
    widths: Any = {
        k: st.column_config.Column(width=max(width, _AROUND + _LETTER * len(column.title.strip())))
        for k, column in enumerate(tables.COLUMNS.values())
    }
    name = "held_out_1nn" if splits is None or splits.n_test else "accuracy_1nn"
    family = measurements.one_split_family(space, comparison, measured) if splits is None else splits.family(name)
    if family:
        keys = dict.fromkeys(key for pair in family for key in pair)
        means = {key: measured[key].held_out_1nn if splits is None else splits.mean(key, name) for key in keys}
        when = "On these rows" if splits is None else f"Over {counted(splits.done, 'split')}"
        rows = "held-out rows" if name == "held_out_1nn" else "training rows"
        said = tables.result_sentence(titles, means, family, when, rows)
        if splits is not None and splits.wanted < FEWEST_SPLITS:
            said += f" Fewer than {FEWEST_SPLITS} splits give no verdict."
        elif splits is not None and splits.done < splits.wanted:
            said += f" Verdicts wait for the planned {splits.wanted} splits."
        st.markdown(as_text(said))
    st.dataframe(table, column_config=widths, placeholder="–", key="compare.numbers")
    if splits is None:
        waiting = [titles[panel.key] for panel in comparison.panels if panel.trains and panel.key not in measured]
        st.caption(
            "One split: other training rows may give another order. Repeat it to tell. "
            + (f"Not trained yet: {len(waiting)}. " if waiting else "")
            + "A dash: the method has no such number. Panels without a K̂ use that of the first training (K used)."
        )
        show_moments(measured.values())
        about, how, later = "1-NN accuracy on the same held-out rows.", "Exact McNemar test.", ""
    else:
        plan = f"{counted(splits.done, 'split')} of {splits.n_train:,} training and {splits.n_test:,} held-out rows"
        best = f" (its number is {CHOSEN})" if splits.n_test else ""
        about = f"{plan}. ± is a standard error. Bold: better than every other panel{best}."
        how, later = _HOW_OVER_SPLITS, f" and divided by {share_of_plan(splits.plan):g}, as more splits may follow"
    if family:
        limits = f"Low and high are 95 % limits of one pair; the margin is {100 * MARGIN:.0f} points."
        st.caption(f"**All pairs.** {about}", help=f"{how} p is corrected over the pairs (Holm){later}. {limits}")
        config = dict.fromkeys(("difference", "low", "high", "corrected p"), _THREE_DIGITS)
        frame = tables.differences_frame(titles, family)
        st.dataframe(frame, hide_index=True, column_config=config, placeholder="–", key="compare.differences")
    files: dict[str, Callable[[], Columns]] = {"numbers": partial(tables.numbers_columns, titles, measured, splits)}
    if family:
        files["differences of all pairs"] = partial(pair_columns, titles, family)
    if splits is not None:
        files["values of each split"] = partial(split_values, titles, splits)
        files["held-out rows of each split"] = partial(split_rows, splits, comparison.dataset)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        what = select_key("Table", {name: name for name in files}, "compare.file")
        form = one_of_few("As", FORMS, "compare.form")
        name, columns = f"comparison-{what.replace(' ', '-')}.{form}", files[what]
        save_file("Download", lambda: encoded(columns(), form), name, MIMES[form], "compare.download")


def _repeat(space: Workspace, comparison: Comparison, recipe: Recipe, job: Job | None) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        about = "Each split holds out other rows and refits everything. More splits after a verdict need more proof."
        many = kept_number("Splits", 2, 100, 20, "compare.n_splits", width=140, help=about)
        before: Splits | None = job.result if job is not None else None
        again = before is not None and before.done == before.wanted != many
        plan = (1 if before is None else before.plan) + again
        work = partial(repeat_splits, recipe, comparison.dataset, many, spread=WORKERS.spread, plan=plan)
        start_button("Repeat over splits", "compare.repeat", space, _SPLITS, recipe, work)
        embeddings = [p.recipe.shown_title for p in comparison.panels if p.recipe.method.kind == "embedding"]
        if 0 < len(embeddings) < len(comparison.panels):
            st.toggle(f"Also {as_text(', '.join(embeddings))}", key=_EMBEDDINGS, persist_state="session")
    measured = measurements.scores(space, comparison)
    known = [measured[panel.key].seconds for panel in recipe.panels if panel.key in measured]
    total, untrained = many * sum(known), len(recipe.panels) - len(known)
    seconds = duration(total) if total >= 1 else "a second"
    more = f", and the training of {counted(untrained, 'panel')} not trained yet" if untrained else ""
    st.caption(f"{many} splits of {counted(len(recipe.panels), 'panel')}: about {seconds} of computing{more}.")


def against_chance(space: Workspace, comparison: Comparison) -> None:
    titles = {p.key: p.recipe.shown_title for p in comparison.panels if not p.problem and p.recipe.labels != "none"}
    if not titles:
        st.caption("No panel here uses labels.")
        return
    trained = [panel.key for panel in comparison.panels if panel.trains and panel.key in titles]
    tested = space.document.jobs.panel(_CHANCE)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = tested if tested in titles else next(iter([*trained, *titles]))
        key = select_key("Panel", titles, "compare.chance_of", first)
        about = "How often the labels are shuffled and the method is trained on them."
        many = kept_number("Permutations", 79, 1_999, 199, "compare.n_permutations", step=20, width=160, help=about)
        of = without_names(comparison.recipe), key
        work = partial(repeat_permutations, comparison.recipe, comparison.dataset, key, many, spread=WORKERS.spread)
        job = start_button("Test against shuffled labels", "compare.test", space, _CHANCE, of, work)
    watched(job, partial(_test_result, job), "Permutations", "compare.chance")


def _test_result(job: Job | None) -> None:
    if job is None:
        st.caption("Would the method do as well with shuffled labels? Run the test to find out.")
    elif job.result is not None:
        found: Chance = job.result
        st.markdown(f"{'✓' if found.better else '⚠'} {as_text(found.sentence)}")
        if found.of_own_rows:
            st.caption(found.of_own_rows)
        chart(figures.chance_figure(found), "compare.chance_figure")


def differences(space: Workspace, comparison: Comparison) -> None:
    """Where the panels differ: each training at the iteration on the stage, or at its start."""
    panels = {panel.key: panel.recipe.shown_title for panel in comparison.panels if not panel.problem}
    if not panels:
        st.caption("There is no panel to compare.")
        return
    if len(panels) > 1:
        _neighbours(space, comparison, panels)
    predicted = {key: measurements.predicted_rows(space, comparison, key) for key in panels}
    left, right = st.columns(2)
    with left:
        _confusion(comparison, panels, predicted)
    if len(panels) > 1:
        ready = comparison.prepared
        with right:
            st.markdown("**Agreement**", help="The share of rows that two panels give the same class.")
            st.caption(f"{int(ready.train.sum()):,} training rows and {int(ready.held_out.sum()):,} held-out rows.")
            frame = tables.agreement_frame(agreement(predicted), list(panels.values()))
            st.dataframe(frame, column_config=dict.fromkeys(frame.columns, _THREE_DIGITS), key="compare.agreement")


def _select_rows(rows: np.ndarray) -> None:
    """Select these rows on the stage at the next rerun."""
    number = st.session_state.get(SELECT, (0, ()))[0] + 1
    st.session_state[SELECT] = number, tuple(rows.tolist())


def _neighbours(space: Workspace, comparison: Comparison, panels: dict[str, str]) -> None:
    st.markdown("**Rows whose neighbours change most**")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = select_key("From", panels, "compare.from_panel")
        second = select_key("to", panels, "compare.to_panel", list(panels)[-1])
        k = kept_number("Neighbours", 1, 100, 10, "compare.k", width=130)
        Y, other = (comparison.panel(key).projected(space.at(key)) for key in (first, second))
        common = common_neighbours(Y, other, k)
        rows = changed_rows(common)
        label, select = f"Select these {len(rows)} on the stage", partial(_select_rows, rows)
        st.button(label, key="compare.select_changed", disabled=not len(rows), on_click=select)
    names = f"{as_text(panels[first])} and {as_text(panels[second])}"
    st.caption(f"{names} have {percent(np.mean(common))} of the {k} nearest neighbours in common, on average.")
    frame = tables.changed_frame(comparison.prepared.raw, common, rows)
    config = {"neighbours in common": st.column_config.NumberColumn(format="%.2f")}
    st.dataframe(frame, hide_index=True, height=220, column_config=config, key="compare.changed")


def _confusion(comparison: Comparison, panels: dict[str, str], predicted: dict[str, np.ndarray]) -> None:
    key = select_key("Confusion of", panels, "compare.confusion_of", list(panels)[-1])
    evaluated = evaluated_rows(comparison, predicted[key])
    frame = tables.confusion_frame(confusion(comparison, key, predicted[key]), comparison.prepared.dataset.class_names)

    def pressed() -> None:
        if cells := st.session_state[_CONFUSION].selection.cells:
            row, column = cells[0]
            _select_rows(cell_rows(comparison, key, predicted[key], int(row), list(frame.columns).index(column)))

    st.dataframe(frame, key=_CONFUSION, on_select=pressed, selection_mode="single-cell")
    rows = "held-out rows" if comparison.prepared.held_out[evaluated].any() else "training rows, leave-one-out"
    if comparison.panel(key).recipe.labels == "shuffled":
        rows += ", with the shuffled labels of this panel"
    st.caption(f"By the nearest neighbour, {len(evaluated):,} {rows}. Press a cell to select its rows on the stage.")

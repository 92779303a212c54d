"""The tables and figures below the stage: accuracies, classifiers, spectra and feature weights."""

import math
from collections.abc import Collection, Sequence

import streamlit as st

from datasets.base.errors import DataError
from nca_core.classifiers import CLASSIFIERS
from nca_core.snapshot import Snapshot
from pages.controls.recipe_widgets import chart, folded, one_of_few
from pages.server import measurements
from pages.server.workspace import Workspace
from pages.views.tables import accuracy_table, rules_caption, rules_notes, rules_table
from stage.plain_text import as_text
from study.compare import Comparison
from study.features import PREPARATIONS, PREPARED
from study.learnt import weights_of_features
from study.measure import Measurement, shared_k
from study.opening import open_test, opened_sentence, rows_key, scores_of
from study.panel import FEATURES


def accuracies(measured: Sequence[Measurement]) -> None:
    table = accuracy_table(measured)
    columns = {name: st.column_config.NumberColumn(format="%.3f") for name in table.column_names if "-NN" in name}
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
    table = rules_table(measured)
    columns = {rule.title: st.column_config.Column(help=rule.description) for rule in CLASSIFIERS.values()}
    st.dataframe(table, hide_index=True, column_config=columns, placeholder="–", key="explore.rules_table")
    st.caption(rules_caption(measured))
    for line in rules_notes(measured):
        st.caption(as_text(line))


def spectra(space: Workspace, comparison: Comparison) -> None:
    """The spectrum of each trained metric; nothing where the trained matrix is the shown one."""
    found = [(panel, space.at(panel.key)) for panel in comparison.panels]
    shown = [(panel, at, at.spectrum) for panel, at in found if at is not None and at.spectrum is not None]
    if not shown:
        return
    # Plotly takes long to import.
    from pages.views.figures import spectrum_figure, spectrum_sentence

    for place, (panel, at, spectrum) in zip(st.columns(len(shown)), shown, strict=True):
        n_shown = len(at.transformation)
        with place:
            st.caption(as_text(spectrum_sentence(panel.recipe.shown_title, spectrum, n_shown)))
            chart(spectrum_figure(spectrum, n_shown), f"explore.spectrum.{panel.key}")


_WEIGHTS = {True: "per standard deviation", False: "per unit"}


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
        why = "uses similarities to other rows: features have no weights."
        if panel.features in PREPARATIONS:
            why = (
                f"uses features of its own ({FEATURES.title(panel.features)}): weights are of the shared features only."
            )
        st.caption(f"{panel.shown_title} {why}")
        return
    # Plotly takes long to import.
    from pages.views.figures import transformation_bars, transformation_images

    about = "How far a point moves when a feature grows by one standard deviation, or by one unit."
    weights = weights_of_features(
        ready, snapshot.transformation, one_of_few("Weights", _WEIGHTS, "explore.weights", about)
    )
    if ready.raw.image_shape is not None:
        figure = transformation_images(weights, ready.raw.image_shape)
        words = "Each row of A weights the pixels: red adds, blue subtracts, light pixels hardly count."
    else:
        figure = transformation_bars(weights, ready.raw.feature_names)
        words = "Each row of A weights the original features; the largest weights come first."
    chart(figure, "explore.features")
    st.caption(f"{as_text(panel.shown_title)}, iteration {snapshot.iteration}. {words}")


what_a_looks_at = folded("Which features matter", "explore.what_a_looks_at")(weights_of_a)

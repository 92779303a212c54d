"""Above the stage: the data, the buttons of the trainings, and their results so far."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from datasets.base.words import percent
from pages.controls.long_work import POLL
from pages.controls.recipe_widgets import bind, change, change_panel, select_box
from pages.controls.shell import show_error, view_buttons
from pages.server import trainings
from pages.server.data import chosen_dataset, why_not_train
from pages.server.embeddings import embedding_jobs, try_again
from pages.server.measurements import one_split_family, predicted_rows
from pages.server.saver import SAVER
from pages.server.session import take_over, trained_elsewhere, training_requested
from pages.server.workspace import Workspace
from pages.views.notes import data_line, preparation_steps
from stage import wording
from stage.plain_text import as_text
from stage.streamlit_host import held_snapshots
from study import verdict
from study.compare import Comparison
from study.measure import Measurement
from study.recipe import PACES

_SHARED = "explore.shared"  # the workspace that a link to a trained picture opened
_AHEAD = "Ahead or behind: McNemar's exact test on the same held-out rows, corrected over all pairs (Holm)."
_PENALTY, _USUAL_PENALTY = "regularisation", 0.1


def show_comparison(space: Workspace, dataset: Dataset | None, steps: DeltaGenerator, stage: str) -> Comparison:
    """Put the data set on the stage, with a heading and the buttons; stops the page where the data do not allow it.

    `steps` is the place in the sidebar for the preparation in one line, `stage` the key of `live_stage`, which may
    hold an earlier iteration.
    """
    if dataset is None:
        where = "the field above it" if space.first is space else "Explore or Data"
        st.info(f"Choose a data set on the left, or drop a table on {where}.")
        st.stop()
    try:
        comparison = put_on_stage(space, dataset)
    except (DataError, ValueError) as error:
        show_error(error)
        st.stop()
    with steps:
        ready = comparison.prepared
        st.caption(as_text(preparation_steps(ready)), help=as_text(" ".join(step.sentence for step in ready.steps)))
    with st.container(horizontal=True, vertical_alignment="center", key="explore.heading"):
        line = data_line(comparison.prepared, comparison.dataset.n_samples)
        st.markdown(f"**NCA Explorer**: {as_text(line)}", width="stretch")
        view_buttons()
    save_warning()
    if training_requested() and not space.runs and not why_not_train(space):  # by a link
        if space.document.recipe.pace == "auto":
            st.session_state[_SHARED] = space.token
        else:
            trainings.train(space, dataset)
    transport(space)
    if offers_training(space):
        _offer_both(space)
    if (other := trained_elsewhere(space)) is not None:
        with st.container(horizontal=True, vertical_alignment="center", key="recipe.another_tab"):
            st.caption("Already training in another tab.", width="content")
            about = "Moves the training and its settings to this tab."
            st.button("Bring it here", key="recipe.bring_here", on_click=take_over, args=(other,), help=about)
    comparison = trainings.show(space, dataset)
    space.held = held_snapshots(space, stage)
    return comparison


def put_on_stage(space: Workspace, dataset: Dataset) -> Comparison:
    """As `trainings.show`, with the trainings saved before a restart of the server; a toast names them."""
    own = space.document
    with space.restoring:  # a page may run twice at once
        comparison = trainings.show(space, dataset)
        if words := trainings.restore_runs(space, comparison):
            own.notice = f"{words} {own.notice}".rstrip()
            comparison = trainings.show(space, dataset)
    if own.notice:
        st.toast(as_text(own.notice), duration="long")
        own.notice = ""
    return comparison


def save_warning() -> None:
    if SAVER.problem:
        st.caption(as_text(f"⚠ This server cannot save your work ({SAVER.problem}): a restart would lose it."))


def transport(space: Workspace, emphasise_train: bool = True) -> None:
    """The buttons of all trainings; without tooltips, which would cover what is above."""
    waits, trains = why_not_train(space), can_train(space)
    states = {held.run.state for held in space.runs.values()}
    paused = "paused" in states and not states & {"running", "waiting"}

    def press(label: str, key: str, shortcut: str, disabled: bool, act: Callable[[], None], **look: Any) -> None:
        st.button(label, key=f"explore.{key}", shortcut=shortcut, disabled=disabled, on_click=act, **look)

    def put_pace(chosen: str) -> None:
        change(space, lambda now: replace(now, pace=chosen))
        trainings.apply_pace(space)  # of the current trainings

    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="explore.transport"):
        kind = "primary" if emphasise_train else "secondary"
        press("Train", "train", "t", not trains, partial(_begin, space, trainings.train), type=kind, icon="▶")
        hold = partial(trainings.resume if paused else trainings.pause, space)
        press("Resume" if paused else "Pause", "pause", "p", not states - {"ended", "ready"}, hold)
        over = states == {"ended"} and not trainings.differs(space)  # a step would begin anew and lose it
        press("Step", "step", "s", not trains or over, partial(_begin, space, trainings.step))
        press("Reset", "reset", "x", not space.runs, partial(trainings.reset, space))
        if trains:
            bound = bind("explore.pace", trainings.pace_now(space), put_pace, "value")
            select_box("Pace", wording.PACES, label_visibility="collapsed", width=118, **bound)
        if space.first is space:
            _keep_button(space)
        if waits:
            st.caption(as_text(waits), width="stretch")
        elif not trains:
            st.caption("No panel here trains: add NCA.", width="stretch")


def can_train(space: Workspace) -> bool:
    """Whether Train does something: the data are ready and a panel trains."""
    comparison = space.document.comparison
    return not why_not_train(space) and comparison is not None and any(panel.trains for panel in comparison.panels)


def _begin(space: Workspace, begin: Callable[[Workspace, Dataset], None]) -> None:
    """Train or step with the current data and settings; the page says why where that is impossible."""
    if not why_not_train(space):
        with suppress(DataError, ValueError):
            begin(space, chosen_dataset(space))


def _keep_button(space: Workspace) -> None:
    def keep() -> None:
        try:
            there = "" if trainings.keep_on_compare(space) else " Undo there restores what it showed before."
            st.toast(f"Kept on Compare.{there}")
        except ValueError as error:
            st.toast(str(error))

    label = "Keep this run" if len(space.runs) < 2 else "Keep these runs"
    about = "Copies this run to Compare, where it stays while you train again here."
    st.button(label, key="explore.keep", disabled=not space.runs, on_click=keep, help=about)


def embeddings(space: Workspace) -> None:
    """A line for each embedding that is being computed, a button for each that failed."""
    comparison = space.document.comparison
    for panel in comparison.panels if comparison is not None else ():
        if panel.broken_off:
            label = f"Try {as_text(panel.recipe.shown_title)} again"
            st.button(label, key=f"embeddings.again.{panel.key}", on_click=try_again, args=(space.document, panel))
    waited = bool(embedding_jobs(space.document))

    def lines() -> None:
        jobs = embedding_jobs(space.document)
        if waited and any(job.fitted is not None for job in jobs):
            st.rerun()
        for job in jobs:
            title = as_text(job.panel.recipe.shown_title)
            st.caption(f"Computing {title}: {job.seconds:.0f} s. Remove its panel to stop.")

    st.fragment(lines, run_every=POLL if waited else None)()


def first_lines(space: Workspace, comparison: Comparison, measurements: Sequence[Measurement]) -> None:
    """What to press before anything trains; then a sentence for each training that has ended."""
    with st.container(key="explore.verdict"):  # of fixed height, so that nothing moves
        if space.document.ended_by_change and not space.runs:
            st.caption("Data or dimensions changed, so the training ended. *Undo* in the sidebar brings it back.")
        elif trainings.differs(space):
            some = "Some panels were trained with other settings. Train restarts all, ▶ on a card restarts one."
            st.caption("The settings have changed: press Train to use them." if space.first is space else some)
        else:
            _verdicts(space, comparison, measurements)


def offers_training(space: Workspace) -> bool:
    """Whether to offer the trained picture or the training of the link that opened the page."""
    return st.session_state.get(_SHARED) == space.token and not space.runs


def _offer_both(space: Workspace) -> None:
    """Of a link to a trained picture: the end of the training, or the training."""
    watch = partial(_begin, space, trainings.train)

    def skip() -> None:
        watch()
        for held in space.runs.values():
            held.run.min_interval = PACES["full_speed"]

    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.caption("This link was shared with a trained picture.")
        st.button("Show it trained", key="explore.shared_end", on_click=skip)
        st.button("Watch it train", key="explore.shared_start", on_click=watch)


def _verdicts(space: Workspace, comparison: Comparison, measurements: Sequence[Measurement]) -> None:
    at_rest = [one for one in measurements if one.iteration and space.runs[one.key].run.state in ("ended", "paused")]
    if not at_rest:
        hollow = wording.HOLLOW_POINTS if comparison.prepared.held_out.any() else ""
        press = wording.BEFORE_TRAINING if can_train(space) else ""
        st.caption(" ".join(filter(None, (hollow,) if space.runs else (wording.WHAT_IT_IS, press, hollow))))
        return

    solved = [one for one in measurements if one.iteration is None]

    def judged() -> tuple[list[tuple[verdict.Verdict, verdict.Standing]], str]:  # takes as long as the rest of the page
        predicted = {one.key: predicted_rows(space, comparison, one.key) for one in (*at_rest, *solved)}
        tables = {key: verdict.held_out_confusion(comparison, key, rows) for key, rows in predicted.items()}
        split = comparison.recipe.preparation
        group = split.split_column if split.split == "group" else ""
        words = verdict.held_out_words(comparison.prepared)
        found = verdict.verdicts({one.key: one for one in at_rest}, tables, words, group)
        family = one_split_family(space, comparison, predicted)
        titles, several = {one.key: one.title for one in (*at_rest, *solved)}, len(at_rest) > 1
        standings = [verdict.standing(one.key, titles, family, several) for one in at_rest]
        others = verdict.solved_sentence({one.key: one for one in solved}, tables)
        return list(zip(found, standings, strict=True)), others

    of = [each for one in at_rest for each in (one.moment, space.at(one.key))]
    found, others = space.document.cached("verdicts", judged, comparison, *of)
    flipped = comparison.recipe.noise.flipped_share
    wrong = f" {percent(flipped)} of the training labels are flipped." if flipped else ""
    lines = []
    for one, beside in found:
        place = "" if one.warns else beside.sentence
        parts = [one.sentence, others.strip(), place] if len(found) == 1 else [one.sentence, place]
        lines.append(f"{'⚠' if one.warns else beside.mark} {as_text(' '.join(filter(None, parts)))}")
    lines[-1] += as_text(f"{'' if len(found) == 1 else others}{wrong}")
    sure = [one.uncertainty for one, _ in found if one.uncertainty]
    if any(beside.sentence for _, beside in found):
        sure.append(_AHEAD)
    st.markdown("  \n".join(lines), help="  \n".join(map(as_text, sure)))


def k_lines(space: Workspace, measurements: Sequence[Measurement]) -> None:
    """A line on K̂ for each training; where the scale of A grows without bound, a button sets a penalty."""
    panels = {panel.key: panel for panel in space.document.recipe.panels}
    for measured in measurements:
        key, panel, line = measured.key, panels.get(measured.key), verdict.k_sentence(measured)
        if not line:
            continue
        st.caption(as_text(line), help=wording.WHY_K_FALLS)
        if panel is None or not verdict.scale_runs_away(measured):
            continue
        penalty, title = panel.all_settings().get(_PENALTY), as_text(panel.shown_title)
        if penalty == 0.0:
            tame = partial(change_panel, space, key, lambda now: now.with_setting(_PENALTY, _USUAL_PENALTY))
            st.button(f"Set the penalty of {title} to λ = {_USUAL_PENALTY:g}", key=f"explore.{key}.tame", on_click=tame)
        elif penalty and trainings.differs(space):  # Train is out of sight from here
            with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
                st.caption(f"The penalty of {title} is now λ = {penalty:g}. Train again to use it.", width="content")
                again = partial(_begin, space, trainings.train)
                st.button(f"Train with λ = {penalty:g}", key=f"explore.{key}.tamed", on_click=again)

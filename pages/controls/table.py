"""The user's table: its questions, label, columns and gaps; and the rows of any data set as CSV."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from datasets.base.dataset import UNLABELLED, Dataset
from datasets.base.errors import DataError
from datasets.base.words import counted, short_name
from datasets.columns import CATEGORY_GAPS, LABEL_MODES, MISSING_CHOICES, SINGLES_CHOICES, column_of, count_singles
from datasets.columns.images import could_be_images, likely_image_shape, possible_image_shapes
from datasets.export import export_csv
from datasets.preparation import held_out_share, most_rows
from datasets.preparation_steps import REDUCTIONS
from datasets.proposals import Choices, Plan, Question, as_proposed, classes_line, stands_before_label
from pages.controls import upload as uploads
from pages.controls.recipe_widgets import bind, folded, save_file, select_box
from pages.controls.settings import ALL_FEATURES, COMPONENTS_AT_FIRST, explore_data, reduce_to
from pages.controls.shell import show_error
from pages.server.data import choices, chosen_key, table_in_front
from pages.server.document import Upload
from pages.server.workspace import Workspace
from pages.views import uploaded_table
from pages.views.tables import selected_rows
from stage.plain_text import as_text, visible
from stage.streamlit_host import StageState

_COSTS_SHOWN = 3
_WIDE = 1_000  # features that make training slow and prone to overfitting
_BESIDE_THE_LABEL = ("spellings", "label_gaps")  # questions
_RECALLED = "Your choices for an earlier table with these columns are applied; Undo removes them."
_NO = "no"  # a select box shows None as empty


def table_summary(space: Workspace, upload: Upload, plan: Plan, key: str) -> None:
    """The card of the Data page: questions, label, Explore and Undo."""
    with st.container(border=True, gap="small", key=f"{key}.card"):
        _questions(space, upload, plan, key)
        if upload.error and plan.columns.label_mode == "classes" and _numeric_label(plan):
            as_number = partial(_set_label_mode, space, "bins")
            st.button("Treat the label as a number", key=f"{key}.label.as_number", on_click=as_number)
        why = upload.why_not_ready
        with st.container(horizontal=True, vertical_alignment="center"):
            look: Any = {"key": f"{key}.explore", "type": "primary", "disabled": bool(why)}
            st.button("Explore this data", on_click=explore_data, args=(space, upload.key), **look)
            _undo_buttons(space, upload, key)
            if why:
                st.caption(as_text(why), width="stretch")


def table_on_explore(space: Workspace, key: str) -> bool:
    """The report on the table above Explore's picture; whether there is one.

    It is folded to one line unless there is a question, and does not change when a training begins: nothing moves.
    """
    uploads.unread_file(space, f"{key}.failed")
    if space.document.failed_upload is not None and (earlier := choices(space).get(chosen_key(space) or "")):
        st.info(f"Below is still {as_text(earlier)}, the data from before.")
    upload = table_in_front(space)
    if upload is None or upload.plan is None:
        return False
    asks = any(question.key in _BESIDE_THE_LABEL for question in upload.plan.questions)
    if upload.why_not_ready or upload.question is not None or asks:
        with st.container(border=True, gap="small", key=f"{key}.card"):
            _report(space, upload, upload.plan, key)
    else:
        line = as_text(uploaded_table.summary_line(upload.filename, upload.plan, recalled=upload.recalled))
        folded(line, f"{key}.folded")(_report)(space, upload, upload.plan, key)
    return True


def _report(space: Workspace, upload: Upload, plan: Plan, key: str) -> None:
    """How the table was read, its first rows, the questions and what was changed."""
    if space.document.failed_upload is None:
        uploads.reading_chips(space, upload, f"{key}.read")
    if upload.table is not None:
        st.dataframe(uploaded_table.preview_frame(upload.table, 5), hide_index=True, key=f"{key}.rows")
    _questions(space, upload, plan, key)
    _undo_buttons(space, upload, key)


def _questions(space: Workspace, upload: Upload, plan: Plan, key: str) -> None:
    """What has to be answered first, the proposed label, and what was changed in the table."""
    for place, question in enumerate(plan.questions):
        if question.blocking and question.key != "label":
            _question(space, upload.choices, question, f"{key}.ask.{place}")
    if (n_open := len(plan.open_questions)) > 1:
        words, about = f"Answer all {n_open} as proposed", "First answer to each question. Undo takes them back."
        st.button(words, key=f"{key}.ask.all", on_click=_answer_as_proposed, args=(space,), help=about)
    is_first = stands_before_label(upload.question, plan, upload.options)
    if is_first:
        uploads.reading_question(space, upload.question, f"{key}.reading", stands_out=True)
    _label_proposal(space, plan, f"{key}.label", stands_out=not is_first)
    if not is_first:
        uploads.reading_question(space, upload.question, f"{key}.reading")
    uploads.reading_question(space, upload.of_cells, f"{key}.cells")
    for question in (each for each in plan.questions if each.key in _BESIDE_THE_LABEL):
        _question(space, upload.choices, question, f"{key}.{question.key}")
    st.markdown(as_text(uploaded_table.columns_line(plan)))
    # What the choices cost, the most first; then choices for columns that this table lacks.
    lines = [as_text(line) for line in (_RECALLED if upload.recalled else "", *plan.costs, *plan.waiting) if line]
    if lines:
        st.markdown("  \n".join(lines[:_COSTS_SHOWN]))
    if more := lines[_COSTS_SHOWN:]:
        with st.expander(f"{len(more)} more", key=f"{key}.costs"):
            st.markdown("  \n".join(more))
    dataset = uploads.built_dataset(space)
    if dataset is not None:
        limit = most_rows(dataset, space.document.recipe.preparation)
        if dataset.n_samples > limit:
            st.markdown(as_text(uploaded_table.size_sentence(dataset, limit)))
        if dataset.n_features > _WIDE:
            _fewer_features(space, dataset, f"{key}.fewer")
    if upload.error and plan.ready:  # else a question says it
        show_error(DataError(upload.error))
    if upload.error and dataset is not None:
        st.info("Below is still the picture from before this choice.")


def _fewer_features(space: Workspace, dataset: Dataset, key: str) -> None:
    config = space.document.recipe.preparation
    n = config.components or COMPONENTS_AT_FIRST
    titles = {ALL_FEATURES: f"all {dataset.n_features:,} features"}
    titles |= {key: reduction.to(n) for key, reduction in REDUCTIONS.items()}
    about = "Fewer features are faster and overfit less. *Fewer features first* under *Advanced* sets how many."
    now = ALL_FEATURES if config.components is None else config.reduction
    bound = bind(key, now, lambda reduction: reduce_to(space, reduction))
    st.segmented_control("Train on", list(titles), format_func=titles.__getitem__, required=True, help=about, **bound)


def _undo_buttons(space: Workspace, upload: Upload, key: str) -> None:
    if not upload.past:
        return
    st.button("Undo", key=f"{key}.undo", on_click=uploads.undo, args=(space,), help="Undo your last choice.")
    if not upload.choices.is_empty:
        about = "Reset all your choices; Undo restores them."
        st.button("Reset choices", key=f"{key}.proposed", on_click=uploads.choose, args=(space, Choices()), help=about)


def other_offers(space: Workspace, upload: Upload, plan: Plan) -> None:
    """Questions that block nothing: their first answer holds."""
    offers = [q for q in plan.questions if not q.blocking and q.key not in ("label", "missing", *_BESIDE_THE_LABEL)]
    if offers:
        with st.expander(f"Other options ({len(offers)})", key="data.other.offers"):
            for place, question in enumerate(offers):
                _question(space, upload.choices, question, f"data.other.offer.{place}")


def _question(space: Workspace, choices: Choices, question: Question, key: str, stands_out: bool = True) -> None:
    """A question with its answers, the proposed one first; a blocking question may stand out."""
    stands_out = stands_out and question.blocking
    (st.warning if stands_out else st.markdown)(as_text(question.text))
    with st.container(horizontal=True, gap="small"):
        for place, answer in enumerate(question.answers):
            kind: Any = "primary" if stands_out and place == 0 else "secondary"
            over = partial(answer.choices.said_over, choices)  # keeps what is chosen before the press
            words = uploaded_table.answer_words(answer.text, answer.cost)
            st.button(words, key=f"{key}.{place}", type=kind, on_click=uploads.change_choices, args=(space, over))


def _answer_as_proposed(space: Workspace) -> None:
    if space.document.upload is not None and (plan := space.document.upload.plan) is not None:
        uploads.change_choices(space, lambda now: as_proposed(plan.proposal, now).choices)


def _label_proposal(space: Workspace, plan: Plan, key: str, *, stands_out: bool) -> None:
    """The proposed label in large type with its classes and the reason; a button for each runner-up, a box of all.

    Without a feature the label is not asked about: another question says what comes first.
    """
    label = plan.label
    if label is None:
        _question(space, plan.choices, plan.questions[0], key, stands_out)
        label_select(space, plan, key)
        return
    name, asks = as_text(short_name(label.name)), not label.sure and bool(plan.columns.features)
    st.subheader(f"Is {name} the label?" if asks else f"Label: {name}", anchor=False)
    cut = f", cut into {plan.columns.n_bins} classes" if plan.columns.label_mode == "bins" else ""
    st.markdown(as_text(classes_line(label.candidate) + cut))
    st.caption("Chosen by you." if label.said else f"Proposed: {as_text(label.candidate.reason)}.")
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        if asks:
            look: Any = {"type": "primary" if stands_out else "secondary"}
            take = partial(_set_label, space, label.name)
            st.button(f"**Yes, {name}**", key=f"{key}.yes", on_click=take, **look)
        for place, other in enumerate(label.runners_up):
            words = uploaded_table.answer_words(f"No, {other.name}" if asks else other.name, classes_line(other))
            st.button(words, key=f"{key}.instead.{place}", on_click=partial(_set_label, space, other.name))
    label_select(space, plan, key)


def label_select(space: Workspace, plan: Plan, key: str) -> None:
    """A select box of all columns; empty where no label could be proposed."""
    shown = {name: visible(name) for name in plan.table.columns}
    look: Any = {"filter_mode": "fuzzy", "placeholder": "Choose the label column"}
    bound = bind(key, plan.columns.label, partial(_set_label, space), "value")
    select_box("Label column", shown, help=as_text(plan.columns.label_reason), **look, **bound)


def _set_label(space: Workspace, name: str) -> None:
    """The browser may still send the label of the table before; a column may be one that was read from names."""
    upload = space.document.upload
    if upload is not None and upload.plan is not None and name in upload.plan.table.columns:
        uploads.change_choices(space, lambda now: now.with_label(name))


def label_values(space: Workspace, plan: Plan) -> None:
    """Whether a numeric label holds classes or numbers, and into how many ranges it is cut."""
    if not _numeric_label(plan):
        return
    mode = bind("data.label.mode", plan.columns.label_mode, partial(_set_label_mode, space))
    _radio("Its values are", LABEL_MODES, **mode)
    if plan.columns.label_mode == "classes":
        return
    what_for = ", for the colours and for LDA" if plan.columns.label_mode == "continuous" else ""
    bins = bind("data.label.bins", plan.columns.n_bins, partial(_set_choice, space, "n_bins"))
    st.slider(f"Ranges of about equal frequency{what_for}", 2, 12, **bins)


def _set_label_mode(space: Workspace, mode: str) -> None:
    """Of the column that is the label now: another may have been chosen just before."""
    upload = space.document.upload
    name = upload.plan.columns.label if upload is not None and upload.plan is not None else None
    if name is not None:
        uploads.change_choices(space, lambda now: now.saying("label_modes", name, mode))


def _set_choice(space: Workspace, name: str, value: Any) -> None:
    uploads.change_choices(space, lambda now: replace(now, **{name: value}))


def _numeric_label(plan: Plan) -> bool:
    return any(facts.name == plan.columns.label and facts.kind == "numbers" for facts in plan.proposal.facts)


def column_editor(space: Workspace, upload: Upload, plan: Plan) -> None:
    """The table of columns with its ticks, which are differences to the plan that it was opened with."""
    widget = f"data.columns.{upload.edition}"  # any other choice makes a new editor
    opened = space.document.ticks
    if opened is None or opened.widget != widget or widget not in st.session_state:
        space.document.ticks = opened = uploaded_table.Ticks(widget, plan.planned, upload.choices)
    frame = uploaded_table.columns_frame(opened.planned)
    box, text = st.column_config.CheckboxColumn, st.column_config.TextColumn
    about = "Each value becomes a column of 0 and 1; text can only be used this way."
    use, categories = uploaded_table.USE, uploaded_table.AS_CATEGORIES
    config: dict[str, Any] = {use: box(width="small"), categories: box(width=130, help=about)}
    config |= {name: text(width="medium") for name in ("Column", "Examples")} | {"Why left out": text(width="large")}
    fixed = [name for name in frame.columns if name not in (use, categories)]
    look: Any = {"hide_index": True, "height": 280, "disabled": fixed, "column_config": config}
    st.data_editor(frame, key=widget, on_change=_ticked, args=(space, widget), **look)


def _ticked(space: Workspace, widget: str) -> None:
    upload, opened = space.document.upload, space.document.ticks
    if upload is not None and opened is not None and opened.widget == widget:
        edited = st.session_state[widget]["edited_rows"]
        uploads.choose(space, uploaded_table.choices_with_ticks(upload.choices, opened, edited), in_columns=True)


def gap_radios(space: Workspace, plan: Plan) -> None:
    """What to do with missing values, gaps in categories and classes of one row; each only where there are some."""
    n_rows, n_columns = plan.table.n_rows, len(plan.columns.features)
    costs = plan.gaps.costs
    if n_columns and costs["drop_rows"].n_rows < n_rows:
        captions = [costs[name].stays(n_rows, n_columns) for name in MISSING_CHOICES]
        missing = bind("data.missing", plan.gaps.choice, partial(_set_choice, space, "missing"))
        _radio("Missing values", MISSING_CHOICES, horizontal=False, captions=captions, **missing)
    if any(column_of(plan.table, name).n_missing for name in plan.columns.categories):
        gaps = bind("data.category_gaps", plan.columns.category_gaps, partial(_set_choice, space, "category_gaps"))
        _radio("Missing cells in categories count as", CATEGORY_GAPS, **gaps)
    if n_singles := count_singles(plan.table, plan.columns):
        label = counted(n_singles, "class has a single row", "classes have a single row")
        singles = bind("data.singles", plan.columns.singles, partial(_set_choice, space, "singletons"))
        about = "No other row can vote for such a class, so its row is always wrong."
        _radio(label, SINGLES_CHOICES, help=about, **singles)


def _radio(label: str, titles: Mapping[str, str], *, horizontal: bool = True, **options: Any) -> None:
    st.radio(label, list(titles), format_func=titles.__getitem__, horizontal=horizontal, **options)


def checks_line(space: Workspace, dataset: Dataset) -> None:
    """Rows, features, classes, the smallest class, and what the size means for training."""
    sizes = np.bincount(dataset.y[dataset.y != UNLABELLED], minlength=dataset.n_classes)
    smallest = int(sizes.argmin())
    numbers = dataset.n_samples, dataset.n_features, dataset.n_classes, int(sizes[smallest])
    with st.container(horizontal=True):
        for label, value in zip(("Rows", "Features", "Classes", "Smallest class"), numbers, strict=True):
            st.metric(label, f"{value:,}", width="content")
    config = space.document.recipe.preparation
    said = uploaded_table.size_sentence(dataset, most_rows(dataset, config), held_out_share(dataset.y, config))
    st.caption(as_text(f"The smallest class is {dataset.class_names[smallest]!r}. {said}"))


def image_select(space: Workspace, dataset: Dataset) -> None:
    """Whether the rows are images, where the features could be pixels."""
    if not could_be_images(dataset):
        return
    likely = likely_image_shape(replace(dataset, image_shape=None))
    hint = "" if likely is None else f" (they look like {likely[0]} x {likely[1]})"
    titles: dict[Any, str] = {_NO: _NO}
    for shape in possible_image_shapes(dataset.n_features):
        titles[shape] = f"{shape[0]} rows x {shape[1]} columns of pixels"
    put = lambda shape: uploads.set_image_shape(space, None if shape == _NO else shape)  # noqa: E731
    select_box(f"Rows are images{hint}", titles, **bind("data.image", dataset.image_shape or _NO, put))


def download_button(dataset: Dataset, key: str, rows: Sequence[int] | None = None) -> None:
    """All rows of the data set, or those given, as CSV; written when the button is pressed."""
    chosen = range(dataset.n_samples) if rows is None else rows
    as_csv = partial(rows_csv, dataset, chosen)
    save_file(f"Download {len(chosen):,} rows as CSV", as_csv, "rows.csv", "text/csv", key)


def rows_csv(dataset: Dataset, rows: Sequence[int]) -> bytes:
    """Row number, name, features and label; with a byte order mark, so that spreadsheets read UTF-8."""
    numbered, codes = dataset.row_columns(rows), dataset.y[list(rows)]
    names = [dataset.class_names[code] for code in codes]
    values = names if dataset.target is None else dataset.target[list(rows)].tolist()
    labels = [None if code == UNLABELLED else value for code, value in zip(codes, values, strict=True)]
    known = zip(rows, zip(*numbered.values(), strict=True), labels, strict=True)
    lines = ([*first, *dataset.X[row].tolist(), label] for row, first, label in known)
    last = "class" if dataset.target is None else "label"
    return export_csv([*numbered, *dataset.feature_names, last], lines).encode("utf-8-sig")


def selection(raw: Dataset, stage: StageState, key: str) -> None:
    """The selected rows as a table and as CSV."""
    if not stage.selection:
        return
    st.caption(f"{counted(stage.selected_total, 'point')} selected; Escape on the stage clears them.")
    st.dataframe(selected_rows(raw, stage.selection), hide_index=True, key=f"{key}.selected")
    download_button(raw, key=f"{key}.download", rows=stage.selection)

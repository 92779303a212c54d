"""Pick a data set of the catalogue (with its sliders), of one's folder or of one's own, and the noise over it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from datasets.catalogue import DATASETS, Entry, Parameter, load_dataset
from datasets.dataset import Dataset
from datasets.errors import DataError
from datasets.local_folder import local_entries
from pages.controls.catalogue.jobs import settle
from pages.controls.kept import IN_ADDRESS
from pages.controls.noise import choose_noise, with_noise
from pages.server.workspace import Workspace
from pages.shared.messages import show_error
from pages.shared.plain_text import as_text, visible
from pages.shared.session import own_data, remembered

CHOICE = "explore.data"
_SCREENS = Path(__file__).resolve().parents[1]
EXPLORE, CATALOGUE = str(_SCREENS / "explore.py"), str(_SCREENS / "data.py")
_MISSING = "explore.missing"
READY_KINDS = ("bundled", "generator")  # the others have to be read or fetched first


def explore_data(space: Workspace, key: str) -> None:
    """Choose `key` and go to the Explore page; its address says what was chosen, so that a reload keeps it."""
    st.session_state[CHOICE] = key
    st.session_state.pop(_MISSING, None)
    label = labelled_choices(own_data(space), local_entries()).get(key, "")
    st.switch_page(EXPLORE, query_params={CHOICE: label})


def choose_dataset(space: Workspace) -> Dataset | None:
    """The chosen data set; None after saying why there is none."""
    settle(space)  # what was downloaded meanwhile
    own, folder = own_data(space), local_entries()
    labels = labelled_choices(own, folder)
    options = list(labels)  # the first one is there on first open
    asked = st.query_params.get(CHOICE, "")
    if asked and asked not in labels.values():
        st.session_state[_MISSING] = asked
    chosen = st.session_state.get(CHOICE, options[0])
    if chosen not in options:
        st.session_state[CHOICE] = options[0]
    elif chosen != options[0] and st.query_params.get(CHOICE) != labels[chosen]:
        st.session_state[CHOICE] = chosen  # set on another page: assigned here, the address says it too
    key = st.selectbox(
        "Data set",
        options,
        format_func=labels.get,
        key=CHOICE,
        **IN_ADDRESS,
        on_change=lambda: st.session_state.pop(_MISSING, None),
        help="The catalogue, the tables of your folder, and what you brought along, drew or downloaded.",
    )
    if missing := st.session_state.get(_MISSING):
        st.info(as_text(_why_missing(missing, labels[key])))
    st.page_link(CATALOGUE, label="All data sets, with pictures →", query_params={"tab": "Catalogue"})
    try:
        dataset = own[key] if key in own else _loaded(space, folder.get(key) or DATASETS[key])
        return with_noise(space, dataset, choose_noise(dataset, key))
    except (DataError, ValueError) as error:
        show_error(error)
        return None


def _why_missing(asked: str, shown: str) -> str:
    """A link names a data set that is not here: say so, rather than show another one as if it were meant."""
    if any(entry.kind == "download" and entry.title == asked for entry in DATASETS.values()):
        return f"{asked} has to be downloaded first: it stands in the catalogue. {shown} is shown meanwhile."
    return f"There is no data set {asked[:80]!r} here. {shown} is shown instead."


def labelled_choices(own: Mapping[str, Dataset], folder: Mapping[str, Entry]) -> dict[str, str]:
    """key -> what the list shows: the catalogue, then the folder, then one's own.

    Each label is there once, since the browser answers with the label and not with the key.
    """
    titles = {key: entry.title for key, entry in DATASETS.items() if entry.kind in READY_KINDS and key not in own}
    titles |= {key: entry.title for key, entry in folder.items() if key not in own}
    titles |= {key: dataset.name for key, dataset in own.items()}
    labels: dict[str, str] = {}
    taken: set[str] = set()
    for key, title in titles.items():
        label, copy = visible(title), 2
        while label in taken:
            label, copy = f"{visible(title)} ({copy})", copy + 1
        labels[key] = label
        taken.add(label)
    return labels


def _loaded(space: Workspace, entry: Entry) -> Dataset:
    parameters = {parameter.name: _slider(entry.key, parameter) for parameter in entry.parameters}
    if entry.kind not in READY_KINDS:
        return entry.load()
    # Kept with the session: the catalogue forgets what many sessions asked for, and another object ends the run.
    key = (entry.key, tuple(sorted(parameters.items())))
    return remembered(space, "chosen", key, lambda: load_dataset(entry.key, **parameters))


def _slider(dataset: str, parameter: Parameter) -> float | int:
    return st.slider(
        parameter.label,
        parameter.minimum,
        parameter.maximum,
        parameter.default,
        parameter.step,
        key=f"explore.{dataset}.{parameter.name}",
        **IN_ADDRESS,
        help=parameter.help or None,
    )

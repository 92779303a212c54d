"""Widgets that several pages share; most are bound to the recipe: what is entered goes into it."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Literal, ParamSpec

import streamlit as st

from nca_core.methods.method import Choice, Domain, Real, Whole
from pages.controls.shell import attempt, show_error
from pages.server.workspace import Workspace
from stage.plain_text import as_text
from study.panel import PanelRecipe
from study.recipe import FIELDS, Recipe

_LONGEST = 300  # characters of a message
FORM = "export.figure_form"  # the format of saved figures, chosen in the Export menu
FORMS = {"png": "PNG", "svg": "SVG"}


def bind(key: str, value: Any, put: Callable[[Any], None], first: str = "") -> dict[str, Any]:
    """Keywords for a widget that shows `value` and passes what is entered to `put`.

    If `put` raises, its message is shown and the widget returns to `value`. `first` names the widget's argument for
    its first value. The browser renders a widget anew, while the stage moves, wherever its arguments differ from those
    of the last run or its value was assigned; so a value that the widget has is not.
    """

    def changed() -> None:
        try:
            put(st.session_state[key])
        except (ValueError, TypeError) as error:
            st.toast(as_text(str(error)[:_LONGEST]))

    bound, there = {"key": key, "on_change": changed}, key in st.session_state
    # Keys that had their first values in this session; the browser may still have their previous ones.
    shown_before = st.session_state.setdefault("recipe_widgets.bound", set())
    if st.session_state[key] != value if there else not first or key in shown_before:
        st.session_state[key] = value
        return bound
    shown_before.add(key)
    return {**bound, first: value} if first else bound


def change(space: Workspace, make: Callable[[Recipe], Recipe]) -> None:
    space.document.change(make(space.document.recipe))


def change_panel(space: Workspace, key: str, make: Callable[[PanelRecipe], PanelRecipe]) -> None:
    """Change the panel of that key, unless it was removed."""
    panel = next((panel for panel in space.document.recipe.panels if panel.key == key), None)
    if panel is not None:
        space.document.change(space.document.recipe.with_panel(make(panel)))


def recipe_field(space: Workspace, name: str, shown: Any = None, first: str = "value") -> dict[str, Any]:
    """Keywords that bind a widget to the field `name` of the recipe; it shows `shown` instead, if given."""
    field = FIELDS[name]
    value = field.get(space.document.recipe) if shown is None else shown
    return bind(f"explore.{name}", value, lambda entered: change(space, lambda now: field.put(now, entered)), first)


def percent_field(space: Workspace, name: str, default: float = 0.0) -> dict[str, Any]:
    """As `recipe_field`, for a share shown as a whole percentage; `default` where the recipe has none."""
    field = FIELDS[name]
    share = field.get(space.document.recipe)
    percentage = round(100 * (default if share is None else share))
    put = lambda entered: change(space, lambda now: field.put(now, entered / 100))  # noqa: E731
    return bind(f"explore.{name}", percentage, put, "value")


def select_key(
    label: str, titles: Mapping[str, str], key: str, first: str | None = None, width: Literal["stretch"] | int = 240
) -> str:
    """A select box for the keys of `titles`, as of panels; starts at `first` and again where its choice is gone."""
    if (key in st.session_state or first is not None) and st.session_state.get(key) not in titles:
        st.session_state[key] = next(iter(titles)) if first is None else first
    return str(select_box(label, titles, key=key, width=width))


def kept_number(label: str, low: int, high: int, value: int, key: str, **look: Any) -> int:
    """A field for a whole number that keeps its value while another page is shown."""
    return int(st.number_input(label, low, high, value=value, key=key, persist_state="session", **look))


def select_box(label: str, titles: Mapping[Any, str], **options: Any) -> Any:
    """A select box for the keys of `titles`, at first `value`; typing filters them only if `filter_mode` says so."""
    keys, options = list(titles), {"filter_mode": None, **options}
    if "value" in options:
        value = options.pop("value")
        options["index"] = keys.index(value) if value in titles else None if value is None else 0
    return st.selectbox(label, keys, format_func=lambda one: titles.get(one, str(one)), **options)


def domain_widget(label: str, domain: Domain, **options: Any) -> None:
    if isinstance(domain, Choice):
        select_box(label, {option: domain.title(option) for option in domain.options}, **options)
    elif isinstance(domain, Whole):
        st.number_input(label, domain.minimum, domain.maximum, step=domain.step, **options)
    elif isinstance(domain, Real):
        limits = float(domain.minimum), float(domain.maximum)
        st.number_input(label, *limits, step=float(domain.step), format="%g", **options)


def one_of_few(label: str, titles: Mapping[Any, str], key: str, help: str | None = None) -> Any:
    """One of a few, the first at first: a key of `titles`."""
    first: Any = {"default": next(iter(titles)), "required": True, "persist_state": "session", "help": help}
    return st.segmented_control(label, list(titles), format_func=titles.__getitem__, key=key, **first)


def in_address(widget: Callable[..., Any], label: str, titles: Mapping[str, str], name: str, key: str) -> str:
    """A widget whose choice, a key of `titles`, is in the address under `name`."""
    named = st.query_params.get(name)
    if key not in st.session_state:
        st.session_state[key] = named if named in titles else next(iter(titles))
    chosen = str(widget(label, list(titles), format_func=titles.__getitem__, key=key, persist_state="session"))
    if named != chosen:
        st.query_params[name] = chosen
    return chosen


def chart(figure: Any, key: str, **options: Any) -> None:
    """A Plotly figure; its camera icon saves a file that is named as the last parts of `key`."""
    form = st.session_state.get(FORM)
    name = key.partition(".")[2].replace(".", "-").replace("_", "-")
    saved = {"format": form if form in FORMS else "png", "filename": name, "scale": 2}
    st.plotly_chart(figure, key=key, config={"displaylogo": False, "toImageButtonOptions": saved}, **options)


def is_dark() -> bool:
    return st.context.theme.type == "dark"


def save_file(label: str, data: Any, name: str, mime: str, key: str, **look: Any) -> None:
    """A button that downloads a file; `data` may be a function, which is called once it is pressed."""
    st.download_button(label, data, file_name=name, mime=mime, key=key, on_click="ignore", **look)


def save_json(label: str, text: Callable[[], str], name: str, key: str, help: str) -> None:
    save_file(label, lambda: text().encode("utf-8"), name, "application/json", key, help=help)


def open_json(label: str, put: Callable[[str], None], key: str, help: str) -> None:
    """A field for a JSON file, and why `put` refused the last one (ValueError)."""
    failed = f"{key}.failed"

    def opened() -> None:
        st.session_state.pop(failed, None)
        if (file := st.session_state[key]) is not None:
            attempt(failed, lambda: put(file.getvalue().decode("utf-8")))

    st.file_uploader(label, type="json", key=key, on_change=opened, help=help)
    if error := st.session_state.get(failed):
        show_error(ValueError("This is not UTF-8 text.") if isinstance(error, UnicodeDecodeError) else error)


P = ParamSpec("P")


def folded(label: str, key: str) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """Put what a function draws into an expander; it is called only while that is open."""

    def decorate(draw: Callable[P, None]) -> Callable[P, None]:
        @wraps(draw)
        def drawn(*args: P.args, **kwargs: P.kwargs) -> None:
            with st.expander(label, key=key, on_change="rerun") as place:
                if place.open:
                    draw(*args, **kwargs)

        return drawn

    return decorate

"""Widgets bound to the recipe: they show what it says, and what a person says goes into it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from nca_core.methods.setting import Choice, Domain, Real, Whole
from pages.server.workspace import Workspace
from pages.text.plain_text import as_text
from study.fields import FIELDS
from study.panel import PanelRecipe
from study.recipe import Recipe

_LONGEST = 300  # letters of a sentence that a message may quote


def bound(key: str, value: Any, put: Callable[[Any], None]) -> dict[str, Any]:
    """Keywords for a widget that shows `value` and hands what a person says to `put`.

    What `put` refuses is said, and the widget goes back to `value`.
    """

    def said() -> None:
        try:
            put(st.session_state[key])
        except (ValueError, TypeError) as error:
            st.toast(as_text(str(error)[:_LONGEST]))

    st.session_state[key] = value
    return {"key": key, "on_change": said}


def change(space: Workspace, make: Callable[[Recipe], Recipe]) -> None:
    """Change the workspace's recipe."""
    space.belongings.change(make(space.belongings.recipe))


def change_panel(space: Workspace, key: str, make: Callable[[PanelRecipe], PanelRecipe]) -> None:
    """Change the panel of that key, as it is by then; nothing where it was removed."""

    def changed(recipe: Recipe) -> Recipe:
        panel = next((panel for panel in recipe.panels if panel.key == key), None)
        return recipe if panel is None else recipe.with_panel(make(panel))

    change(space, changed)


def field_of(space: Workspace, name: str, put: Callable[[Any], Any] = lambda value: value) -> dict[str, Any]:
    """Keywords that bind a widget to the field `name` of the recipe; `put` makes its value of what is said."""
    field = FIELDS[name]
    recipe = space.belongings.recipe
    return bound(
        f"explore.{name}", field.get(recipe), lambda said: change(space, lambda now: field.put(now, put(said)))
    )


def percent_of(space: Workspace, name: str, shown: float | None = None) -> dict[str, Any]:
    """As `field_of`, for a share that the widget shows as a whole number of percent; `shown` while nothing is said."""
    bind = field_of(space, name, lambda said: said / 100)
    now = st.session_state[bind["key"]]
    st.session_state[bind["key"]] = round(100 * ((shown or 0.0) if now is None else now))
    return bind


def domain_widget(label: str, domain: Domain, bind: dict[str, Any], **options: Any) -> None:
    """The widget for a domain: a select box for a choice, a number field for a number."""
    if isinstance(domain, Choice):
        st.selectbox(label, list(domain.options), format_func=domain.title, filter_mode=None, **bind, **options)
    elif isinstance(domain, Whole):
        st.number_input(label, domain.minimum, domain.maximum, step=domain.step, **bind, **options)
    elif isinstance(domain, Real):
        st.number_input(
            label,
            float(domain.minimum),
            float(domain.maximum),
            step=float(domain.step),
            format="%g",
            **bind,
            **options,
        )

"""The line of a panel's card: only what differs from the defaults, in words for people."""

from __future__ import annotations

from pages.views.panel_card import card_line
from study.panel import PanelRecipe
from study.recipe import Recipe


def line(*panels: PanelRecipe) -> str:
    return card_line(Recipe(panels=panels), panels[-1])


def test_a_panel_as_it_comes_needs_no_words():
    assert line(PanelRecipe("nca")) == ""
    assert line(PanelRecipe("nca", title="mine")) == "NCA"


def test_what_was_chosen_is_listed():
    panel = PanelRecipe("nca", {"objective": "g", "regularisation": 0.5}, "shuffled", "uniform", random_state=3)
    assert line(panel) == (
        "objective g: log-probability · penalty λ on ‖A‖² 0.5 · starts from random uniform · labels shuffled · seed 3"
    )


def test_a_branch_names_its_frame():
    assert line(PanelRecipe("nca", title="mine"), PanelRecipe("nca-2", start="nca@7")) == (
        "starts from mine, iteration 7"
    )

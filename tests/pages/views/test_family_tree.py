"""The tree of branches."""

from __future__ import annotations

from pages.views.family_tree import family_tree
from study.panel import PanelRecipe
from study.recipe import Recipe


def test_a_branch_stands_under_what_it_came_from():
    panels = (
        PanelRecipe("nca", title="*mine*"),
        PanelRecipe("lda"),
        PanelRecipe("nca-2", start="nca@12"),
        PanelRecipe("nca-3", start="nca-2@4"),
        PanelRecipe("nca-4", start="nca@0"),
    )
    assert family_tree(Recipe(panels=panels)).splitlines() == [
        "- **\\*mine\\***",
        "    - **NCA 2** from iteration 12",
        "        - **NCA 3** from iteration 4",
        "    - **NCA 4** from iteration 0",
        "- **LDA**",
    ]


def test_without_branches_there_is_no_tree():
    assert family_tree(Recipe()) == ""

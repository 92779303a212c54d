"""The tree of branches."""

from pages.views.recipe import family_tree
from study.panel import PanelRecipe
from study.panel_changes import with_other_seed
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


def test_copies_twins_seeds_and_other_settings_stand_under_what_they_repeat():
    panels = (
        PanelRecipe("nca", start="random"),
        PanelRecipe("nca-2", start="random", random_state=3),
        PanelRecipe("nca-3", start="random", labels="shuffled"),
        PanelRecipe("nca-4", {"objective": "g"}, start="random"),
        PanelRecipe("nca-5", {"objective": "g"}, start="random", title="mine"),
        PanelRecipe("pca"),
        PanelRecipe("pca-2"),
    )
    assert family_tree(Recipe(panels=panels)).splitlines() == [
        "- **NCA**",
        "    - **NCA 2** with seed 3",
        "    - **NCA 3** with shuffled labels",
        "    - **NCA 4** from the same start, other settings",
        "    - **mine** from the same start, other settings",
        "- **PCA**",
        "- **PCA 2**",
    ]


def test_another_seed_of_what_draws_nothing_stands_under_it():
    made = with_other_seed(Recipe(panels=(PanelRecipe("nca"),)), "nca")
    assert family_tree(made).splitlines() == [
        "- **NCA**",
        "    - **NCA, random start, seed 1** from a random start, seed 1",
    ]


def test_what_differs_in_two_things_stands_for_itself():
    panels = (
        PanelRecipe("nca", start="random"),
        PanelRecipe("nca-2", {"objective": "g"}, start="random", random_state=1),
        PanelRecipe("nca-3", {"objective": "g"}, start="lda"),
        PanelRecipe("nca-4", start="random", labels="shuffled", features="raw"),
    )
    assert family_tree(Recipe(panels=panels)) == ""


def test_without_branches_there_is_no_tree():
    assert family_tree(Recipe()) == ""

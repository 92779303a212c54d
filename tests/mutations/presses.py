"""What is broken on purpose where two things are pressed in quick succession."""

from __future__ import annotations

from tests.mutations.mutation import Mutation, mutations

_TWO = ("tests/pages/test_two_presses.py",)
_CHOICES = ("tests/datasets/proposals/test_choices.py",)
_RUN = ("tests/nca_core/test_run.py",)

PRESSES: tuple[Mutation, ...] = (
    *mutations(
        "pages/controls/comparison.py",
        _TWO,
        ("    if not why_not_train(space):\n        with", "    if True:\n        with"),
        ("with suppress(DataError, ValueError):", "if True:"),
    ),
    *mutations("pages/controls/shell.py", _TWO, ("    if chosen == current:", "    if chosen is not None:")),
    *mutations("pages/main.py", _TWO, ("switch_page_if_chosen(current=page.title)", "pass")),
    *mutations("pages/controls/panel_cards.py", _TWO, ("        pass\n", "        raise\n")),
    *mutations("pages/controls/recipe_widgets.py", _TWO, ("if panel is not None:", "if True:")),
    *mutations("pages/controls/data_choice.py", _TWO, ("now = space.document.recipe.data", "now = data")),
    *mutations("pages/controls/upload_state.py", _TWO, ("return waiting if same else upload", "return upload")),
    *mutations("pages/controls/table.py", _TWO, ("said_over, choices)", "said_over, answer.choices)")),
    *mutations("datasets/proposals/choices.py", _CHOICES, ("if mine.get(key) != before.get(key):", "if True:")),
    *mutations(
        "nca_core/training/run.py",
        _RUN,
        ("iterations + max(left, 0.0)", "iterations"),
        ("if math.isfinite(self._allowed) else", "if True else"),
    ),
)

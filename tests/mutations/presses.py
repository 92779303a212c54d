"""What is broken on purpose where two things are pressed in quick succession."""

from __future__ import annotations

from tests.mutations.mutation import Mutation

_TWO = ("tests/pages/test_two_presses.py",)
_CHOICES = ("tests/datasets/proposals/test_choices.py",)
_RUN = ("tests/nca_core/test_run.py",)

PRESSES: tuple[Mutation, ...] = (
    Mutation(
        "pages/controls/comparison.py",
        "    if not why_not_train(space):\n        with",
        "    if True:\n        with",
        _TWO,
    ),
    Mutation("pages/controls/comparison.py", "with suppress(DataError, ValueError):", "if True:", _TWO),
    Mutation("pages/controls/shell.py", "    if chosen == current:", "    if chosen is not None:", _TWO),
    Mutation("pages/main.py", "switch_page_if_chosen(current=page.title)", "pass", _TWO),
    Mutation("pages/controls/panel_cards.py", "        pass\n", "        raise\n", _TWO),
    Mutation("pages/controls/recipe_widgets.py", "if panel is not None:", "if True:", _TWO),
    Mutation("pages/controls/data_choice.py", "now = space.document.recipe.data", "now = data", _TWO),
    Mutation("pages/controls/upload_state.py", "return waiting if same else upload", "return upload", _TWO),
    Mutation("pages/controls/table.py", "said_over, choices)", "said_over, answer.choices)", _TWO),
    Mutation("datasets/proposals/choices.py", "if mine.get(key) != before.get(key):", "if True:", _CHOICES),
    Mutation("nca_core/training/run.py", "iterations + max(left, 0.0)", "iterations", _RUN),
    Mutation("nca_core/training/run.py", "if math.isfinite(self._allowed) else", "if True else", _RUN),
)

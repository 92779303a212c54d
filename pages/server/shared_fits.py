"""What is fitted for one tab serves the others that show the same: in front of a class all open the same data.

Nothing is kept that no tab shows any more, and a table of one's own is another object in each tab.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar
from weakref import WeakValueDictionary, ref

from datasets.base.dataset import Dataset
from study.compare import Comparison, compare
from study.fitting import Compared
from study.recipe import Recipe

_Value = TypeVar("_Value")


class SharedFits:
    """Comparisons by their rows, and what was found about their panels, for as long as somebody holds them."""

    def __init__(self) -> None:
        self._comparisons: WeakValueDictionary[Any, Comparison] = WeakValueDictionary()
        self._found: dict[int, tuple[ref[Compared], dict[str, Any]]] = {}  # by the panel's id
        self._one_asks = threading.RLock()  # a panel may end in the thread that asks

    def comparison(self, recipe: Recipe, dataset: Dataset, before: Comparison | None) -> Comparison:
        """As `study.compare.compare`, apart; what `before` does not have is taken from a tab that has it.

        Raises
        ------
        DataError
            Where the data cannot be prepared as the recipe says.
        """
        rows = _rows_of(recipe, dataset)
        with self._one_asks:
            there = self._comparisons.get(rows)
        if there is not None and there.dataset is dataset and there.recipe == recipe and before is None:
            return there
        if before is None or _rows_of(before.recipe, before.dataset) != rows:
            before = there
        found = compare(recipe, dataset, before, apart=True)
        if all(panel.waits or not panel.problem for panel in found.panels):  # a failure is of one tab
            with self._one_asks:
                self._comparisons[rows] = found
        return found

    def of_panel(self, panel: Compared, name: str, make: Callable[[], _Value]) -> _Value:
        """The value of `make()`, which says something about `panel` alone; it is kept for as long as the panel is.

        Two that ask at once may both make it, and both get the same one.
        """
        with self._one_asks:
            found = self._of(panel)
            if name in found:
                known: _Value = found[name]
                return known
        value = make()
        with self._one_asks:
            kept: _Value = self._of(panel).setdefault(name, value)
            return kept

    def _of(self, panel: Compared) -> dict[str, Any]:
        there = self._found.get(id(panel))
        if there is None or there[0]() is not panel:
            there = self._found[id(panel)] = ref(panel, self._forgotten(id(panel))), {}
        return there[1]

    def _forgotten(self, number: int) -> Callable[[ref[Compared]], None]:
        def forget(gone: ref[Compared]) -> None:
            with self._one_asks:
                if number in self._found and self._found[number][0] is gone:
                    del self._found[number]

        return forget


def _rows_of(recipe: Recipe, dataset: Dataset) -> tuple[object, ...]:
    return id(dataset), recipe.noise, recipe.preparation, recipe.n_components


FITS = SharedFits()

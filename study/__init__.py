"""What is compared: recipes, comparisons, measurements. No Streamlit, no HTTP; knows the engine and the data sets."""

from __future__ import annotations

from study.compare import Compared, Comparison, compare
from study.measure import Measurement, measure
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe

__all__ = ["Compared", "Comparison", "DataRecipe", "Measurement", "PanelRecipe", "Recipe", "compare", "measure"]

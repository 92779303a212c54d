"""What the card of a panel says: its method, and what was chosen otherwise than its defaults."""

from __future__ import annotations

from nca_core.methods.setting import Choice, Domain
from pages.text import wording
from study.features import PREPARED
from study.panel import FEATURES, PanelRecipe
from study.recipe import Recipe


def card_line(recipe: Recipe, panel: PanelRecipe) -> str:
    """As in "NCA · objective g: log-probability · starts from NCA, iteration 12 · labels shuffled"."""
    parts = [panel.method.title] if panel.title else []
    domains = {setting.key: setting for setting in panel.method.settings}
    for key, value in dict(panel.settings).items():
        setting = domains[key]
        parts.append(f"{setting.title[:1].lower()}{setting.title[1:]} {_words(setting.domain, value)}")
    if panel.frame is not None:
        source = recipe.panel(panel.frame.panel).shown_title
        parts.append(f"starts from {source}, iteration {panel.frame.iteration}")
    elif panel.start:
        parts.append(f"starts from {wording.INITIALISATIONS.get(panel.start, panel.start)}")
    if panel.features != PREPARED:
        parts.append(f"features: {FEATURES.title(panel.features)}")
    if panel.labels != "true":
        parts.append("labels shuffled" if panel.labels == "shuffled" else "sees no labels")
    if panel.random_state:
        parts.append(f"seed {panel.random_state}")
    return " · ".join(parts)


def _words(domain: Domain, value: object) -> str:
    if isinstance(domain, Choice):
        return domain.title(str(value))
    return domain.write(value)

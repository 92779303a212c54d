"""Embeddings that took seconds to find, such as t-SNE: their places as bytes, and back into the panel they are of."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace

import numpy as np

from nca_core.snapshot import frozen
from pages.server.belongings import Belongings
from pages.server.packed import as_array, packed, unpacked
from study.fitting import Compared
from study.panel import PanelRecipe
from study.panel_changes import unnamed_panel


@dataclass(frozen=True)
class SavedEmbedding:
    """The places of rows as the store had them.

    Attributes
    ----------
    recipe : PanelRecipe
        What they were found for.
    fed : str
        A name for the rows' features, by their content.
    embedding : ndarray of shape (n_samples, n_components)
    note, seconds
        As of `Compared`.
    """

    recipe: PanelRecipe
    fed: str
    embedding: np.ndarray
    note: str
    seconds: float

    def into(self, panel: Compared, n_components: int) -> Compared | None:
        """The waiting panel with these places; None where they are of something else."""
        if unnamed_panel(self.recipe) != unnamed_panel(panel.recipe) or self.embedding.shape[1] != n_components:
            return None
        if self.fed != fed(panel):
            return None
        return replace(panel, waits=False, problem="", embedding=self.embedding, note=self.note, seconds=self.seconds)


def fed(panel: Compared) -> str:
    """A name for what the panel's method is fed."""
    digest = hashlib.sha256(str(panel.X.shape).encode())
    digest.update(np.ascontiguousarray(panel.X).data)
    return digest.hexdigest()


def embeddings_of(own: Belongings) -> dict[str, Compared | SavedEmbedding]:
    """Those on the stage, and those of before a restart that are not there yet."""
    found: dict[str, Compared | SavedEmbedding] = dict(own.saved_embeddings)
    for panel in own.comparison.panels if own.comparison is not None else ():
        if panel.recipe.method.kind == "embedding" and panel.embedding is not None:
            found[panel.key] = panel
    return found


def of_embedding(one: Compared | SavedEmbedding) -> bytes:
    """The places and what they are of."""
    if one.embedding is None:
        raise ValueError(f"{one.recipe.key} has no places.")
    told = {"fed": one.fed if isinstance(one, SavedEmbedding) else fed(one), "note": one.note, "seconds": one.seconds}
    return packed(embedding=one.embedding, told=as_array(told))


def saved_embedding(recipe: PanelRecipe, content: bytes) -> SavedEmbedding:
    """What `of_embedding` was given."""
    arrays = unpacked(content)
    return SavedEmbedding(recipe=recipe, embedding=frozen(arrays["embedding"]), **json.loads(arrays["told"].tobytes()))

"""rows_of: a name for the rows of a comparison, by which a training is known to be of them after a restart."""

from __future__ import annotations

import json

from datasets.base.fingerprint import content_sha256
from pages.server.belongings import Belongings
from study.compare import Comparison
from study.link import to_link
from study.recipe import Recipe


def rows_of(own: Belongings, comparison: Comparison) -> str:
    """The content of its data set, and all that is done to it; the content is read once.

    Not the prepared features: another processor or version of a library may give other last digits of them.
    """
    dataset, recipe = comparison.dataset, comparison.recipe
    # The data set is kept beside its name, so that its id cannot be given to another one meanwhile.
    _, content = own.remembered("rows", id(dataset), lambda: (dataset, content_sha256(dataset)))
    done = Recipe(noise=recipe.noise, preparation=recipe.preparation, n_components=recipe.n_components)
    return json.dumps([content, to_link(done)], sort_keys=True)

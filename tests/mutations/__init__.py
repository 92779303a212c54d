"""MUTATIONS: what is broken on purpose by ``python -m tests.mutations``; a new room is one file and one line here."""

from __future__ import annotations

from tests.mutations.compare import COMPARE
from tests.mutations.door import DOOR
from tests.mutations.engine import ENGINE
from tests.mutations.experiments import EXPERIMENTS
from tests.mutations.export import EXPORT
from tests.mutations.grid import GRID
from tests.mutations.hold import HOLD
from tests.mutations.inference import INFERENCE
from tests.mutations.javascript import JAVASCRIPT
from tests.mutations.judging import JUDGING
from tests.mutations.lessons import LESSON_MUTATIONS
from tests.mutations.methods import METHODS
from tests.mutations.mutation import Mutation
from tests.mutations.optimisers import OPTIMISERS
from tests.mutations.pages import PAGES
from tests.mutations.parts import PARTS
from tests.mutations.presses import PRESSES
from tests.mutations.store import STORE
from tests.mutations.study import STUDY
from tests.mutations.sums import SUMS
from tests.mutations.understand import UNDERSTAND

MUTATIONS: tuple[Mutation, ...] = (
    *ENGINE,
    *INFERENCE,
    *OPTIMISERS,
    *SUMS,
    *GRID,
    *PARTS,
    *METHODS,
    *STUDY,
    *COMPARE,
    *JUDGING,
    *PAGES,
    *DOOR,
    *HOLD,
    *STORE,
    *PRESSES,
    *JAVASCRIPT,
    *UNDERSTAND,
    *EXPORT,
    *EXPERIMENTS,
    *LESSON_MUTATIONS,
)

"""MUTATIONS: what is broken on purpose by ``python -m tests.mutations``; each folder has a table here."""

from tests.mutations.data import DATA
from tests.mutations.engine import ENGINE
from tests.mutations.mutation import mutations
from tests.mutations.pages import PAGES
from tests.mutations.server import SERVER
from tests.mutations.stage import STAGE
from tests.mutations.study import STUDY

MUTATIONS = [mutation for table in (ENGINE, DATA, STUDY, STAGE, SERVER, PAGES) for mutation in mutations(table)]

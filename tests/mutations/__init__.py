"""MUTATIONS: what is broken on purpose by ``python -m tests.mutations``; each folder has a table here."""

from pathlib import Path

from tests.mutations.mutation import mutations

TABLES = sorted(Path(__file__).parent.glob("*.txt"))
MUTATIONS = [mutation for table in TABLES for mutation in mutations(table.read_text(encoding="utf-8"))]

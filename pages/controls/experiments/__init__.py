"""The page of the papers' tables and figures: choose one, run it, see it beside what was published, open a cell."""

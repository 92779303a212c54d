"""Trainings and long work on a Dask cluster; its modules, and Dask, are imported only if a scheduler is set."""

VARIABLE = "NCA_EXPLORER_DASK"  # the address of a scheduler

"""Trainings and pieces of long work on the workers of a Dask cluster. Its modules are imported only where the setting
names a scheduler: without it nothing of Dask is."""

VARIABLE = "NCA_EXPLORER_DASK"  # the address of a scheduler

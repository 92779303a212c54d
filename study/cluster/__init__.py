"""Trainings and pieces of long work on the workers of a Dask cluster; imported only where one is asked for."""

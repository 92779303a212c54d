"""X in parts: arrays, files of a folder or chunks of a Dask array, never in one place."""

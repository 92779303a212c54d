"""Data sets from the net: fetched on demand, kept on disk. Nothing is imported here, so that the child starts fast."""

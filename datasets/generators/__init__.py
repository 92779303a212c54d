"""Generated data sets with a known answer, related ones in one file."""

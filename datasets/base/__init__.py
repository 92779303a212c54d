"""What every room of the data sets shares: the Dataset, errors, entries of the catalogue, words for counts."""

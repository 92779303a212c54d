"""Made-up data sets with a known answer: one file each."""

"""The files of tests that take longest, the longest first."""

LONGEST_FIRST = ()

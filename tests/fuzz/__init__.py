"""`python -m tests.fuzz`: what is no table, thousands of times; not part of the tests."""

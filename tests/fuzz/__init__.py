"""`python -m tests.fuzz`: what is no table, no request and no message, thousands of times; not part of the tests."""

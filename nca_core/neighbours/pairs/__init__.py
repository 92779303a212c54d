"""Summation over pairs of points: all of them (dense), or the near ones found by a tree (truncated)."""

"""Summation over a grid of spectral accuracy (spectral): groups of points, each in a box with a grid of its own."""

"""Summation by the non-uniform FFT (spectral): groups of points, each in a box with a grid of Fourier modes."""

"""The sums over neighbours, by class membership or by a similarity of each pair.

`choose` picks among the summation methods of the rooms below: `pairs` (dense, truncated) and `fourier` (spectral),
which share `base`. Imports run in one direction: this room -> fourier -> pairs -> base.
"""

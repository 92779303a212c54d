"""The sums over neighbours, by class membership or by a similarity of each pair.

`choose` picks among the summation methods of the folders `pairs` (dense, truncated) and `grid` (spectral), which share
`base`. Imports run in one direction: this folder -> grid -> pairs -> base.

Errors, relative unless marked otherwise; the test named in each line asserts it:

| what | against | p_i, H_i | objective | gradient | test |
|---|---|---|---|---|---|
| dense, products, plain numpy | every pair in long double | 1e-8 | | 1e-7 of its largest entry | test_many_dimensions |
| the same, distances of 1e6 between near pairs and the origin | the same | 1e-7 | | 1e-7 | test_many_dimensions |
| truncated, spectral | dense | 1e-6; 1e-9 (p_i), 1e-7 (H_i) of 1 | 1e-8 | 1e-6 of its norm | test_summation_methods |
| spectral, points almost alone among 100,000 | every pair | 1e-9 (p_i), 5e-8 (H_i) of 1 | | | test_grid |
| points almost in one place | dense | 1e-6 | 1e-8 | 1e-8 of its norm | test_summation_methods |
| K̂ of truncated, spectral | dense | 1e-6 | | | test_summation_methods |
| one value of 1e12 among values near 1 | the rows without it | 1e-11 | | | test_never_below |
| sparse X | the same X dense | 1e-9 | | 1e-9 | test_sparse |
| float32 X | float64 | 1e-4 (p_i) | | | test_memory |
| any number of threads | one thread | every bit | every bit | every bit | test_processes |
| another history of the process | a fresh process | every bit | every bit | every bit | test_same_bits |
| arrays elsewhere in memory, as of workers | | | 1e-9 | | test_processes |
"""

"""NCA beyond a matrix: the objectives of NCA over the outputs of a network with one hidden layer."""

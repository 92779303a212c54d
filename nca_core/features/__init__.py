"""Features X: checks, dense and sparse rows, covariances and axes, kernel features, samples."""

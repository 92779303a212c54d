"""What every summation method shares: the sums themselves, threads, and how loops are compiled."""

"""Maximally collapsing metric learning (MCML) over all positive semidefinite Q."""

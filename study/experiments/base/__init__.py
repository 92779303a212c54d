"""What experiments are made of: cells, their store, the runner, verdicts, the report."""

"""X in parts: where its rows come from, and what each part works out by itself. Nothing here knows an estimator."""

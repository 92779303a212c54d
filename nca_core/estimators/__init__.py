"""The engine as scikit-learn estimators."""

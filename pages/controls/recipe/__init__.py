"""Widgets that show a recipe and change it; one file a question."""

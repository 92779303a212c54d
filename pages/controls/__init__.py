"""Widgets in, config objects out."""

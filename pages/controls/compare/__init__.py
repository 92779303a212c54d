"""The widgets of the page of comparisons."""

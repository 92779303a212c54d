"""What widgets share: how they are bound, messages, the back button."""

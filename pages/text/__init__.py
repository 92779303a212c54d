"""Words on the screen, and users' words shown as words."""

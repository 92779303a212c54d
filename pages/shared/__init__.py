"""What every screen needs: session state in one place, messages, plain text."""

"""The Export menu."""

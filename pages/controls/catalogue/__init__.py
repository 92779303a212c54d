"""The catalogue as a gallery: cards with a small picture, and what has to be fetched first."""

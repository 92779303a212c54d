"""The drawing board: paint points of several classes in two dimensions."""

"""How well a projection classifies: nearest neighbours, their vote, and the estimate of K."""

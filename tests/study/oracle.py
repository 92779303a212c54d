"""The numbers of a panel as the NCA paper and a textbook define them: loops, long doubles, none of our own code."""

import math

import numpy as np


def places(A, X):
    """Y = X Aᵀ in long double, (n, d)."""
    return np.asarray(X, dtype=np.longdouble) @ np.asarray(A, dtype=np.longdouble).T


def picks(Y, query, left_out=None):
    """The softmax of −‖query − y_j‖² over the points but one, (n,)."""
    p = np.exp(-np.sum((query - np.asarray(Y, dtype=np.longdouble)) ** 2, axis=1))
    if left_out is not None:
        p[left_out] = 0
    return p / p.sum()


def neighbour_distribution(Y):
    """p_ij of eq. 1, (n, n): the softmax over j ≠ i of −‖y_i − y_j‖²."""
    return np.array([picks(Y, Y[i], i) for i in range(len(Y))])


def own_k(p):
    """exp of the entropy of a distribution."""
    return math.exp(-sum(float(q * np.log(q)) for q in p if q > 0))


def mean_p(Y, y):
    """f/n of eq. 2 and 3."""
    p = neighbour_distribution(Y)
    return float(p[y[:, None] == y].sum() / len(Y))  # p_ii is 0


def local_k(Y):
    """exp(H_i) of every point, (n,)."""
    return np.array([own_k(row) for row in neighbour_distribution(Y)])


def vote(Y, y, query, k, left_out=None):
    """The class of most of the k nearest, of tied ones that of the nearest member; unlabelled rows do not vote."""
    nearest_first = np.argsort(np.sum((Y - query) ** 2, axis=1), kind="stable")
    voters = [j for j in nearest_first if j != left_out and y[j] >= 0][:k]
    ballots: dict[int, int] = {}
    for j in voters:
        ballots[y[j]] = ballots.get(y[j], 0) + 1
    most = max(ballots.values())
    return next(y[j] for j in voters if ballots[y[j]] == most)


def leave_one_out(Y, y, k):
    """Share of the labelled points that the others classify correctly."""
    asked = [i for i in range(len(Y)) if y[i] >= 0]
    return sum(vote(Y, y, Y[i], k, left_out=i) == y[i] for i in asked) / len(asked)


def held_out(Y, y, Y_test, y_test, k):
    """Share of the labelled test points that the training points classify correctly."""
    asked = [i for i in range(len(Y_test)) if y_test[i] >= 0]
    return sum(vote(Y, y, Y_test[i], k) == y_test[i] for i in asked) / len(asked)

"""LVQ1 as a loop over rows in numpy: 10 vectors for each class, 10 epochs, inputs standardised as
ours are."""

import sys

import numpy as np
from common import load, report, timed


def fit():
    rng = np.random.default_rng(1)
    mean, spread = x.mean(axis=0), x.std(axis=0)
    rows = (x - mean) / spread
    chosen = np.concatenate(
        [rng.choice(np.flatnonzero(y == label), 10, replace=False) for label in np.unique(y)]
    )
    book, labels = rows[chosen].copy(), y[chosen]
    step, steps = 0, 10 * len(y)
    for _ in range(10):
        for row in rng.permutation(len(y)):
            apart = rows[row] - book
            near = np.einsum("ij,ij->i", apart, apart).argmin()
            rate = 0.1 * (1 - step / steps)
            if labels[near] != y[row]:
                rate = -rate
            book[near] += rate * apart[near]
            step += 1
    return mean, spread, book, labels


def accuracy(model):
    mean, spread, book, labels = model
    rows = (x_test - mean) / spread
    near = ((rows[:, None, :] - book[None]) ** 2).sum(axis=2).argmin(axis=1)
    return float((labels[near] == y_test).mean())


x, y, x_test, y_test = load(*sys.argv[1:])
seconds, model = timed(fit)
report(seconds, accuracy(model))

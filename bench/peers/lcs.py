"""What the rule systems share: the rows, and how long they learn."""

import sys

import numpy as np
from common import everything, report, timed

# The most rules, and the training rows; the others judge.
POPULATION = {"mux11": 1000, "mux20": 2000, "car": 1000}
TRAIN = {"mux11": 2000, "mux20": 2000, "car": 1296}
ITERATIONS = 20_000

case, folder = sys.argv[1:]
table = case.removesuffix("-predict")
population, train = POPULATION[table], TRAIN[table]
x, y = everything(case, folder)
x, y = x.astype(int), y.astype(int)
rows, labels, unseen, truth = x[:train], y[:train], x[train:], y[train:]


def judge(fit, classes_of):
    """Measures the fit or, in cases that say so, the prediction of the unseen rows."""
    if case == table:
        seconds, model = timed(fit)
    else:
        model = fit()
        seconds, _ = timed(lambda: classes_of(model))
    report(seconds, float(np.mean(classes_of(model) == truth)))

"""A chain of hard networks within a tolerance of the AUC error, vectorised in numpy: all parameters
move by Gaussian steps, the ratio of the priors is tried first."""

import sys
from pathlib import Path

import numpy as np
from common import everything, report, timed

PROPOSALS, EPSILON, STEP, NU, ALPHA = 20_000, 0.3, 0.05, 3.0, 0.05


def chain():
    rng = np.random.default_rng(1)
    at, accepted = start.copy(), 0
    tails = np.log1p(ALPHA * at[weights] ** 2 / NU).sum()
    for _ in range(PROPOSALS):
        step = at + STEP * rng.standard_normal(len(at))
        new = np.log1p(ALPHA * step[weights] ** 2 / NU).sum()
        if np.log(rng.random()) >= (NU + 1) / 2 * (tails - new):
            continue
        units = np.tanh(x @ step[:biases].reshape(hidden, m).T + step[biases:votes])
        calls = units @ step[votes:last] + step[last] > 0
        if 1 - calls[positive].mean() * (1 - calls[negative].mean()) <= EPSILON:
            at, tails, accepted = step, new, accepted + 1
    return accepted / PROPOSALS


case, folder = sys.argv[1:]
x, y = everything(case, folder)
m, hidden = x.shape[1], int(case.split("-")[1])
biases = hidden * m
votes, last = biases + hidden, biases + 2 * hidden
weights = np.r_[0:biases, votes:last]
positive, negative = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
start = np.fromfile(Path(folder) / f"{case}.start", dtype="<f8")
report(*timed(chain))

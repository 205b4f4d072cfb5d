"""pyabc on the same networks and the same distance: populations of 100, tolerances by medians, one
process. Its seconds are those of as many classifiers as the chain proposes."""

import logging
import sys

import numpy as np
import pyabc
from common import everything, report, timed

PROPOSALS, EPSILON, SEED = 20_000, 0.3, 1
logging.disable(logging.CRITICAL)


def model(theta):
    at = np.array([theta[f"p{i}"] for i in range(last + 1)])
    units = np.tanh(x @ at[:biases].reshape(hidden, m).T + at[biases:votes])
    calls = units @ at[votes:last] + at[last] > 0
    return {"error": 1 - calls[positive].mean() * (1 - calls[negative].mean())}


def search():
    # Some draws end in weights that are no numbers.
    np.random.seed(SEED)
    prior = pyabc.Distribution(**{f"p{i}": pyabc.RV("norm", 0, 4) for i in range(last + 1)})
    abc = pyabc.ABCSMC(
        model,
        prior,
        lambda a, b: a["error"],
        population_size=100,
        sampler=pyabc.SingleCoreSampler(),
        eps=pyabc.MedianEpsilon(0.7),
    )
    abc.new("sqlite://", {"error": 0.0})
    history = abc.run(minimum_epsilon=EPSILON, max_total_nr_simulations=1000)
    return history.total_nr_simulations


case, folder = sys.argv[1:]
x, y = everything(case, folder)
m, hidden = x.shape[1], int(case.split("-")[1])
biases = hidden * m
votes, last = biases + hidden, biases + 2 * hidden
positive, negative = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
seconds, simulated = timed(search)
report(seconds * PROPOSALS / simulated)

"""What the relevance vector machines of the peers share: the kernel of each case, and fastrvm."""

import sys

import numpy as np
from common import everything, report, timed

GAMMA = {"ripley": 4.0, "moons400": 2.0, "moons2000": 2.0, "sinc500": 0.1, "sinc2000": 0.1}


def fastrvm(intercept):
    from fastrvm import RVC, RVR

    case, folder = sys.argv[1:]
    x, y = everything(case, folder)
    numbers = case.startswith("sinc")
    make = RVR if numbers else RVC
    model = make(kernel="rbf", gamma=GAMMA[case], fit_intercept=intercept)
    seconds, model = timed(lambda: model.fit(x, y))
    # Its score of numbers leaves out a constant.
    constant = len(y) / 2 * np.log(2 * np.pi) if numbers else 0.0
    vectors = int(np.sum(model.n_relevance_)) + int(intercept)
    report(seconds, float(model.scores_[-1]) - constant, vectors=vectors)

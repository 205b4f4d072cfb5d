"""sklearn-rvm, which starts from all bases."""

import sys

import numpy as np
from common import everything, report, timed
from rvm import GAMMA
from sklearn_rvm import EMRVC, EMRVR

case, folder = sys.argv[1:]
x, y = everything(case, folder)
make = EMRVR if case.startswith("sinc") else EMRVC


def fit():
    """A fitted model; its own `fit` returns nothing for numbers."""
    model = make(kernel="rbf", gamma=GAMMA[case])
    model.fit(x, y)
    return model


seconds, model = timed(fit)
report(seconds, vectors=int(np.size(model.relevance_)))

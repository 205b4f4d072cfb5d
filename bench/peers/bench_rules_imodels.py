"""FIGS of imodels on one-hot columns; more than two classes one against the rest."""

import sys

import pandas as pd
from common import report, timed
from imodels import FIGSClassifier
from rules import load
from sklearn.multiclass import OneVsRestClassifier

x, y, x_test, y_test = load(*sys.argv[1:])
both = pd.get_dummies(pd.concat([x, x_test])).astype(float)
x, x_test = both[: len(x)].to_numpy(), both[len(x) :].to_numpy()
classes = sorted(y.unique())
codes, codes_test = y.map(classes.index).to_numpy(), y_test.map(classes.index).to_numpy()


def fit():
    model = FIGSClassifier(max_rules=25, random_state=0)
    return (OneVsRestClassifier(model) if len(classes) > 2 else model).fit(x, codes)


seconds, model = timed(fit)
report(seconds, (model.predict(x_test) == codes_test).mean())

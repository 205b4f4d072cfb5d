"""scikit-learn's logistic regression with its default penalty, inputs standardised as ours are."""

import sys

from common import load, report, timed
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

x, y, x_test, y_test = load(*sys.argv[1:])
seconds, model = timed(lambda: make_pipeline(StandardScaler(), LogisticRegression()).fit(x, y))
report(seconds, model.score(x_test, y_test))

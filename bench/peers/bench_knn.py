"""scikit-learn's nearest neighbours: fit and predict, inputs standardised as ours are."""

import sys

from common import load, report, timed
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

x, y, x_test, y_test = load(*sys.argv[1:])


def work():
    model = make_pipeline(StandardScaler(), KNeighborsClassifier(n_neighbors=5, n_jobs=1)).fit(x, y)
    return (model.predict(x_test) == y_test).mean()


report(*timed(work))

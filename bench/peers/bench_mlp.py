"""scikit-learn's network: 100 hidden units, batches of 200 rows, Adam, 50 epochs, inputs
standardised as ours are."""

import sys
import warnings

from common import load, report, timed
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

# It says that it has not converged after 50 epochs.
warnings.simplefilter("ignore")


def fit():
    network = MLPClassifier(
        (100,), batch_size=200, max_iter=50, tol=0, n_iter_no_change=1000, random_state=1
    )
    return make_pipeline(StandardScaler(), network).fit(x, y)


x, y, x_test, y_test = load(*sys.argv[1:])
seconds, model = timed(fit)
report(seconds, model.score(x_test, y_test))

"""scikit-eLCS with its defaults, of 1,000 to 2,000 rules."""

from lcs import ITERATIONS, judge, labels, population, rows, unseen
from skeLCS import eLCS


def fit():
    model = eLCS(learning_iterations=ITERATIONS, N=population, nu=10, random_state=1)
    return model.fit(rows, labels)


judge(fit, lambda model: model.predict(unseen))

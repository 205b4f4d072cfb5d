"""scikit-learn's area and curve."""

import sys

from common import everything, report, timed
from sklearn.metrics import roc_auc_score, roc_curve

x, y = everything(*sys.argv[1:])
score = x[:, 0].copy()
seconds, (auc, _) = timed(lambda: (roc_auc_score(y, score), roc_curve(y, score)))
report(seconds, auc)

"""scikit-learn's extremely randomised trees."""

from common import committee
from sklearn.ensemble import ExtraTreesClassifier

committee(lambda trees: ExtraTreesClassifier(n_estimators=trees, random_state=0, n_jobs=1))

"""scikit-learn's random forest: fit, or predict for cases that end so."""

from common import committee
from sklearn.ensemble import RandomForestClassifier

committee(lambda trees: RandomForestClassifier(n_estimators=trees, random_state=0, n_jobs=1))

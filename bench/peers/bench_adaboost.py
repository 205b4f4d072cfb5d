"""scikit-learn's AdaBoost (SAMME) over stumps, 200 rounds."""

from common import committee
from sklearn.ensemble import AdaBoostClassifier

committee(lambda _: AdaBoostClassifier(n_estimators=200, random_state=0))

"""scikit-learn's bagging of full trees."""

from common import committee
from sklearn.ensemble import BaggingClassifier
from sklearn.tree import DecisionTreeClassifier

committee(
    lambda trees: BaggingClassifier(
        DecisionTreeClassifier(), n_estimators=trees, random_state=0, n_jobs=1
    )
)

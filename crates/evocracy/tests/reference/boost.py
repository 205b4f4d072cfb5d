"""Reference rounds of AdaBoost from scikit-learn for tests/committees.rs.

    python boost.py ../../embed > boost.json

Stumps and small trees break ties by chance: kept are the rounds up to the first on which
different seeds do not agree.
"""

import csv
import gzip
import json
import sys
from pathlib import Path

import numpy as np
import sklearn
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

SEEDS = 12
ROUNDS = 60


def load(folder, name):
    with gzip.open(Path(folder) / f"{name}.csv.gz", "rt") as file:
        rows = list(csv.reader(file))[1:]
    features = np.array([[float(cell) for cell in row[:-1]] for row in rows])
    return features.astype(np.float32), np.array([row[-1] for row in rows])


def rounds(x, y, depth, weights):
    runs = []
    for seed in range(SEEDS):
        stump = DecisionTreeClassifier(max_depth=depth)
        model = AdaBoostClassifier(stump, n_estimators=ROUNDS, random_state=seed)
        model.fit(x, y, weights)
        runs.append(
            [
                {
                    "error": float(error),
                    "vote": float(vote),
                    "column": int(tree.tree_.feature[0]),
                    "threshold": float(tree.tree_.threshold[0]),
                    "wrong": int((called != y).sum()),
                }
                for error, vote, tree, called in zip(
                    model.estimator_errors_,
                    model.estimator_weights_,
                    model.estimators_,
                    model.staged_predict(x),
                )
            ]
        )
    agreed = []
    for same in zip(*runs):
        first = same[0]
        close = all(
            one["column"] == first["column"]
            and one["wrong"] == first["wrong"]
            and abs(one["error"] - first["error"]) < 1e-12
            and abs(one["threshold"] - first["threshold"]) < 1e-12
            for one in same
        )
        if not close:
            break
        agreed.append(first)
    return agreed


def main():
    cases = []
    for name, columns, depth, weighted in [
        ("wdbc", range(30), 1, False),
        ("wdbc", range(30), 1, True),
        ("wdbc", range(30), 2, False),
        ("pima-tr", range(7), 1, False),
        # Among all columns the first split of three classes is a tie.
        ("iris", [0, 1, 3], 1, False),
        ("iris", [0, 1], 1, True),
        ("iris", [0, 1], 2, False),
    ]:
        x, y = load(sys.argv[1], name)
        x = x[:, list(columns)]
        weights = 0.5 + (np.arange(len(y)) * 7 % 5) * 0.5 if weighted else np.ones(len(y))
        found = rounds(x, y, depth, weights)
        case = {"data": name, "columns": list(columns), "depth": depth, "weighted": weighted}
        case["rounds"] = found
        cases.append(case)
    json.dump({"sklearn": sklearn.__version__, "cases": cases}, sys.stdout, indent=1)
    print()


main()

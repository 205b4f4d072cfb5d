"""Reference trees from scikit-learn for tests/tree.rs.

    python tree.py ../../embed > tree.json

scikit-learn resolves ties between equal splits at random, so every tree is fitted with many
seeds and only the facts on which all seeds agree are kept. It rounds inputs to 32 bits; the
Rust test does the same.
"""

import csv
import gzip
import json
import math
import sys
from pathlib import Path

import numpy as np
import sklearn
from sklearn.tree import DecisionTreeClassifier

SEEDS = 25


def load(folder, name):
    with gzip.open(Path(folder) / f"{name}.csv.gz", "rt") as file:
        rows = list(csv.reader(file))[1:]
    features = np.array([[float(cell) for cell in row[:-1]] for row in rows], dtype=np.float32)
    return features, np.array([row[-1] for row in rows])


def facts(model, features, labels):
    tree = model.tree_
    leaf = tree.children_left == -1
    share = tree.weighted_n_node_samples / tree.weighted_n_node_samples[0]
    return {
        "leaves": int(model.get_n_leaves()),
        "depth": int(model.get_depth()),
        "accuracy": float(model.score(features, labels)),
        "impurity": float(np.sum(share[leaf] * tree.impurity[leaf])),
        "root_column": int(tree.feature[0]),
        "root_threshold": float(tree.threshold[0]),
        "root_gain": float(
            tree.impurity[0]
            - sum(share[c] * tree.impurity[c] for c in (tree.children_left[0], tree.children_right[0]))
        ),
    }


def same(values):
    return all(math.isclose(value, values[0], rel_tol=1e-12, abs_tol=1e-12) for value in values)


def main(folder):
    cases = []
    for name in ("iris", "wdbc"):
        features, labels = load(folder, name)
        # scikit-learn takes values closer than 1e-7 for equal; scaled, none are.
        features = (features * np.float32(1024)).astype(np.float32)
        for column in features.T:
            gaps = np.diff(np.unique(column))
            assert (gaps > 1e-6).all()
        for criterion in ("gini", "entropy"):
            for depth in (1, 2, 3, 4, 5, 0):
                for leaf in (1, 5):
                    for alpha in (0.0, 0.003, 0.0137, 0.05):
                        trees = [
                            facts(
                                DecisionTreeClassifier(
                                    criterion=criterion,
                                    max_depth=depth or None,
                                    min_samples_leaf=leaf,
                                    ccp_alpha=alpha,
                                    random_state=seed,
                                ).fit(features, labels),
                                features,
                                labels,
                            )
                            for seed in range(SEEDS)
                        ]
                        agreed = {key: trees[0][key] for key in trees[0] if same([t[key] for t in trees])}
                        case = {"data": name, "criterion": criterion, "depth": depth, "leaf": leaf}
                        cases.append({**case, "alpha": alpha, "facts": agreed})
    print(json.dumps({"made_by": f"scikit-learn {sklearn.__version__}", "cases": cases}, indent=0))


if __name__ == "__main__":
    main(sys.argv[1])

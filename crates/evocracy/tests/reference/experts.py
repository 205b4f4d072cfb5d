"""Reference models from scikit-learn for tests/experts.rs.

    python experts.py ../../embed > experts.json

Inputs are standardised here with the weighted mean and standard deviation of the training rows,
as the dense encoding does. Solvers run until they no longer move; the conditions of optimality
are checked here too.
"""

import csv
import gzip
import json
import math
import sys
import warnings
from pathlib import Path

import numpy as np
import sklearn
from sklearn.linear_model import LogisticRegression, Ridge, RidgeCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

SEEDS = 25
SHOWN = 25


def load(folder, name):
    with gzip.open(Path(folder) / f"{name}.csv.gz", "rt") as file:
        rows = list(csv.reader(file))[1:]
    features = np.array([[float(cell) for cell in row[:-1]] for row in rows])
    return features, np.array([row[-1] for row in rows])


def weights_of(count, weighted):
    return 0.5 + (np.arange(count) * 7 % 5) * 0.5 if weighted else np.ones(count)


def standardised(features, weights, rows=slice(None)):
    mean = np.average(features[rows], axis=0, weights=weights[rows])
    scale = np.sqrt(np.average((features[rows] - mean) ** 2, axis=0, weights=weights[rows]))
    return (features - mean) / scale


def violation(model, x, labels, weights, penalty, mix):
    """The largest violation of the conditions of optimality, a share of the weight."""
    proba = model.predict_proba(x)
    truth = labels[:, None] == model.classes_[None, :]
    apart = weights[:, None] * (proba - truth)
    apart = apart[:, 1:] if len(model.classes_) == 2 else apart
    slope = apart.T @ x + penalty * (1 - mix) * model.coef_
    l1 = penalty * mix
    wrong = np.where(
        model.coef_ == 0, np.maximum(np.abs(slope) - l1, 0), np.abs(slope + l1 * np.sign(model.coef_))
    )
    return max(wrong.max(), np.abs(apart.sum(axis=0)).max()) / weights.sum()


def logistic(sets):
    for name, penalty, mix in [
        ("iris", 1.0, 0.0),
        ("iris", 0.05, 0.0),
        ("iris", 3.0, 1.0),
        ("iris", 2.0, 0.4),
        ("wdbc", 1.0, 0.0),
        ("wdbc", 20.0, 0.0),
        ("wdbc", 10.0, 1.0),
        ("wdbc", 20.0, 0.7),
    ]:
        for weighted in (False, True):
            features, labels = sets[name]
            weights = weights_of(len(labels), weighted)
            x = standardised(features, weights)
            solver = "saga" if mix > 0 else "newton-cg" if name == "iris" else "newton-cholesky"
            model = LogisticRegression(
                C=1 / penalty, l1_ratio=mix, solver=solver, tol=1e-13, max_iter=200_000, random_state=1
            )
            model.fit(x, labels, sample_weight=weights)
            wrong = violation(model, x, labels, weights, penalty, mix)
            assert wrong < 1e-8, (name, penalty, mix, weighted, wrong)
            yield {
                "data": name,
                "penalty": penalty,
                "mix": mix,
                "weighted": weighted,
                "coefficients": model.coef_.tolist(),
                "proba": model.predict_proba(x[:SHOWN]).tolist(),
            }


def neighbours(sets):
    features, labels = sets["wdbc"]
    train, test = np.arange(0, len(labels), 2), np.arange(1, len(labels), 2)
    x = standardised(features, np.ones(len(labels)), train)
    for k in (1, 5, 12):
        for votes in ("equal", "distance"):
            model = KNeighborsClassifier(k, weights={"equal": "uniform"}.get(votes, votes))
            model.fit(x[train], labels[train])
            apart, _ = model.kneighbors(x[test], k + 1)
            assert (np.diff(apart, axis=1) > 1e-9).all(), "equal distances"
            yield {"data": "wdbc", "k": k, "votes": votes, "proba": model.predict_proba(x[test]).tolist()}


def ridge(sets):
    for name, target in (("iris", 3), ("wdbc", 0), ("wdbc", 9)):
        for weighted in (False, True):
            features, labels = sets[name]
            weights = weights_of(len(labels), weighted)
            y = features[:, target]
            x = standardised(np.delete(features, target, axis=1), weights)
            grid = weights.sum() * 10.0 ** (np.arange(-24, 17) / 4)
            chosen = RidgeCV(alphas=grid).fit(x, y, sample_weight=weights)
            case = {"data": name, "target": target, "weighted": weighted}
            for penalty in (0.0, 0.5, 30.0):
                model = Ridge(alpha=penalty or chosen.alpha_, solver="svd").fit(x, y, sample_weight=weights)
                yield {
                    **case,
                    "penalty": penalty,
                    "chosen": float(penalty or chosen.alpha_),
                    "coefficients": model.coef_.tolist(),
                    "intercept": float(model.intercept_),
                }


def same(values):
    return all(math.isclose(value, values[0], rel_tol=1e-12, abs_tol=1e-12) for value in values)


def stumps(sets):
    for name in ("iris", "wdbc"):
        features, labels = sets[name]
        # scikit-learn rounds to 32 bits and takes values closer than 1e-7 for equal.
        x = features.astype(np.float32) * np.float32(1024)
        for criterion in ("gini", "entropy"):
            for weighted in (False, True):
                weights = weights_of(len(labels), weighted)
                found = []
                for seed in range(SEEDS):
                    model = DecisionTreeClassifier(criterion=criterion, max_depth=1, random_state=seed)
                    tree = model.fit(x, labels, sample_weight=weights).tree_
                    share = tree.weighted_n_node_samples / tree.weighted_n_node_samples[0]
                    gain = tree.impurity[0] - sum(share[c] * tree.impurity[c] for c in (1, 2))
                    found.append(
                        {"column": int(tree.feature[0]), "threshold": float(tree.threshold[0]), "gain": float(gain)}
                        | {f"p{c}": float(p) for c, p in enumerate(model.predict_proba(x)[0])}
                    )
                facts = {key: found[0][key] for key in found[0] if same([f[key] for f in found])}
                yield {"data": name, "criterion": criterion, "weighted": weighted, "facts": facts}


def main(folder):
    warnings.simplefilter("error")
    sets = {name: load(folder, name) for name in ("iris", "wdbc")}
    out = {"made_by": f"scikit-learn {sklearn.__version__}"}
    for make in (logistic, neighbours, ridge, stumps):
        out[make.__name__] = list(make(sets))
    print(json.dumps(out, indent=0))


if __name__ == "__main__":
    main(sys.argv[1])

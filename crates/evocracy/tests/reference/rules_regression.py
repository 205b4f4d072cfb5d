"""What a regression tree of scikit-learn reaches on the numbers of `reproduce rules-regression`.

    python rules_regression.py

Prints for each problem the mean over 20 draws of the error against the function itself on 5000
new rows, and of the leaves. A tree is grown and pruned by cost-complexity; ten folds of the
training rows choose how far.
"""

import json

import numpy as np
import sklearn
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.tree import DecisionTreeRegressor

DRAWS = 20


def sinc(rng, rows):
    x = rng.uniform(-10, 10, (rows, 1))
    return x, np.sinc(x[:, 0] / np.pi)


def friedman1(rng, rows):
    x = rng.uniform(0, 1, (rows, 10))
    y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
    return x, y


def tree(x, y, seed):
    """The tree whose pruning the folds like best."""
    path = DecisionTreeRegressor(random_state=seed).cost_complexity_pruning_path(x, y)
    alphas = np.unique(np.maximum(path.ccp_alphas, 0))
    middles = np.sqrt(alphas[:-1] * alphas[1:])
    if len(middles) > 25:
        middles = middles[np.unique(np.linspace(0, len(middles) - 1, 25).astype(int))]
    folds = KFold(10, shuffle=True, random_state=seed)
    search = GridSearchCV(
        DecisionTreeRegressor(random_state=seed), {"ccp_alpha": middles}, cv=folds,
        scoring="neg_mean_squared_error",
    )
    return search.fit(x, y).best_estimator_


def measure(draw, rows, noise):
    errors, leaves = [], []
    for seed in range(DRAWS):
        rng = np.random.default_rng(seed)
        x, truth = draw(rng, rows)
        model = tree(x, truth + noise * rng.standard_normal(rows), seed)
        x, truth = draw(rng, 5000)
        errors.append(np.sqrt(np.mean((model.predict(x) - truth) ** 2)))
        leaves.append(model.get_n_leaves())
    return {"rmse": round(float(np.mean(errors)), 4), "leaves": round(float(np.mean(leaves)), 2)}


def main():
    found = {
        "sklearn": sklearn.__version__,
        "sinc": measure(sinc, 200, 0.1),
        "friedman1": measure(friedman1, 500, 1.0),
    }
    print(json.dumps(found, indent=1))


main()

"""Sparse Bayesian regression by scikit-learn's ARDRegression, for ../rvm_reference.rs.

It maximises the same evidence over the columns of a table, with flat priors (all its gamma
parameters 0) and no intercept: rvm.py > rvm.json
"""

import json

import numpy as np
from sklearn.linear_model import ARDRegression

cases = []
for seed in range(4):
    rng = np.random.default_rng(seed)
    n, m = 60, 8
    x = rng.normal(size=(n, m)).round(6)
    w = np.zeros(m)
    w[:3] = [2.0, -1.0, 0.5]
    y = (x @ w + 0.3 * rng.normal(size=n)).round(6)
    model = ARDRegression(
        alpha_1=0, alpha_2=0, lambda_1=0, lambda_2=0, fit_intercept=False,
        max_iter=100_000, tol=1e-12, threshold_lambda=1e8,
    ).fit(x, y)
    kept = [int(j) for j in np.flatnonzero(model.lambda_ < 1e8)]
    sigma = np.linalg.inv(model.alpha_ * x[:, kept].T @ x[:, kept] + np.diag(model.lambda_[kept]))
    cases.append(
        {
            "x": x.T.tolist(),
            "y": y.tolist(),
            "kept": kept,
            "coefficients": model.coef_[kept].tolist(),
            "noise": 1 / float(model.alpha_),
            "alphas": model.lambda_[kept].tolist(),
            "variances": np.diag(sigma).tolist(),
        }
    )
print(json.dumps(cases))

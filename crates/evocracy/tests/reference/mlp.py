"""Loss and slope of small networks for the tests of experts/mlp.

    python mlp.py > mlp.json

The loss is written straight from its definition; the slope is not by going backwards but by
steps along the imaginary axis (Squire, Trapp 1998), which are exact to rounding.
"""

import json

import numpy as np

STEP = 1e-30


def bend(activation, x):
    if activation == "relu":
        return np.where(x.real > 0, x, 0)
    return np.tanh(x) if activation == "tanh" else 1 / (1 + np.exp(-x))


def objective(weights, layers, activation, x, y, row_weights, penalty):
    values, at, squares = x.astype(complex), 0, 0
    for depth, (inputs, units) in enumerate(zip(layers, layers[1:])):
        matrix = weights[at : at + inputs * units].reshape(inputs, units)
        bias = weights[at + inputs * units : at + (inputs + 1) * units]
        at += (inputs + 1) * units
        values = values @ matrix + bias
        squares = squares + (matrix**2).sum()
        if depth < len(layers) - 2:
            values = bend(activation, values)
    shares = np.exp(values)
    proba = shares / shares.sum(axis=1, keepdims=True)
    losses = -np.log(proba[np.arange(len(y)), y])
    total = row_weights.sum()
    return ((row_weights * losses).sum() + penalty / 2 * squares) / total, proba.real


def main():
    rng = np.random.default_rng(6)
    cases = []
    for layers in ([3, 2], [4, 5, 3], [2, 7, 4, 3], [5, 3, 3, 3, 2]):
        for activation in ("relu", "tanh", "logistic"):
            count = sum((a + 1) * b for a, b in zip(layers, layers[1:]))
            weights = rng.normal(size=count).round(6)
            x = rng.normal(size=(9, layers[0])).round(6)
            y = rng.integers(0, layers[-1], size=9)
            row_weights = rng.uniform(0.1, 2, size=9).round(6)
            penalty = 0.3
            given = (layers, activation, x, y, row_weights, penalty)
            value, proba = objective(weights, *given)
            slope = [
                objective(weights + STEP * 1j * unit, *given)[0].imag / STEP for unit in np.eye(count)
            ]
            cases.append(
                {
                    "layers": layers,
                    "activation": activation,
                    "weights": weights.tolist(),
                    "x": x.ravel().tolist(),
                    "y": y.tolist(),
                    "row_weights": row_weights.tolist(),
                    "penalty": penalty,
                    "proba": proba.ravel().tolist(),
                    "value": float(value.real),
                    "slope": [float(s) for s in slope],
                }
            )
    print(json.dumps(cases, indent=0))


main()

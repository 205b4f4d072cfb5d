#!/usr/bin/env python3
"""A hard classifier as an external program: a network with one hidden layer that says 0 or 1.

    evocracy soften ripley-synth --encode dense --command "python3 examples/hard_mlp.py 7"

It reads JSON lines from standard input and answers each with a line: first the table, then parameter
vectors (docs/soften.md). It needs nothing but Python. Its parameters, their order and its activation
function are those of the classifier `mlp` that comes with evocracy, so that both give the same chain.
"""

import json
import sys

HIDDEN = int(sys.argv[1]) if len(sys.argv) > 1 else 7


def tanh(x):
    """The hyperbolic tangent as a ratio of polynomials, within 1e-4 of it."""
    x = min(max(x, -4.97), 4.97)
    s = x * x
    above = x * (135135.0 + s * (17325.0 + s * (378.0 + s)))
    below = 135135.0 + s * (62370.0 + s * (3150.0 + s * 28.0))
    return above / below


def label(row, theta):
    """Weights of every unit, then a bias for each, then the votes, then their bias."""
    inputs = len(row)
    biases = HIDDEN * inputs
    votes = biases + HIDDEN
    total = theta[votes + HIDDEN]
    for unit in range(HIDDEN):
        at = theta[biases + unit]
        for weight, value in zip(theta[unit * inputs : (unit + 1) * inputs], row):
            at += weight * value
        total += theta[votes + unit] * tanh(at)
    return "1" if total > 0 else "0"


rows = []
for line in sys.stdin:
    asked = json.loads(line)
    if "rows" in asked:
        rows = asked["rows"]
        inputs = len(asked["columns"])
        if any(not isinstance(value, (int, float)) for row in rows for value in row):
            answer = {"error": "all columns must be numbers without gaps; say --encode dense"}
        else:
            scale = 4.0 / inputs**0.5
            priors = [{"normal": {"mean": 0.0, "sd": scale}}] * (HIDDEN * inputs)
            priors += [{"normal": {"mean": 0.0, "sd": 4.0}}] * HIDDEN
            priors += [{"normal": {"mean": 0.0, "sd": 1.0}}] * (HIDDEN + 1)
            answer = {"rows": len(rows), "parameters": len(priors), "priors": priors}
    else:
        answer = {"labels": "".join(label(row, asked["parameters"]) for row in rows)}
    print(json.dumps(answer), flush=True)

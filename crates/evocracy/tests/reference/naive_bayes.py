"""Writes naive_bayes.json, the reference values of tests/naive_bayes_reference.rs.

    python -m venv /tmp/venv && /tmp/venv/bin/pip install scikit-learn==1.9.1
    /tmp/venv/bin/python naive_bayes.py ../../embed > naive_bayes.json

The data sets are those compiled into the library; scikit-learn fits them on all rows. Gaussian
models have no floor on their variances, categorical ones count one row more of every level.
"""

import csv
import gzip
import json
import pathlib
import sys

import numpy as np
from sklearn.naive_bayes import CategoricalNB, GaussianNB

ROWS = 20


def read(name):
    """The cells of the columns and the classes of the rows, as text."""
    path = pathlib.Path(sys.argv[1]) / f"{name}.csv.gz"
    with gzip.open(path, "rt", newline="") as file:
        rows = list(csv.reader(file))[1:]
    cells = np.array(rows)
    return cells[:, :-1], cells[:, -1]


def codes(column):
    return np.unique(column, return_inverse=True)[1]


def case(name, kind, weighted):
    cells, classes = read(name)
    weights = 1.0 + np.arange(len(classes)) % 3 if weighted else None
    if kind == "gaussian":
        inputs, model = cells.astype(float), GaussianNB(var_smoothing=0)
    else:
        inputs, model = np.column_stack([codes(c) for c in cells.T]), CategoricalNB(alpha=1)
    model.fit(inputs, classes, sample_weight=weights)
    shown = np.linspace(0, len(classes) - 1, ROWS).astype(int)
    return dict(
        data=name, weighted=weighted, classes=model.classes_.tolist(), rows=shown.tolist(),
        log_proba=model.predict_log_proba(inputs[shown]).tolist())


cases = [
    case(name, kind, weighted)
    for name, kind in [("iris", "gaussian"), ("wdbc", "gaussian"),
                       ("car", "categorical"), ("kr-vs-kp", "categorical")]
    for weighted in [False, True]
]
json.dump(cases, sys.stdout)
print()

"""Writes labels.json, the reference values of tests/statistics/labels.rs.

    python -m venv /tmp/venv && /tmp/venv/bin/pip install scikit-learn==1.9.1 scipy==1.17.1
    /tmp/venv/bin/python labels.py > labels.json

All rates come from scikit-learn; costs from the definition with a full matrix.
"""

import json
import sys
import warnings

import numpy as np
from big import clean, uniform
from sklearn import metrics

warnings.filterwarnings("ignore")
rng = np.random.default_rng(20260608)
nan = float("nan")


def of_class(truth, called, c, w):
    t, p = truth == c, called == c
    given = dict(sample_weight=w, zero_division=nan)
    return dict(
        precision=metrics.precision_score(t, p, **given),
        recall=metrics.recall_score(t, p, **given),
        specificity=metrics.recall_score(~t, ~p, **given),
        npv=metrics.precision_score(~t, ~p, **given),
        f_half=metrics.fbeta_score(t, p, beta=0.5, **given),
        f_one=metrics.f1_score(t, p, **given),
        f_two=metrics.fbeta_score(t, p, beta=2, **given))


def averages(truth, called, k, w):
    found = {}
    for average in ["macro", "micro", "weighted"]:
        given = dict(labels=range(k), average=average, sample_weight=w, zero_division=nan)
        found[average] = [
            metrics.precision_score(truth, called, **given),
            metrics.recall_score(truth, called, **given),
            metrics.fbeta_score(truth, called, beta=2, **given)]
    # Where only classes without true rows have a rate, their weighted mean does not exist;
    # scikit-learn then gives them all the same weight.
    weight = np.ones(len(truth)) if w is None else w
    if not any(weight[truth == c].sum() > 0 and weight[called == c].sum() > 0 for c in range(k)):
        found["weighted"][0] = nan
    return found


def case(name, truth, called, k, w=None, big=None):
    truth, called = np.asarray(truth), np.asarray(called)
    kept = np.ones(len(truth), bool) if w is None else w > 0
    constant = len(set(truth[kept])) < 2 or len(set(called[kept])) < 2
    same = len(set(truth[kept]) | set(called[kept])) < 2
    confusion = metrics.confusion_matrix(truth, called, labels=range(k), sample_weight=w)
    costs = rng.integers(0, 9, (k, k)) / 2.0
    prior = rng.dirichlet(np.ones(k))
    rows = confusion.sum(axis=1, keepdims=True)
    each = (confusion * costs).sum(axis=1) / np.where(rows[:, 0] > 0, rows[:, 0], nan)
    return dict(
        name=name, big=big, classes=k,
        truth=None if big else truth, called=None if big else called, weights=w,
        each=[of_class(truth, called, c, w) for c in range(k)],
        averages=averages(truth, called, k, w),
        mcc=nan if constant else metrics.matthews_corrcoef(truth, called, sample_weight=w),
        kappa=nan if same else metrics.cohen_kappa_score(
            truth, called, labels=range(k), sample_weight=w),
        balanced=metrics.balanced_accuracy_score(truth, called, sample_weight=w),
        costs=costs, prior=prior, total_cost=(confusion * costs).sum(),
        mean_cost=(confusion * costs).sum() / confusion.sum(),
        rate_cost=each.sum(), expected_cost=(prior * each).sum())


def cases():
    def rows(n, k, right):
        truth = rng.permutation(np.arange(n) % k)
        return truth, np.where(rng.random(n) < right, truth, rng.integers(0, k, n))

    truth, called = rows(200, 2, 0.6)
    yield case("two classes", truth, called, 2)
    yield case("two classes, weighted", truth, called, 2, rng.gamma(1.0, size=200))
    yield case("inverse", truth, 1 - truth, 2)
    yield case("perfect", truth, truth, 2)
    yield case("constant calls", truth, np.zeros(200, int), 2)
    yield case("one class, called so", np.ones(5, int), np.ones(5, int), 2)
    yield case("one class, called otherwise", np.ones(5, int), np.zeros(5, int), 2)
    truth = (np.arange(50) == 17).astype(int)
    yield case("one positive, missed", truth, (np.arange(50) == 3).astype(int), 2)
    yield case("one positive, found", truth, (np.arange(50) % 17 == 0).astype(int), 2)
    truth, called = rows(300, 4, 0.5)
    yield case("four classes", truth, called, 4)
    yield case("four classes, weighted", truth, called, 4, rng.integers(0, 4, 300) / 1.0)
    yield case("a class without rows", truth, called, 5)
    yield case("a class never called", truth, np.where(called == 2, 1, called), 4)
    yield case("two rows", np.array([0, 1]), np.array([0, 0]), 2)
    u, v, x = uniform(1, 100000), uniform(2, 100000), uniform(3, 100000)
    truth = (u * 3).astype(int)
    yield case("a hundred thousand", truth, np.where(v < 0.7, truth, (x * 3).astype(int)), 3,
               big=[1, 2, 3])


json.dump(clean(list(cases())), sys.stdout)
print()

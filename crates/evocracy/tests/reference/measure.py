"""Writes measure.json, the reference values of tests/measure_reference.rs.

    python -m venv /tmp/venv && /tmp/venv/bin/pip install scikit-learn==1.9.1 scipy==1.17.1
    /tmp/venv/bin/python measure.py > measure.json

Curves, areas, losses and errors come from scikit-learn, intervals of rates and quantiles from
scipy, the variance of the area from its definition with a full matrix of pairs.
"""

import json
import sys

import numpy as np
from scipy import stats
from sklearn import metrics

rng = np.random.default_rng(20260607)


def listed(array):
    return None if array is None else np.asarray(array).tolist()


def delong(truth, scores, weights):
    """Every positive row against every negative one; unit weights give DeLong et al. (1988)."""
    w = np.ones(len(truth)) if weights is None else weights
    x, y = scores[truth], scores[~truth]
    wx, wy = w[truth], w[~truth]
    order = (x[:, None] > y[None, :]) + 0.5 * (x[:, None] == y[None, :])
    v10, v01 = np.average(order, axis=1, weights=wy), np.average(order, axis=0, weights=wx)
    m, n = wx.sum() ** 2 / (wx**2).sum(), wy.sum() ** 2 / (wy**2).sum()
    if m <= 1 or n <= 1:
        return None
    auc = np.average(v10, weights=wx)
    s10 = np.average((v10 - auc) ** 2, weights=wx) * m / (m - 1)
    s01 = np.average((v01 - auc) ** 2, weights=wy) * n / (n - 1)
    return s10 / m + s01 / n


def logit_interval(auc, variance):
    if not variance or auc in (0.0, 1.0):
        return None
    half = stats.norm.ppf(0.975) * np.sqrt(variance) / (auc * (1 - auc))
    middle = np.log(auc / (1 - auc))
    return [1 / (1 + np.exp(-(middle - half))), 1 / (1 + np.exp(-(middle + half)))]


def ranked(name, truth, scores, weights=None):
    truth, scores = np.asarray(truth, bool), np.asarray(scores, float)
    fpr, tpr, thresholds = metrics.roc_curve(
        truth, scores, sample_weight=weights, drop_intermediate=False)
    auc = metrics.roc_auc_score(truth, scores, sample_weight=weights)
    variance = delong(truth, scores, weights)
    return dict(
        name=name, truth=listed(truth), scores=listed(scores), weights=listed(weights),
        fpr=listed(fpr), tpr=listed(tpr), thresholds=listed(thresholds[1:]), auc=auc,
        delong_variance=variance, interval=logit_interval(auc, variance))


def two_classes():
    def rows(n, share, gap):
        truth = rng.random(n) < share
        return truth, rng.normal(size=n) + gap * truth

    truth, scores = rows(200, 0.4, 1.2)
    yield ranked("smooth", truth, scores)
    yield ranked("inverted", truth, -scores)
    yield ranked("weighted", truth, scores, rng.gamma(1.0, size=200))
    truth, scores = rows(300, 0.3, 0.8)
    yield ranked("heavy ties", truth, np.round(scores))
    yield ranked("heavy ties, weighted", truth, np.round(scores), rng.integers(1, 5, 300) / 1.0)
    truth, scores = rows(60, 0.5, 0.5)
    yield ranked("all equal", truth, np.full(60, 0.25))
    yield ranked("perfect", truth, truth + 0.0)
    truth = np.arange(40) == 27
    yield ranked("one positive", truth, rng.normal(size=40))
    yield ranked("two rows", [True, False], [0.3, 0.7])


def judged(name, labels, proba, weights=None):
    labels = np.asarray(labels)
    rows, k = proba.shape
    floored = np.maximum(proba[np.arange(rows), labels], 1e-15)
    likelihood = np.average(np.log2(floored), weights=weights)
    if proba.min() > 1e-12:
        again = -metrics.log_loss(labels, proba, labels=range(k), sample_weight=weights)
        assert abs(likelihood - again / np.log(2)) < 1e-12
    if k == 2:
        auc = metrics.roc_auc_score(labels, proba[:, 1], sample_weight=weights)
        brier = metrics.brier_score_loss(labels, proba[:, 1], sample_weight=weights)
    else:
        # scikit-learn has no weights for this average.
        auc = None
        if weights is None:
            auc = metrics.roc_auc_score(labels, proba, multi_class="ovo", average="macro")
        brier = metrics.brier_score_loss(labels, proba, sample_weight=weights, labels=range(k))
    called = proba.argmax(axis=1)
    return dict(
        name=name, labels=listed(labels), proba=listed(proba), weights=listed(weights),
        classes=k, auc=auc, brier=brier, log2_likelihood=likelihood,
        accuracy=metrics.accuracy_score(labels, called, sample_weight=weights),
        confusion=listed(metrics.confusion_matrix(
            labels, called, labels=range(k), sample_weight=weights)))


def probabilities():
    def rows(n, k, gap):
        labels = rng.permutation(np.arange(n) % k)
        logits = rng.normal(size=(n, k)) + gap * np.eye(k)[labels]
        proba = np.exp(logits)
        return labels, proba / proba.sum(axis=1, keepdims=True)

    labels, proba = rows(120, 2, 1.0)
    yield judged("two classes", labels, proba)
    yield judged("two classes, weighted", labels, proba, rng.gamma(2.0, size=120))
    labels, proba = rows(150, 3, 1.0)
    yield judged("three classes", labels, proba)
    yield judged("three classes, weighted", labels, proba, rng.gamma(2.0, size=150))
    coarse = np.round(proba * 4) + 1
    yield judged("three classes, heavy ties", labels, coarse / coarse.sum(axis=1, keepdims=True))
    yield judged("three classes, certain", labels, np.eye(3)[proba.argmax(axis=1)])
    labels, proba = rows(100, 5, 0.5)
    yield judged("five classes", labels, proba)


def numbers():
    truth = rng.normal(10, 3, 80)
    predicted = truth + rng.normal(0, 1, 80)
    for name, weights in [("plain", None), ("weighted", rng.gamma(1.0, size=80))]:
        given = dict(sample_weight=weights)
        yield dict(
            name=name, truth=listed(truth), predicted=listed(predicted), weights=listed(weights),
            rmse=metrics.root_mean_squared_error(truth, predicted, **given),
            mae=metrics.mean_absolute_error(truth, predicted, **given),
            r2=metrics.r2_score(truth, predicted, **given))


def rates():
    for successes, trials in [(0, 1), (0, 20), (3, 20), (20, 20), (517, 1000), (999999, 1000000)]:
        for level in [0.5, 0.95, 0.999]:
            found = stats.binomtest(successes, trials).proportion_ci(level, method="wilson")
            yield dict(successes=successes, trials=trials, level=level,
                       low=found.low, high=found.high)


json.dump(
    dict(
        two_classes=list(two_classes()),
        probabilities=list(probabilities()),
        numbers=list(numbers()),
        rates=list(rates()),
        quantiles=[[p, stats.norm.ppf(p)] for p in
                   [1e-300, 1e-12, 0.001, 0.025, 0.3, 0.5, 0.6, 0.975, 0.9995, 1 - 1e-12]],
    ),
    sys.stdout)
print()

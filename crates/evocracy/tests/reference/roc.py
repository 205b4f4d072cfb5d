"""Writes roc.json: data sets and reference values of tests/roc_reference.rs.

    python -m venv /tmp/venv && /tmp/venv/bin/pip install scikit-learn==1.9.1 scipy==1.17.1
    /tmp/venv/bin/python roc.py > roc.json
    Rscript roc.R            # adds roc_proc.json, from R's pROC 1.18.0

Curves, areas, precision-recall and one-against-rest come from scikit-learn; BCa intervals from
scipy.stats.bootstrap; the rest from definitions written out with numpy.
"""

import json
import sys

import numpy as np
from scipy import spatial, stats
from sklearn import metrics

rng = np.random.default_rng(20261115)


def listed(array):
    return None if array is None else np.asarray(array).tolist()


def hull(fpr, tpr):
    """The upper hull from a general convex hull of the curve and the corner (1, 0)."""
    points = np.column_stack([np.append(fpr, 1.0), np.append(tpr, 0.0)])
    found = spatial.ConvexHull(points)
    kept = sorted({tuple(points[i]) for i in found.vertices} - {(1.0, 0.0)})
    return [list(p) for p in kept]


def costs(fpr, tpr, thresholds):
    for cost_fp, cost_fn, prior in [(1, 1, 0.5), (1, 5, 0.1), (10, 1, 0.4), (1, 99, 0.01),
                                    (0, 1, 0.3)]:
        cost = prior * (1 - tpr) * cost_fn + (1 - prior) * fpr * cost_fp
        yield dict(alarm=cost_fp, miss=cost_fn, prior=prior, least=cost.min())


def net_benefit(truth, proba, weights, threshold):
    w = np.ones(len(truth)) if weights is None else weights
    called = proba >= threshold
    odds = threshold / (1 - threshold)
    good, bad = w[called & truth].sum(), w[called & ~truth].sum()
    everyone = w[truth].sum() - w[~truth].sum() * odds
    return [threshold, (good - bad * odds) / w.sum(), everyone / w.sum()]


def case(name, truth, scores, second=None, weights=None):
    truth, scores = np.asarray(truth, bool), np.asarray(scores, float)
    given = dict(sample_weight=weights)
    fpr, tpr, thresholds = metrics.roc_curve(truth, scores, drop_intermediate=False, **given)
    precision, recall, cuts = metrics.precision_recall_curve(truth, scores, **given)
    partial = [[cap, metrics.roc_auc_score(truth, scores, max_fpr=cap, **given)]
               for cap in [0.1, 0.25, 0.5, 0.9]]
    w = np.ones(len(truth)) if weights is None else weights
    lift = [[w[scores >= t].sum() / w.sum(), w[(scores >= t) & truth].sum() / w[truth].sum()]
            for t in thresholds[1:]]
    proba = 1 / (1 + np.exp(-scores))
    benefit = [net_benefit(truth, proba, weights, t) for t in [0.05, 0.2, 0.35, 0.5, 0.8]]
    stairs = float(np.sum(np.diff(fpr) * tpr[:-1]))
    return dict(
        name=name, truth=listed(truth), scores=listed(scores), second=listed(second),
        weights=listed(weights), auc=metrics.roc_auc_score(truth, scores, **given),
        partial=partial, hull=hull(fpr, tpr), costs=list(costs(fpr, tpr, thresholds)),
        youden=float((tpr - fpr).max()), conservative=stairs,
        precision=listed(precision[:-1][::-1]), recall=listed(recall[:-1][::-1]),
        cuts=listed(cuts[::-1]),
        average_precision=metrics.average_precision_score(truth, scores, **given),
        lift=lift, benefit=benefit)


def rows(n, share, gap):
    truth = rng.random(n) < share
    truth[0], truth[1] = True, False
    scores = rng.normal(size=n) + gap * truth
    return truth, scores, scores + rng.normal(size=n)


def cases():
    for i, (n, share, gap) in enumerate([(20, 0.5, 1), (50, 0.2, 0.5), (80, 0.5, 2), (100, 0.1, 1),
                                         (120, 0.9, 1), (150, 0.5, 0), (200, 0.4, 1.5)]):
        truth, scores, second = rows(n, share, gap)
        yield case(f"smooth {i}", truth, scores, second)
        yield case(f"coarse {i}", truth, np.round(scores), np.round(second * 2) / 2)
    truth, scores, second = rows(150, 0.4, 1)
    yield case("weighted", truth, scores, second, rng.gamma(1.0, size=150))
    yield case("weighted ties", truth, np.round(scores), np.round(second), rng.integers(1, 6, 150) / 2)
    yield case("worse than chance", truth, -scores, second)
    yield case("one positive", np.arange(40) == 27, rng.normal(size=40), rng.normal(size=40))
    yield case("one negative", np.arange(30) != 11, rng.normal(size=30), rng.normal(size=30))
    yield case("all equal", truth, np.full(150, 0.25), scores)
    yield case("perfect", truth, truth * 2.0 + 0.1 * scores / np.abs(scores).max(), scores)
    yield case("hard classifier", truth, (scores > 0.5) * 1.0, second)
    yield case("two rows", [True, False], [0.3, 0.7], [0.7, 0.3])
    single = scores.astype(np.float32).astype(float)
    yield case("single precision", truth, single, second)


def one_rest():
    for name, weighted in [("plain", False), ("weighted", True)]:
        labels = rng.permutation(np.arange(120) % 4)
        logits = rng.normal(size=(120, 4)) + 0.8 * np.eye(4)[labels]
        proba = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
        weights = rng.gamma(2.0, size=120) if weighted else None
        found = [metrics.roc_auc_score(labels, proba, multi_class="ovr", average=average,
                                       sample_weight=weights) for average in ["macro", "weighted"]]
        each = [metrics.roc_auc_score(labels == c, proba[:, c], sample_weight=weights)
                for c in range(4)]
        yield dict(name=name, labels=listed(labels), proba=listed(proba.ravel()),
                   weights=listed(weights), each=each, mean=found[0],
                   weighted_mean=found[1] if weights is None else None)


def area(x, y):
    x, y = np.asarray(x), np.asarray(y)
    order = (x[..., :, None] > y[..., None, :]) + 0.5 * (x[..., :, None] == y[..., None, :])
    return order.mean(axis=(-1, -2))


def bootstraps():
    for name, n, digits in [("smooth", 60, 6), ("ties", 90, 0)]:
        truth, scores, _ = rows(n, 0.4, 1.2)
        scores = np.round(scores, digits)
        data = (scores[truth], scores[~truth])
        given = dict(statistic=lambda x, y, axis=-1: area(x, y), vectorized=True)
        first = stats.bootstrap(data, n_resamples=400, method="percentile", rng=rng, **given)
        bca = stats.bootstrap(data, n_resamples=0, method="BCa", bootstrap_result=first, **given)
        yield dict(
            name=name, truth=listed(truth), scores=listed(scores),
            replicates=listed(first.bootstrap_distribution),
            deviation=float(first.standard_error),
            percentile=list(first.confidence_interval), bca=list(bca.confidence_interval))


def powers():
    def variance(kind, a, m, n):
        if kind == "HanleyMcNeil":
            q1, q2 = a / (2 - a), 2 * a**2 / (1 + a)
            return (a * (1 - a) + (m - 1) * (q1 - a**2) + (n - 1) * (q2 - a**2)) / (m * n)
        z = stats.norm.ppf(a) * 1.414
        return 0.0099 * np.exp(-z**2 / 2) * ((5 * z**2 + 8) + (z**2 + 8) / (n / m)) / m

    for kind in ["HanleyMcNeil", "Obuchowski"]:
        for auc, against, m, n in [(0.8, 0.7, 50, 50), (0.75, 0.5, 10, 40), (0.9, 0.85, 200, 100)]:
            for r in [None, 0.0, 0.5]:
                v0, v1 = variance(kind, against, m, n), variance(kind, auc, m, n)
                if r is not None:
                    v0, v1 = 2 * v0 * (1 - r), v0 + v1 - 2 * r * np.sqrt(v0 * v1)
                z = (abs(auc - against) - stats.norm.ppf(0.975) * np.sqrt(v0)) / np.sqrt(v1)
                yield dict(kind=kind, auc=auc, against=against, m=m, n=n, correlation=r,
                           expected=stats.norm.cdf(z))


def million():
    """Both sides make these rows themselves; only products and fractions of doubles occur."""
    i = np.arange(1_000_000) + 1.0

    def fraction(x):
        return x - np.floor(x)

    truth = fraction(i * np.sqrt(2.0)) < 0.3
    first = fraction(i * np.sqrt(3.0)) + 0.4 * truth
    second = np.floor(1000 * (fraction(i * np.sqrt(5.0)) + 0.3 * truth))
    fpr, tpr, _ = metrics.roc_curve(truth, first, drop_intermediate=False)
    return dict(
        rows=len(i), points=len(fpr), at=[[k, fpr[k], tpr[k]] for k in [1, 1000, 500000, 999999]],
        first=metrics.roc_auc_score(truth, first), second=metrics.roc_auc_score(truth, second),
        average_precision=metrics.average_precision_score(truth, second))


json.dump(
    dict(cases=list(cases()), one_rest=list(one_rest()), bootstraps=list(bootstraps()),
         powers=list(powers()), million=million()),
    sys.stdout)
print()

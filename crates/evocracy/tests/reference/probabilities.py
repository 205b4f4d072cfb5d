"""Writes probabilities.json, the reference values of tests/statistics/probabilities.rs.

    python -m venv /tmp/venv
    /tmp/venv/bin/pip install scikit-learn==1.9.1 scipy==1.17.1 statsmodels==0.15.0
    /tmp/venv/bin/python probabilities.py > probabilities.json

Bins come from scikit-learn's calibration_curve where it has them (equal width without weights),
else from plain definitions; lines on the logit scale from statsmodels' GLM; isotonic maps from
scikit-learn; margins from numpy.
"""

import json
import sys
import warnings

import numpy as np
import statsmodels.api as sm
from big import clean, uniform
from scipy import stats
from scipy.special import logit
from sklearn.calibration import calibration_curve
from sklearn.isotonic import IsotonicRegression

warnings.filterwarnings("ignore")
rng = np.random.default_rng(20260609)
nan = float("nan")


def width_bins(p, n):
    return np.searchsorted(np.linspace(0, 1, n + 1)[1:-1], p)


def mass_bins(p, w, n):
    """The middle of a value's weight among the sorted rows decides."""
    found = np.empty(len(p), int)
    values, inverse = np.unique(p, return_inverse=True)
    each = np.bincount(inverse, weights=w)
    middle = (np.cumsum(each) - each / 2) / each.sum()
    return np.minimum((middle * n).astype(int), n - 1)[inverse]


def table(truth, p, w, bins):
    rows = []
    for b in np.unique(bins[w > 0]):
        at = (bins == b) & (w > 0)
        mean, rate = np.average(p[at], weights=w[at]), np.average(truth[at], weights=w[at])
        n = w[at].sum() ** 2 / (w[at] ** 2).sum()
        z = stats.norm.ppf(0.975)
        middle = (rate + z * z / n / 2) / (1 + z * z / n)
        half = z / (1 + z * z / n) * np.sqrt(rate * (1 - rate) / n + z * z / n / n / 4)
        rows.append([w[at].sum(), mean, rate, middle - half, middle + half])
    rows = np.array(rows)
    off = np.abs(rows[:, 1] - rows[:, 2])
    return dict(bins=rows, ece=np.average(off, weights=rows[:, 0]), mce=off.max())


def decomposition(truth, p, w, bins):
    t = truth.astype(float)
    base = np.average(t, weights=w)
    terms = np.zeros(5)
    for b in np.unique(bins[w > 0]):
        at = (bins == b) & (w > 0)
        share = w[at].sum() / w.sum()
        mean, rate = np.average(p[at], weights=w[at]), np.average(t[at], weights=w[at])
        terms += share * np.array([
            (mean - rate) ** 2, (rate - base) ** 2, 0,
            np.average((p[at] - mean) ** 2, weights=w[at]),
            2 * np.average((p[at] - mean) * (t[at] - rate), weights=w[at])])
    terms[2] = base * (1 - base)
    brier = np.average((p - t) ** 2, weights=w)
    assert abs(terms[0] - terms[1] + terms[2] + terms[3] - terms[4] - brier) < 1e-12
    return terms


def fit(truth, x, w, **given):
    return sm.GLM(truth, x, family=sm.families.Binomial(), freq_weights=w, **given).fit(
        tol=1e-15, tol_criterion="params", maxiter=300)


def line(truth, p, w, weighted):
    """Intercept, slope and, without weights, their errors; the shift."""
    x = logit(np.clip(p, 1e-15, 1 - 1e-15))
    t = truth.astype(float)
    overlap = [x[truth & (w > 0)], x[~truth & (w > 0)]]
    if min(map(len, overlap)) == 0:
        return dict(line=None, shift=nan)
    shift = fit(t, np.ones((len(t), 1)), w, offset=x).params[0]
    if max(overlap[1]) <= min(overlap[0]) or max(overlap[0]) <= min(overlap[1]):
        return dict(line=None, shift=shift)
    found = fit(t, sm.add_constant(x), w)
    errors = [nan, nan] if weighted else list(found.bse)
    return dict(line=list(found.params) + errors, shift=shift)


def platt(truth, scores, w):
    up, down = w[truth].sum(), w[~truth].sum()
    target = np.where(truth, (up + 1) / (up + 2), 1 / (down + 2))
    if np.ptp(scores) == 0:
        return [0.0, logit(np.average(target, weights=w))]
    found = fit(target, sm.add_constant(scores), w)
    return [found.params[1], found.params[0]]


def two(name, truth, p, weights=None, big=None):
    truth, p = np.asarray(truth, bool), np.asarray(p, float)
    w = np.ones(len(p)) if weights is None else weights
    width = table(truth, p, w, width_bins(p, 10))
    if weights is None:
        rate, mean = calibration_curve(truth, p, n_bins=10)
        assert np.allclose(width["bins"][:, 2], rate, atol=1e-14)
        assert np.allclose(width["bins"][:, 1], mean, atol=1e-14)
    distinct = np.unique(p, return_inverse=True)[1]
    both = truth[w > 0].any() and not truth[w > 0].all()
    grid = np.linspace(-0.1, 1.1, 49)
    iso = nan
    if both:
        iso = IsotonicRegression(out_of_bounds="clip").fit(p, truth, sample_weight=w).predict(grid)
    return dict(
        name=name, big=big, truth=None if big else truth, proba=None if big else p,
        weights=weights, width=width, mass=table(truth, p, w, mass_bins(p, w, 7)),
        exact=decomposition(truth, p, w, distinct) if len(set(p)) < 1000 else None,
        binned=decomposition(truth, p, w, width_bins(p, 10)),
        **line(truth, p, w, weights is not None),
        platt=platt(truth, p, w) if both else None, grid=grid, isotonic=iso)


def two_classes():
    def rows(n, share, gap):
        truth = rng.random(n) < share
        return truth, 1 / (1 + np.exp(-(rng.normal(size=n) + gap * truth - gap / 2)))

    truth, p = rows(210, 0.4, 1.5)
    # Without ties and with bins that divide the rows, quantile bins are bins of equal mass.
    rate, mean = calibration_curve(truth, p, n_bins=7, strategy="quantile")
    mine = table(truth, p, np.ones(210), mass_bins(p, np.ones(210), 7))["bins"]
    assert np.allclose(mine[:, 2], rate) and np.allclose(mine[:, 1], mean)
    yield two("smooth", truth, p)
    yield two("weighted", truth, p, rng.gamma(1.0, size=210))
    yield two("some weights 0", truth, p, rng.integers(0, 3, 210) / 1.0)
    yield two("heavy ties", truth, np.round(p, 1))
    yield two("heavy ties, weighted", truth, np.round(p, 1), rng.gamma(2.0, size=210))
    yield two("over-confident", truth, p**3 / (p**3 + (1 - p) ** 3))
    yield two("zeros and ones", truth, np.clip(np.round(p * 1.4 - 0.2, 2), 0, 1))
    yield two("constant", truth, np.full(210, 0.3)) | dict(line=None)
    yield two("one positive", np.arange(40) == 7, np.linspace(0.01, 0.9, 40))
    yield two("separable", np.arange(30) >= 12, np.linspace(0.05, 0.95, 30))
    yield two("one class", np.ones(12, bool), np.linspace(0.05, 0.95, 12))
    yield two("two rows", [True, False], [0.75, 0.25])
    u, v = uniform(4, 100000), uniform(5, 100000)
    yield two("a hundred thousand", v < 0.1 + 0.7 * u * u, u, big=[4, 5])


def many(name, labels, proba, weights=None):
    k = proba.shape[1]
    w = np.ones(len(labels)) if weights is None else weights
    top, right = proba.max(axis=1), proba.argmax(axis=1) == labels
    each = [table(labels == c, proba[:, c], w, width_bins(proba[:, c], 15)) for c in range(k)]
    parts = sum(decomposition(labels == c, proba[:, c], w, width_bins(proba[:, c], 15))
                for c in range(k)) * (0.5 if k == 2 else 1)
    own = proba[np.arange(len(labels)), labels]
    rest = np.where(np.eye(k, dtype=bool)[labels], -1, proba).max(axis=1)
    margin = own - rest
    quantiles = np.quantile(margin, [0, 0.25, 0.5, 0.75, 1], weights=w, method="inverted_cdf")
    mean = np.average(margin, weights=w)
    return dict(
        name=name, labels=labels, proba=proba, weights=weights,
        top=table(right, top, w, width_bins(top, 15)),
        classwise=np.mean([t["ece"] for t in each]), parts=parts, quantiles=quantiles,
        mean=mean, deviation=np.sqrt(np.average((margin - mean) ** 2, weights=w)),
        negative=np.average(margin < 0, weights=w))


def more_classes():
    def rows(n, k, gap):
        labels = rng.permutation(np.arange(n) % k)
        proba = np.exp(rng.normal(size=(n, k)) + gap * np.eye(k)[labels])
        return labels, proba / proba.sum(axis=1, keepdims=True)

    labels, proba = rows(150, 3, 1.0)
    yield many("three classes", labels, proba)
    yield many("three classes, weighted", labels, proba, rng.gamma(2.0, size=150))
    labels, proba = rows(90, 2, 1.0)
    yield many("two classes", labels, proba)
    labels, proba = rows(120, 6, 0.5)
    yield many("six classes", labels, proba)


json.dump(clean(dict(two_classes=list(two_classes()), more_classes=list(more_classes()))),
          sys.stdout)
print()

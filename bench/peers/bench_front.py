"""Scores the candidates of a file and keeps the operating points that nothing dominates, vectorised
in numpy: weights by Newton's method, all thresholds from one sort, an archive as one array."""

import sys
from pathlib import Path

import numpy as np
from common import everything, report, timed

STEPS, DECREMENT, SHARE, UNSEEN = 40, 1e-4, 1e-6, 1e-9
TIE = 1e-12


def design(x, first):
    square = (x**2).sum(axis=1)
    distance = np.maximum(square[:, None] + square[None] - 2 * x @ x.T, 0)
    columns = [np.ones((len(x), 1))]
    columns += [np.exp(-distance / width**2) for width in (first, first / 2, first / 4)]
    return np.hstack(columns)


def log_posterior(f, w, alphas):
    return (y * f - np.logaddexp(0, f)).sum() - 0.5 * (alphas * w * w).sum()


def fit(phi, alphas):
    """The log-odds of the rows at the posterior mode of the weights. The last step is one that changes
    no weight by more than a share of the largest; steps that rounding hides are taken whole."""
    w, f = np.zeros(phi.shape[1]), np.zeros(len(phi))
    height = log_posterior(f, w, alphas)
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-f))
        gradient = phi.T @ (y - p) - alphas * w
        hessian = (phi * (p * (1 - p))[:, None]).T @ phi
        hessian[np.diag_indices_from(hessian)] += alphas
        try:
            step = np.linalg.solve(hessian, gradient)
        except np.linalg.LinAlgError:
            break
        decrement = gradient @ step
        if np.isnan(decrement):
            break
        last = decrement < DECREMENT and np.abs(step).max() <= SHARE * np.abs(w).max()
        if last or decrement < UNSEEN:
            w = w + step
            f = phi @ w
            if last:
                break
            height = log_posterior(f, w, alphas)
            continue
        size, along = 1.0, phi @ step
        for _ in range(40):
            higher = log_posterior(f + size * along, w + size * step, alphas)
            if higher > height:
                break
            size /= 2
        else:
            break
        w, f, height = w + size * step, f + size * along, higher
    return f


def corners(f):
    """True and false positive rates of the thresholds that no other beats, on probabilities of log-odds
    that are brought to 1 at most; what rounding may part is tied."""
    largest = np.abs(f).max()
    f = 1 / (1 + np.exp(-f / largest if 0 < largest < 1 else -f))
    order = np.argsort(-f, kind="stable")
    scores, truth = f[order], y[order]
    last = np.append(np.flatnonzero(np.diff(scores) < -TIE), len(scores) - 1)
    tpr = np.append(0, np.cumsum(truth)[last] / truth.sum())
    fpr = np.append(0, np.cumsum(1 - truth)[last] / (1 - truth).sum())
    kept = np.append(np.diff(fpr) > 0, True)
    tpr, fpr = tpr[kept], fpr[kept]
    better = np.append(True, np.diff(np.maximum.accumulate(tpr)) > 0)
    return tpr[better], fpr[better]


def offer(archive, points):
    """The archive of costs with those of the new points that nothing dominates or equals."""
    beaten = (archive[None] <= points[:, None]).all(axis=2).any(axis=1)
    points = points[~beaten]
    if len(points) == 0:
        return archive
    stay = ~(points[None] <= archive[:, None]).all(axis=2).any(axis=1)
    return np.vstack([archive[stay], points])


def search():
    archive = np.empty((0, 3))
    for bases, alphas in candidates:
        tpr, fpr = corners(fit(phi[:, bases], alphas))
        complexity = np.full(len(tpr), (1 / (1 + alphas)).sum())
        archive = offer(archive, np.column_stack([-tpr, fpr, complexity]))
    return len(archive)


def read(path):
    raw = np.fromfile(path, dtype="<f8")
    found, at = [], 2
    for _ in range(int(raw[0])):
        size = int(raw[at])
        found.append((raw[at + 1 : at + 1 + size].astype(int), 10 ** raw[at + 1 + size : at + 1 + 2 * size]))
        at += 1 + 2 * size
    return found, raw[1]


case, folder = sys.argv[1:]
x, y = everything(case, folder)
candidates, width = read(Path(folder) / f"{case}.candidates")
phi = np.asfortranarray(design(x, width))
seconds, kept = timed(search)
report(seconds, kept)

"""Writes compare.json, the reference values of tests/compare_reference.rs.

    python -m venv /tmp/venv
    /tmp/venv/bin/pip install scipy==1.17.1 scikit-learn==1.9.1 scikit-posthocs==0.17.1
    /tmp/venv/bin/python compare.py > compare.json

Folds and the predictions on them are drawn here. Figures come from scikit-learn, tests from scipy and scikit-posthocs; the corrected resampled t
test, which neither has, from its formula and scipy's distribution.
"""

import csv
import io
import json
from itertools import combinations

import numpy as np
import scikit_posthocs
from scipy import stats
from sklearn import metrics

rng = np.random.default_rng(20261118)
FOLDS, REPEATS = 4, 2
METHODS = ["first", "second", "third"]
FLOOR = 1e-15


def text(header, rows):
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(header)
    table.writerows(rows)
    return out.getvalue()


def folds(labels):
    """The fold of every row in every repeat: each class is dealt out like cards."""
    placed = []
    for repeat in range(REPEATS):
        order = rng.permutation(len(labels))
        dealt = order[np.argsort(labels[order], kind="stable")]
        fold = np.empty(len(labels), dtype=int)
        fold[dealt] = np.arange(len(labels)) % FOLDS
        placed += [(row, repeat, int(fold[row])) for row in range(len(labels))]
    return placed


def tpr(truth, scores, cap):
    fpr, tpr, _ = metrics.roc_curve(truth, scores, drop_intermediate=False)
    return tpr[fpr <= cap + 1e-12].max()


def figures(labels, proba):
    """What there is to say of these rows; a dictionary by metric."""
    k = proba.shape[1]
    every = list(range(k))
    floored = np.clip(proba[np.arange(len(labels)), labels], FLOOR, 1)
    onehot = np.eye(k)[labels]
    found = dict(
        accuracy=metrics.accuracy_score(labels, proba.argmax(axis=1)),
        log2_likelihood=np.log2(floored).mean(),
        brier=((proba - onehot) ** 2).sum(axis=1).mean() / (2 if k == 2 else 1),
    )
    if k == 2:
        found["auc"] = metrics.roc_auc_score(labels, proba[:, 1])
        found["tpr_at_5"] = tpr(labels, proba[:, 1], 0.05)
        found["tpr_at_10"] = tpr(labels, proba[:, 1], 0.10)
        assert np.isclose(found["brier"], metrics.brier_score_loss(labels, proba[:, 1]))
    else:
        found["auc"] = metrics.roc_auc_score(labels, proba, multi_class="ovo", labels=every)
    return found


def made(name, rows, classes, skills):
    names = [f"c{c}" for c in range(classes)]
    labels = rng.integers(0, classes, rows)
    data = text(["x", "class"], [(i, names[c]) for i, c in enumerate(labels)])
    placed = folds(labels)
    outside, expected, split = {}, {}, {}
    for method, skill in zip(METHODS, skills):
        lines, of_repeats, of_folds = [], [], {}
        proba = {}
        for row, repeat, fold in placed:
            score = rng.normal(size=classes) + skill * np.eye(classes)[labels[row]]
            p = np.exp(score) / np.exp(score).sum()
            # Few digits, so that there are ties; the largest one makes the sum 1.
            p = np.round(p, 2)
            p[p.argmax()] += 1 - p.sum()
            p = np.round(p, 2)
            proba[row, repeat, fold] = p
            lines.append([row, repeat, fold, *map(repr, p.tolist())])
        outside[method] = text(["row", "repeat", "fold", *names], lines)
        for repeat in range(REPEATS):
            keys = [key for key in placed if key[1] == repeat]
            of_repeats.append(figures(labels[[k[0] for k in keys]], np.array([proba[k] for k in keys])))
            for fold in range(FOLDS):
                part = [key for key in keys if key[2] == fold]
                found = figures(labels[[k[0] for k in part]], np.array([proba[k] for k in part]))
                for metric, value in found.items():
                    of_folds.setdefault(metric, []).append(float(value))
        expected[method] = {m: float(np.mean([f[m] for f in of_repeats])) for m in of_repeats[0]}
        split[method] = of_folds
    pairs = [
        dict(first=a, second=b, metric=metric, **corrected(split[a][metric], split[b][metric]))
        for a, b in combinations(METHODS, 2)
        for metric in split[a]
    ]
    assigned = [[fold for _, r, fold in placed if r == repeat] for repeat in range(REPEATS)]
    return dict(name=name, data=data, assigned=assigned, outside=outside, expected=expected,
                folds=split, pairs=pairs)


def corrected(first, second):
    """The corrected resampled t test of Nadeau and Bengio."""
    d = np.array(first) - np.array(second)
    error = np.sqrt((1 / len(d) + 1 / (FOLDS - 1)) * d.var(ddof=1))
    t = d.mean() / error
    return dict(mean=d.mean(), error=error, t=t, p=2 * stats.t.sf(abs(t), len(d) - 1))


def over(sets, metric):
    results = np.round([[s["expected"][m][metric] for m in METHODS] for s in sets], 12)
    turned = results if metric == "brier" else -results
    chi = stats.friedmanchisquare(*results.T)
    wilcoxon = []
    for i, j in combinations(range(len(METHODS)), 2):
        d = np.round(results[:, i] - results[:, j], 12)
        exact = len(np.unique(np.abs(d))) == len(d) and (d != 0).all()
        found = stats.wilcoxon(d, method="exact" if exact else "asymptotic", correction=not exact)
        wilcoxon.append(dict(first=METHODS[i], second=METHODS[j], p=found.pvalue))
    return dict(
        metric=metric,
        ranks=stats.rankdata(turned, axis=1).mean(axis=0).tolist(),
        chi=chi.statistic,
        chi_p=chi.pvalue,
        nemenyi=scikit_posthocs.posthoc_nemenyi_friedman(turned).to_numpy().tolist(),
        wilcoxon=wilcoxon,
    )


def main():
    sizes = [(48, 1.5), (60, 1.0), (52, 0.7), (64, 1.2), (56, 0.9), (50, 1.1)]
    two = [
        made(f"two-{i}", rows, 2, [skill, skill * 0.95, skill * 0.7])
        for i, (rows, skill) in enumerate(sizes)
    ]
    three = made("three", 72, 3, [1.5, 1.0, 0.5])
    compared = [over(two, m) for m in ["auc", "accuracy", "log2_likelihood", "brier"]]
    document = dict(two=two, three=three, over=compared)
    print(json.dumps(document))


main()

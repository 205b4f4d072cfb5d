"""Writes significance.json, the reference values of tests/statistics/significance.rs.

    python -m venv /tmp/venv
    /tmp/venv/bin/pip install scipy==1.17.1 statsmodels==0.15.0 scikit-posthocs==0.17.1
    /tmp/venv/bin/python significance.py > significance.json

Tests come from scipy, statsmodels and scikit-posthocs; the corrected t test, which none of them
has, and the F of Iman and Davenport from their formulas and scipy's distributions.
"""

import json
import sys
import warnings

import numpy as np
import scikit_posthocs
from big import clean, uniform
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

warnings.filterwarnings("ignore")
rng = np.random.default_rng(20260610)
SIDES = ["two-sided", "less", "greater"]


def groups():
    def test(name, x, y, method, null, big=None):
        found = [stats.mannwhitneyu(x, y, alternative=a, use_continuity=null != "plain",
                                    method=method) for a in SIDES]
        return dict(name=name, big=big, first=None if big else x, second=None if big else y,
                    null=null, statistic=found[0].statistic, p=[f.pvalue for f in found])

    x, y = rng.normal(size=7), rng.normal(0.8, size=9)
    yield test("few", x, y, "exact", "exact")
    yield test("few, by default", x, y, "exact", "auto")
    yield test("few, normal", x, y, "asymptotic", "normal")
    yield test("few, no correction", x, y, "asymptotic", "plain")
    yield test("one against many", [0.3], rng.normal(size=30), "exact", "auto")
    yield test("twenty-five each", rng.normal(size=25), rng.normal(1, size=25), "exact", "auto")
    x, y = np.round(rng.normal(size=40)), np.round(rng.normal(0.5, size=35))
    yield test("heavy ties", x, y, "asymptotic", "auto")
    yield test("ties, no correction", x, y, "asymptotic", "plain")
    x, y = rng.integers(0, 4, 6) / 1.0, rng.integers(1, 5, 5) / 1.0
    counted = stats.PermutationMethod(n_resamples=10**6)
    yield test("ties, counted", x, y, counted, "exact")
    yield test("a hundred", rng.normal(size=100), rng.normal(0.7, size=120), "asymptotic", "auto")
    u = uniform(6, 100000)
    yield test("a hundred thousand", u[:40000], u[40000:] + 0.004, "asymptotic", "auto",
               big=[6, 40000])


def pairs():
    def test(name, d, zeros, method, null):
        found = [stats.wilcoxon(d, zero_method=zeros, correction=null != "plain", alternative=a,
                                method=method) for a in SIDES]
        return dict(name=name, differences=d, pratt=zeros == "pratt", null=null,
                    statistic=found[2].statistic, p=[f.pvalue for f in found])

    d = rng.normal(0.4, size=12)
    yield test("few", d, "wilcox", "exact", "auto")
    yield test("few, normal", d, "wilcox", "asymptotic", "normal")
    yield test("few, no correction", d, "wilcox", "asymptotic", "plain")
    yield test("fifty", rng.normal(0.4, size=50), "wilcox", "exact", "auto")
    yield test("eighty", rng.normal(0.4, size=80), "wilcox", "asymptotic", "auto")
    d = np.round(rng.normal(0.5, size=30) * 2) / 2
    for zeros in ["wilcox", "pratt"]:
        yield test(f"ties and zeros, {zeros}", d, zeros, "asymptotic", "auto")
        yield test(f"ties and zeros, {zeros}, plain", d, zeros, "asymptotic", "plain")
    d = np.round(rng.normal(0.5, size=9) * 2) / 2
    counted = stats.PermutationMethod(n_resamples=10**6)
    yield test("ties, counted", d[d != 0], "wilcox", counted, "exact")


def resampled():
    for name, n, shift, k in [("ten folds", 10, 0.05, 10), ("ten times ten", 100, 0.02, 10),
                              ("no difference", 50, 0.0, 5), ("two", 2, 0.1, 2)]:
        d = rng.normal(shift, 0.04, n)
        scale = np.sqrt((1 / n + 1 / (k - 1)) * d.var(ddof=1))
        t = d.mean() / scale
        tails = stats.t.sf([abs(t), -t, t], n - 1) * [2, 1, 1]
        yield dict(name=name, differences=d, k=k, t=t, error=scale, p=tails)


def rows_apart():
    for b, c in [(0, 0), (1, 0), (5, 0), (3, 9), (10, 10), (25, 40), (121, 59), (5000, 5200),
                 (50000, 51000)]:
        exact = mcnemar([[7, b], [c, 7]], exact=True)
        p = 1.0 if b + c == 0 else exact.pvalue
        chi = None
        # At b = c statsmodels corrects 0 to 1; R and we leave it at 0.
        if b != c:
            found = mcnemar([[7, b], [c, 7]], exact=False, correction=True)
            chi = [found.statistic, found.pvalue]
        yield dict(first=b, second=c, p=p, chi=chi)


def tables():
    def test(name, x):
        n, k = x.shape
        found = stats.friedmanchisquare(*x.T)
        f = (n - 1) * found.statistic / (n * (k - 1) - found.statistic)
        return dict(
            name=name, results=x, ranks=stats.rankdata(-x, axis=1).mean(axis=0),
            chi=found.statistic, chi_p=found.pvalue, f=f,
            f_p=stats.f.sf(f, k - 1, (k - 1) * (n - 1)),
            nemenyi=scikit_posthocs.posthoc_nemenyi_friedman(x).to_numpy(),
            cd=[stats.studentized_range.ppf(1 - a, k, np.inf) * np.sqrt(k * (k + 1) / 12 / n)
                for a in [0.05, 0.1]])

    yield test("five on twelve", rng.normal(size=(12, 5)) + np.arange(5) * 0.4)
    yield test("ties", np.round(rng.normal(size=(20, 4)) + np.arange(4) * 0.3, 0))
    yield test("three on four", rng.normal(size=(4, 3)))
    yield test("twelve on thirty", rng.normal(size=(30, 12)) + np.arange(12) * 0.2)
    # scipy's friedmanchisquare takes three columns at least.
    yield test("many rows", np.round(rng.normal(size=(2000, 6)), 1) + np.arange(6) * 0.03)


def many():
    for name, p in [("uniform", rng.random(20)), ("small", rng.random(15) ** 4),
                    ("ties", np.round(rng.random(30) ** 2, 1)), ("one", np.array([0.03])),
                    ("ends", np.array([0.0, 1.0, 0.5, 0.0]))]:
        yield dict(name=name, p=p, holm=multipletests(p, method="holm")[1],
                   bh=multipletests(p, method="fdr_bh")[1])


def tails():
    for z in [-3.0, 0.0, 0.3, 1.0, 1.96, 3.5, 8.0, 20.0]:
        yield ["normal", z, 0, 0, stats.norm.sf(z)]
    for x in [1e-3, 0.5, 3.84, 20.0, 200.0]:
        for df in [1, 2, 7, 40]:
            yield ["chi", x, df, 0, stats.chi2.sf(x, df)]
    for t in [-4.0, 0.0, 1e-3, 1.3, 5.0, 40.0]:
        for df in [1, 2, 9, 99, 10000]:
            yield ["t", t, df, 0, stats.t.sf(t, df)]
    for f in [1e-3, 0.7, 3.0, 15.0]:
        for a, b in [(1, 1), (3, 12), (11, 319), (5, 9995)]:
            yield ["f", f, a, b, stats.f.sf(f, a, b)]
    for k, n in [(0, 1), (2, 20), (10, 20), (19, 20), (450, 1000), (49000, 100000), (0, 1000)]:
        for p in [0.5, 0.3]:
            yield ["binomial", k, n, p, stats.binom.cdf(k, n, p)]
    for k in [2, 3, 5, 10, 20, 50, 100]:
        for q in [0.5, 2.0, 3.5, 6.0]:
            yield ["range", q, k, 0, stats.studentized_range.sf(q, k, np.inf)]
        for a in [0.01, 0.05, 0.1, 0.5]:
            yield ["quantile", a, k, 0, stats.studentized_range.ppf(1 - a, k, np.inf)]


json.dump(clean(dict(groups=list(groups()), pairs=list(pairs()), resampled=list(resampled()),
                     rows_apart=list(rows_apart()), tables=list(tables()), many=list(many()),
                     tails=list(tails()))), sys.stdout)
print()

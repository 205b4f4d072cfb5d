"""Hold `evocracy compare` against scikit-learn and scipy, on five embedded data sets.

    cargo build --release
    cargo xtask bench csv        # makes the environment, once
    bench/target/venv/bin/python bench/peers/comparing.py

Ten of our methods and five of scikit-learn, trained here on the folds that `--folds-out` writes and
given with `--also`, are compared. Of the peers every figure is computed anew by scikit-learn; of all
pairs the corrected resampled t test, and over the sets Wilcoxon's and Friedman's test, by scipy from
the figures in the document. Prints the largest differences, how our methods stand against the peers
of the same name, and which share of the CPU time was not spent in fits and predictions. Ends with an
error where a difference is above 1e-9 or the share above 3 %.

Options: --folds N, --repeats N, --threads N, --binary FILE.
"""

import argparse
import csv
import gzip
import json
import resource
import subprocess
import tempfile
from itertools import combinations
from pathlib import Path

import numpy as np
from scipy import stats
from sklearn import ensemble, metrics, naive_bayes, neighbors, tree
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

ROOT = Path(__file__).resolve().parents[2]
SETS = ["iris", "wdbc", "pima", "segment", "car"]
METHODS = "tree,stump,naive-bayes,knn,logistic,lvq,forest,extra-trees,bag,adaboost".split(",")
SLACK = 1e-9
MOST_BESIDE = 0.03


def peers():
    return {
        "sk-tree": tree.DecisionTreeClassifier(random_state=0),
        "sk-naive-bayes": naive_bayes.GaussianNB(),
        "sk-knn": make_pipeline(StandardScaler(), neighbors.KNeighborsClassifier()),
        "sk-logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000)),
        "sk-forest": ensemble.RandomForestClassifier(random_state=0),
    }


def table(binary, name, folder):
    """The rows of an embedded set as numbers, its labels and its classes in their order."""
    files = {"pima": ["pima-tr.csv.gz", "pima-te.csv.gz"]}.get(name, [f"{name}.csv.gz"])
    rows = []
    for file in files:
        found = next(ROOT.glob(f"crates/evocracy/embed/**/{file}"), None)
        with gzip.open(found, "rt") as lines:
            header, *more = list(csv.reader(lines))
        rows += more
    target = next((i for i, n in enumerate(header) if n.lower() == "class"), len(header) - 1)
    classes = sorted({row[target] for row in rows})
    labels = np.array([classes.index(row[target]) for row in rows])
    cells = [[c for i, c in enumerate(row) if i != target] for row in rows]
    try:
        x = np.array(cells, dtype=float)
    except ValueError:
        x = OneHotEncoder(sparse_output=False).fit_transform(np.array(cells))
    return x, labels, classes


def compare(binary, words, quiet=True):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([binary, "compare", *words], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout, spent


def predictions(x, labels, classes, folds, name, model):
    """Out-of-fold probabilities by (row, repeat)."""
    found = {}
    for repeat, fold in sorted({(repeat, fold) for _, repeat, fold in folds}):
        test = [row for row, r, f in folds if (r, f) == (repeat, fold)]
        train = np.setdiff1d(np.arange(len(x)), test)
        model.fit(x[train], labels[train])
        said = np.zeros((len(test), len(classes)))
        said[:, model.classes_] = model.predict_proba(x[test])
        for row, proba in zip(test, said / said.sum(axis=1, keepdims=True)):
            found[row, repeat] = proba
    return found


def figures(labels, proba):
    k = proba.shape[1]
    truth = np.clip(proba[np.arange(len(labels)), labels], 1e-15, 1)
    found = dict(
        accuracy=metrics.accuracy_score(labels, proba.argmax(axis=1)),
        log2_likelihood=np.log2(truth).mean(),
        brier=((proba - np.eye(k)[labels]) ** 2).sum(axis=1).mean() / (2 if k == 2 else 1),
    )
    if k == 2:
        fpr, tpr, _ = metrics.roc_curve(labels, proba[:, 1], drop_intermediate=False)
        found["auc"] = metrics.roc_auc_score(labels, proba[:, 1])
        for cap in [5, 10]:
            found[f"tpr_at_{cap}"] = tpr[fpr <= cap / 100 + 1e-12].max()
    else:
        every = list(range(k))
        found["auc"] = metrics.roc_auc_score(labels, proba, multi_class="ovo", labels=every)
    return found


class Worst:
    """The largest difference of a kind."""

    def __init__(self):
        self.far = {}

    def __call__(self, kind, ours, theirs):
        far = abs(ours - theirs) / max(1.0, abs(theirs))
        self.far[kind] = max(self.far.get(kind, 0.0), far)


def tests(document, k, worst):
    """Every test of the document, from its own figures."""
    for found in document["sets"]:
        methods = {m["name"]: m["figures"] for m in found["methods"]}
        for pair in found["pairs"]:
            for metric in set(pair) - {"first", "second"}:
                of = [methods[pair[side]][metric]["folds"] for side in ["first", "second"]]
                both = [(a, b) for a, b in zip(*of) if a is not None and b is not None]
                d = np.array(both)[:, 0] - np.array(both)[:, 1]
                ours = pair[metric]
                worst("mean difference", ours["mean"], d.mean())
                if ours["p_value"] is None or np.all(d == 0):
                    continue
                error = np.sqrt((1 / len(d) + 1 / (k - 1)) * d.var(ddof=1))
                worst("corrected t", ours["p_value"], 2 * stats.t.sf(abs(d.mean() / error), len(d) - 1))
    for metric, over in document["over_sets"].items():
        values = np.array([
            [next(m for m in s["methods"] if m["name"] == name)["figures"][metric]["value"]
             for name in over["methods"]]
            for s in document["sets"] if s["dataset"] in over["sets"]
        ]).round(12)
        friedman = stats.friedmanchisquare(*values.T)
        worst("Friedman", over["friedman"]["chi_square_p"], friedman.pvalue)
        for pair in over["wilcoxon"]:
            i, j = (over["methods"].index(pair[side]) for side in ["first", "second"])
            d = (values[:, i] - values[:, j]).round(12)
            if np.all(d == 0):
                continue
            how = "exact" if pair["exact"] else "asymptotic"
            p = stats.wilcoxon(d, method=how, correction=not pair["exact"]).pvalue
            worst("Wilcoxon", pair["p_value"], p)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--binary", default=ROOT / "target/release/evocracy")
    asked = parser.parse_args()
    how = ["--folds", str(asked.folds), "--repeats", str(asked.repeats)]
    data, worst = ",".join(SETS), Worst()
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "folds.csv"
        compare(asked.binary, [data, "-m", "none", *how, "--folds-out", written])
        folds = {name: [] for name in SETS}
        for name, *cells in list(csv.reader(written.open()))[1:]:
            folds[name].append(tuple(map(int, cells)))
        tables = {name: table(asked.binary, name, folder) for name in SETS}
        said, also = {}, []
        for peer, model in peers().items():
            out = Path(folder) / f"{peer}.csv"
            columns = sorted({c for _, _, classes in tables.values() for c in classes})
            with out.open("w", newline="") as file:
                rows = csv.writer(file)
                rows.writerow(["data", "row", "repeat", "fold", *columns])
                for name, (x, labels, classes) in tables.items():
                    said[name, peer] = predictions(x, labels, classes, folds[name], peer, model)
                    for row, repeat, fold in folds[name]:
                        proba = dict(zip(classes, said[name, peer][row, repeat].tolist()))
                        cells = [repr(proba.get(column, 0.0)) for column in columns]
                        rows.writerow([name, row, repeat, fold, *cells])
            also += ["--also", f"{peer}={out}"]
        words = [data, "-m", ",".join(METHODS), *how, *also, "--json", "--quiet"]
        text, spent = compare(asked.binary, [*words, "--threads", str(asked.threads)])
        none = [data, "-m", "none", *how, "--quiet"]
        _, beside = compare(asked.binary, [*none, *also, "--json"])
        # Reading the data and making the folds are part of comparing our methods as well.
        _, folded = compare(asked.binary, [*none, "--folds-out", str(written)])
    document = json.loads(text)
    for found in document["sets"]:
        labels = tables[found["dataset"]][1]
        for method in (m for m in found["methods"] if m["outside"]):
            proba = said[found["dataset"], method["name"]]
            each = []
            for repeat in range(asked.repeats):
                rows = [row for row, r in proba if r == repeat]
                each.append(figures(labels[rows], np.array([proba[row, repeat] for row in rows])))
            for metric in each[0]:
                mean = np.mean([of[metric] for of in each])
                worst(metric, method["figures"][metric]["value"], mean)
    tests(document, asked.folds, worst)
    print("| figure or test | largest difference |\n|---|---|")
    for kind, far in worst.far.items():
        print(f"| {kind} | {far:.1e} |")
    print("\n| data | ours | AUC | peer | AUC | p |\n|---|---|---|---|---|---|")
    for found in document["sets"]:
        methods = {m["name"]: m["figures"] for m in found["methods"]}
        for name in METHODS:
            if f"sk-{name}" not in methods:
                continue
            pair = next(p for p in found["pairs"] if (p["first"], p["second"]) == (name, f"sk-{name}"))
            auc = [methods[side]["auc"]["value"] for side in [name, f"sk-{name}"]]
            p = pair["auc"]["p_value"]
            shown = "none" if p is None else f"{p:.3f}"
            print(f"| {found['dataset']} | {name} | {auc[0]:.4f} | sk-{name} | {auc[1]:.4f} | {shown} |")
    fits = sum(of["fits"] * (of["fit_s"] + of["predict_s"]) for of in document["timing"]["cpu"])
    # Only reading and judging what was made elsewhere is no part of comparing our methods.
    share = (spent - (beside - folded) - fits) / fits
    print(f"\nFits and predictions took {fits:.2f} CPU seconds, all else {100 * share:.2f} % of that.")
    far = max(worst.far.values())
    if far > SLACK or share > MOST_BESIDE:
        raise SystemExit("further apart, or more expensive, than it may be")


main()

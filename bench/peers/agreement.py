"""Write docs/agreement.md: scikit-learn's committees and ours on the same rows.

    cargo build --release
    cargo xtask bench csv        # makes the environment, once
    bench/target/venv/bin/python bench/peers/agreement.py

Every method is trained and judged on the same stratified splits, three quarters to a quarter; a
split has its own seed. Options: --splits N, --only TEXT (cases that contain it; prints and writes
no page).
"""

import argparse
import csv
import json
import math
import subprocess
import tempfile
import warnings
from pathlib import Path

import numpy as np
import sklearn
from scipy import stats
from sklearn import datasets, ensemble, multiclass
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

ROOT = Path(__file__).resolve().parents[2]
OURS = ROOT / "target/release/evocracy"
PAGE = ROOT / "docs/agreement.md"
TEST = 0.25

FULL_TREE = {"prune_folds": 0, "leaf": 1, "smoothing": 0}


def standardised(model):
    return make_pipeline(StandardScaler(), model)


def logistic():
    return standardised(LogisticRegression(max_iter=1000))


def experts(seed):
    return [
        ("tree", DecisionTreeClassifier(random_state=seed)),
        ("logistic", logistic()),
        ("knn", standardised(KNeighborsClassifier())),
    ]


def of_experts(**more):
    """Our settings that make the three experts those of scikit-learn."""
    trees = {f"1.{name}": value for name, value in FULL_TREE.items()}
    return {**trees, "3.smoothing": 0, **more}


def output_code(classes, seed):
    bits = math.ceil(10 * math.log2(classes))
    return multiclass.OutputCodeClassifier(logistic(), code_size=bits / classes, random_state=seed)


# Method, our settings, the peer of so many classes and a seed, the least classes it is for.
CASES = [
    ("forest", {}, lambda k, s: ensemble.RandomForestClassifier(random_state=s), 2),
    ("extra-trees", {}, lambda k, s: ensemble.ExtraTreesClassifier(random_state=s), 2),
    (
        "bag",
        {},
        lambda k, s: ensemble.BaggingClassifier(
            DecisionTreeClassifier(), n_estimators=100, random_state=s
        ),
        2,
    ),
    (
        "bag:knn",
        {"members": 30, "1.smoothing": 0},
        lambda k, s: ensemble.BaggingClassifier(
            standardised(KNeighborsClassifier()), n_estimators=30, random_state=s
        ),
        2,
    ),
    ("adaboost", {}, lambda k, s: ensemble.AdaBoostClassifier(n_estimators=100, random_state=s), 2),
    (
        "vote:tree+logistic+knn",
        of_experts(),
        lambda k, s: ensemble.VotingClassifier(experts(s), voting="soft"),
        2,
    ),
    (
        "stack:tree+logistic+knn",
        of_experts(),
        lambda k, s: ensemble.StackingClassifier(experts(s), final_estimator=logistic()),
        2,
    ),
    ("one-rest:logistic", {}, lambda k, s: multiclass.OneVsRestClassifier(logistic()), 3),
    ("pairs:logistic", {"decode": "wins"}, lambda k, s: multiclass.OneVsOneClassifier(logistic()), 3),
    ("ecoc:logistic", {}, output_code, 3),
]


def tables():
    for name in ["breast_cancer", "iris", "wine", "digits"]:
        table = getattr(datasets, f"load_{name}")()
        yield name, table.data, table.target
    x, y = datasets.make_classification(
        n_samples=1000, n_features=20, n_informative=8, n_classes=4, random_state=0
    )
    yield "generated", x, y


def write(path, x, y):
    with open(path, "w", newline="") as out:
        rows = csv.writer(out)
        rows.writerow([f"x{column}" for column in range(x.shape[1])] + ["class"])
        rows.writerows([*map(repr, row), f"c{label}"] for row, label in zip(x.tolist(), y))


def ours(method, settings, train, test, seed):
    """The accuracy of the command on the test rows."""
    words = [OURS, "fit", train, "--test", test, "--method", method, "--seed", str(seed)]
    for name, value in settings.items():
        words += ["-p", f"{name}={value}"]
    done = subprocess.run([*words, "--json", "--quiet"], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{method}: {done.stderr}")
    return json.loads(done.stdout)["test"]["accuracy"]


def compare(table, only, splits, folder):
    """The accuracies of every case: ours and the peer's, split by split."""
    name, x, y = table
    classes = len(np.unique(y))
    cases = [case for case in CASES if only in f"{case[0]} {name}" and classes >= case[3]]
    found = {case[0]: ([], []) for case in cases}
    train, test = Path(folder) / "train.csv", Path(folder) / "test.csv"
    for seed in range(splits if cases else 0):
        x_train, x_test, y_train, y_test = train_test_split(
            x, y, test_size=TEST, stratify=y, random_state=seed
        )
        write(train, x_train, y_train)
        write(test, x_test, y_test)
        for method, settings, make, _ in cases:
            found[method][0].append(ours(method, settings, train, test, seed))
            peer = make(classes, seed).fit(x_train, y_train)
            found[method][1].append(peer.score(x_test, y_test))
    return found


def judge(ours, theirs):
    """Means, the spread of the difference, and its p-values: with the standard error corrected
    for splits that overlap (Nadeau, Bengio 2003), and with the plain one."""
    difference = np.array(ours) - np.array(theirs)
    count, mean, sd = len(difference), difference.mean(), difference.std(ddof=1)
    p_values = []
    for ratio in [TEST / (1 - TEST), 0]:
        error = sd * math.sqrt(1 / count + ratio)
        equal = bool(np.all(difference == 0))
        p_values.append(1.0 if equal else 2 * stats.t.sf(abs(mean) / error, count - 1))
    return np.mean(ours), np.mean(theirs), mean, sd, *p_values


def lines(results):
    for name, found in results.items():
        for method, sides in found.items():
            own, peer, mean, sd, corrected, plain = judge(*sides)
            verdict = "yes" if corrected >= 0.05 else ("better" if mean > 0 else "WORSE")
            # Adding 0 makes a 0 of -0.
            figures = f"{own:.4f} | {peer:.4f} | {round(mean, 4) + 0.0:+.4f} | {sd:.4f}"
            yield f"| {name} | `{method}` | {figures} | {corrected:.3f} | {plain:.3f} | {verdict} |"


HEAD = """# Agreement with scikit-learn

Made by `bench/target/venv/bin/python bench/peers/agreement.py`, which rewrites this page (its first
lines say what must be built before): our committees and those of scikit-learn {version} trained and
judged on the same rows, {splits} stratified splits of each data set with {test:.0%} of the rows for
testing. The figures are mean accuracies, the mean of ours less theirs split by split, and its
standard deviation.

Splits overlap, so `p` comes from the corrected resampled t test (Nadeau, Bengio 2003): a difference
is within noise where it is at least 0.05. `plain p` is that of the paired t test as if splits were
independent, which finds too much; of all {cases} rows about {luck:.0f} would be below 0.05 by luck if
both sides were the same.

Settings are those that mean the same on both sides: full trees, 100 of them, 100 stumps, 30 bags of
neighbours, inputs standardised for neighbours and logistic regressions. Differences of kind remain.
`pairs` with `decode=wins` takes the mean of the probabilities, `OneVsOneClassifier` counts calls;
`ecoc` uses all code words of up to seven classes and decodes probabilities, `OutputCodeClassifier`
draws words at random and takes the nearest. Among equally good splits our trees take the first,
scikit-learn's one at random.

| data | method | ours | theirs | difference | sd | p | plain p | within noise |
|---|---|---|---|---|---|---|---|---|
"""

TAIL = """
Data: `breast_cancer`, `iris`, `wine`, `digits` of scikit-learn, and `make_classification` with 1000
rows, 20 columns (8 informative), 4 classes. Codes, pairs and one against the rest need three classes
to be more than one regression.

Beyond noise: {beyond} of {cases}. Below 0.05 by the plain test: {plain} of {cases}.
"""


def page(results, splits):
    rows = list(lines(results))
    judged = [judge(*sides) for found in results.values() for sides in found.values()]
    cases = len(rows)
    version = sklearn.__version__
    head = HEAD.format(version=version, splits=splits, test=TEST, cases=cases, luck=cases * 0.05)
    beyond = sum(p < 0.05 for *_, p, _ in judged)
    plain = sum(p < 0.05 for *_, p in judged)
    return head + "\n".join(rows) + "\n" + TAIL.format(beyond=beyond, plain=plain, cases=cases)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--only", default="")
    words = parser.parse_args()
    # A penalised regression that stops a little early says so at length.
    warnings.filterwarnings("ignore", category=sklearn.exceptions.ConvergenceWarning)
    with tempfile.TemporaryDirectory() as folder:
        results = {
            table[0]: compare(table, words.only, words.splits, folder) for table in tables()
        }
    if words.only:
        print("\n".join(lines(results)))
    else:
        PAGE.write_text(page(results, words.splits))


main()

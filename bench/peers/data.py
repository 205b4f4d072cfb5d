"""Make the data of a case, once: data.py BENCH CASE FOLDER.

A case with a dot names a data set of the folders of EVOCRACY_DATA: `tree` and its like get it as
numbers, `csv` reads it as it is.
"""

import csv
import gzip
import sys
from pathlib import Path

import numpy as np
from common import published


def classification(path, rows, columns):
    from sklearn.datasets import make_classification

    informative = columns // 2
    x, y = make_classification(
        n_samples=rows,
        n_features=columns,
        n_informative=informative,
        n_redundant=min(2, columns - informative),
        random_state=0,
    )
    write(path, x, y)


def write(path, x, y):
    """Rows and columns as u64, the numbers row by row, the classes: all little-endian."""
    with open(path, "wb") as out:
        np.array(x.shape, dtype="<u8").tofile(out)
        np.ascontiguousarray(x, dtype="<f8").tofile(out)
        y.astype("<f8").tofile(out)


def digits(path):
    """Pictures of digits, 8 by 8 pixels."""
    from sklearn.datasets import load_digits

    write(path, *load_digits(return_X_y=True))


def scores(path, rows):
    """Two scores of the same rows, the second a blurred copy of the first, and the truth."""
    rng = np.random.default_rng(0)
    truth = rng.random(rows) < 0.4
    first = rng.normal(size=rows) + truth
    write(path, np.column_stack([first, first + rng.normal(size=rows)]), truth)


def screen(path):
    """The leukaemia data: 72 samples, 7129 genes, whole numbers with ties."""
    with gzip.open(published("leukemia/leukemia.csv.gz"), "rt") as lines:
        rows = list(csv.reader(lines))[1:]
    x = np.array([[float(cell) for cell in row[:-1]] for row in rows])
    write(path, x, np.array([row[-1] == "AML" for row in rows]))


def table(path, megabytes):
    """Twelve columns of numbers, two of whole numbers, two of words."""
    rng = np.random.default_rng(0)
    words = np.array(["alpha", "beta", "gamma", "delta", "epsilon", "zeta"])
    header = [f"x{j}" for j in range(12)] + ["count", "code", "word", "class"]
    with open(path, "w") as out:
        out.write(",".join(header) + "\n")
        while out.tell() < megabytes * 1_000_000:
            n = 20_000
            numbers = rng.normal(size=(n, 12)).round(6)
            counts = rng.integers(0, 1_000_000, size=(n, 2))
            texts = words[rng.integers(0, len(words), size=(n, 2))]
            lines = (
                ",".join([*map(repr, a), str(b[0]), str(b[1]), c[0], c[1]])
                for a, b, c in zip(numbers.tolist(), counts.tolist(), texts.tolist())
            )
            out.write("\n".join(lines) + "\n")


def sphere(path, noise, points=100_000):
    """Points all over an eighth of the unit sphere, moved outwards by up to `noise`: numbers row
    by row, little-endian. More is better, so without noise no point dominates another."""
    rng = np.random.default_rng(0)
    x = np.abs(rng.normal(size=(points, 3)))
    x /= np.linalg.norm(x, axis=1)[:, None]
    x *= 1 + noise * rng.random(points)[:, None]
    x.astype("<f8").tofile(path)


def ripley(path, folder):
    """Ripley's synthetic training rows, as the library embeds them."""
    with gzip.open(folder / "ripley-synth-tr.csv.gz", "rt") as lines:
        rows = list(csv.DictReader(lines))
    x = np.array([[float(row["xs"]), float(row["ys"])] for row in rows])
    write(path, x, np.array([float(row["class"]) for row in rows]))


def moons(path, rows):
    """Two half circles that hold each other, blurred."""
    from sklearn.datasets import make_moons

    write(path, *make_moons(rows, noise=0.25, random_state=0))


def sinc(path, rows):
    """sin(x) / x with noise, in equal steps."""
    x = np.linspace(-10, 10, rows)
    noise = 0.1 * np.random.default_rng(0).normal(size=rows)
    write(path, x[:, None], np.sinc(x / np.pi) + noise)


def multiplexer(path, bits, rows=10_000):
    """Random bits, the first of which are the address of the one that is the class."""
    address = int(np.log2(bits))
    x = np.random.default_rng(0).integers(0, 2, size=(rows, bits))
    chosen = x[:, :address] @ (1 << np.arange(address)[::-1])
    write(path, x, x[np.arange(rows), address + chosen])


def car(path):
    """The car data in random order, every level in binary code (12 bits, as in the rule paper)."""
    embedded = Path(__file__).parents[2] / "crates/evocracy/embed/car.csv.gz"
    with gzip.open(embedded, "rt") as lines:
        table = np.array([line.rstrip("\n").split(",") for line in lines][1:])
    codes = [np.unique(column, return_inverse=True)[1] for column in table.T]
    bits = [
        code >> bit & 1
        for code in codes[:-1]
        for bit in reversed(range(int(code.max()).bit_length()))
    ]
    order = np.random.default_rng(0).permutation(len(table))
    write(path, np.column_stack(bits)[order], codes[-1][order])


def mixed(path, rows):
    """Six columns of numbers and eight of levels, in the sizes of the census table `adult`; a fifth
    of the rows are rich, by a few facts and by chance."""
    import math
    import random

    rng = random.Random(0)
    sizes = [7, 16, 7, 14, 6, 5, 2, 41]
    names = ["age", "weight", "years", "gain", "loss", "hours"]
    names += [f"n{at}" for at in range(len(sizes))]
    with open(path, "w") as out:
        out.write(",".join(names) + ",class\n")
        for _ in range(rows):
            age = min(90, 17 + int(rng.gammavariate(2.2, 10)))
            weight = int(rng.lognormvariate(12, 0.5))
            years = min(16, max(1, int(rng.gauss(10, 2.6))))
            gain = int(rng.lognormvariate(8.5, 1)) if rng.random() < 0.08 else 0
            loss = int(rng.gauss(1900, 350)) if rng.random() < 0.05 else 0
            hours = min(99, max(1, int(rng.gauss(40, 12))))
            level = [min(k - 1, int(rng.expovariate(4 / k))) for k in sizes]
            score = -3.4 + 2.2 * (level[2] == 0) + 0.35 * (years - 10) + 0.03 * min(age - 40, 15)
            score += 2.5 * (gain > 5000) + 1.5 * (loss > 1800) + 0.03 * (hours - 40)
            score += 0.8 * (level[3] in (0, 3)) - 0.7 * (level[3] > 8) + 0.4 * (level[6] == 0)
            rich = rng.random() < 1 / (1 + math.exp(-score))
            cells = [age, weight, years, gain, loss, hours] + [f"v{v}" for v in level]
            out.write(",".join(map(str, cells)) + (",rich\n" if rich else ",poor\n"))


def numbers(path, name):
    """A data set of EVOCRACY_DATA: columns of numbers, the class last; its rows shuffled."""
    with gzip.open(published(name), "rt") as lines:
        _, *rows = csv.reader(lines)
    rows = np.array(rows)[np.random.default_rng(0).permutation(len(rows))]
    write(path, rows[:, :-1].astype(float), np.unique(rows[:, -1], return_inverse=True)[1])


def embedded(path, name):
    """A data set that comes with the library, its rows shuffled."""
    import random

    source = Path(__file__).parents[2] / f"crates/evocracy/embed/{name}.csv.gz"
    header, *rows = gzip.decompress(source.read_bytes()).decode().splitlines()
    random.Random(0).shuffle(rows)
    path.write_text("\n".join([header, *rows]) + "\n")


def raetsch(name):
    """The training rows of the first partition of a data set of EVOCRACY_DATA, standardised."""
    import json

    with gzip.open(published(f"raetsch/{name}.csv.gz"), "rt") as lines:
        _, *rows = csv.reader(lines)
    with gzip.open(published(f"raetsch/{name}.splits.json.gz"), "rt") as text:
        train = json.load(text)["train"][0]
    rows = np.array(rows)[train]
    x = rows[:, :-1].astype(float)
    spread = x.std(axis=0)
    x = (x - x.mean(axis=0)) / np.where(spread > 0, spread, 1)
    return x, np.unique(rows[:, -1], return_inverse=True)[1]


def candidates(path, case):
    """Rows, and relevance vector machines to be scored: for each its bases (0 is the bias, then all
    rows at the first width, at half of it, at a quarter) and the logarithms of their precisions.
    The file begins with their number and the first width."""
    rng = np.random.default_rng(0)
    if case.startswith("rows"):
        from sklearn.datasets import make_moons

        x, y = make_moons(int(case.removeprefix("rows")), noise=0.25, random_state=0)
        count, least, most, width = 1000, 10, 11, 1
    else:
        x, y = raetsch(case)
        # Those that cross-validation finds for relevance vector machines, about.
        count, least, most, width = 4000, 1, 25, {"banana": 1, "german": 6}[case]
    write(path, x, y)
    with open(path.with_suffix(".candidates"), "wb") as out:
        np.array([count, width], dtype="<f8").tofile(out)
        for _ in range(count):
            size = rng.integers(least, most)
            bases = np.sort(rng.choice(1 + 3 * len(x), size, replace=False))
            logs = rng.uniform(-12, 12, size)
            np.concatenate([[size], bases, logs]).astype("<f8").tofile(out)


def network(path, case, relabellings=4):
    """Codes column by column, a byte each, in some relabellings of their states: rows, columns,
    relabellings, then for each column its number of states and its place in an order, as u64. A
    sample of ALARM with an order of its own structure, or labels of 12 experts and the truth: two
    groups of them copy much from their first one."""
    rng = np.random.default_rng(0)
    if case == "alarm":
        import pyagrum as gum

        text = path.with_suffix(".bif")
        text.write_bytes(gzip.decompress(published("networks/alarm.bif.gz").read_bytes()))
        alarm = gum.loadBN(str(text))
        gum.initRandom(1)
        generator = gum.BNDatabaseGenerator(alarm)
        generator.drawSamples(10_000)
        frame = generator.to_pandas()
        names = [alarm.variable(n).name() for n in alarm.nodes()]
        labels = [list(alarm.variable(n).labels()) for n in alarm.nodes()]
        columns = [frame[n].map(own.index).to_numpy() for n, own in zip(names, labels)]
        states, order = [len(own) for own in labels], list(alarm.topologicalOrder())
    else:
        rows, classes = 1000, 10
        columns = [rng.integers(0, classes, rows)]
        for expert in range(12):
            right = rng.random(rows) < 0.6 + 0.02 * expert
            said = np.where(right, columns[0], rng.integers(0, classes, rows))
            copies = rng.random(rows) < 0.5
            first = {1: 1, 2: 1, 3: 1, 7: 7, 8: 7}.get(expert)
            columns.append(said if first is None else np.where(copies, columns[first], said))
        states, order = [classes] * 13, list(range(13))
    with open(path, "wb") as out:
        sizes = [len(columns[0]), len(columns), relabellings, *states, *order]
        np.array(sizes, dtype="<u8").tofile(out)
        for turn in range(relabellings):
            for column, count in zip(columns, states):
                new = rng.permutation(count) if turn else np.arange(count)
                new[column].astype("u1").tofile(out)


def waves(rows):
    """Breiman's waveforms at 21 places: the first class against the other two."""
    rng = np.random.default_rng(0)
    place = np.arange(21)
    wave = [np.maximum(6 - np.abs(place - peak), 0) for peak in (10, 14, 6)]
    y, blend = rng.integers(0, 3, rows), rng.random(rows)[:, None]
    pairs = np.array([(0, 1), (0, 2), (1, 2)])[y]
    clean = blend * np.array(wave)[pairs[:, 0]] + (1 - blend) * np.array(wave)[pairs[:, 1]]
    return clean + rng.normal(size=clean.shape), (y == 0).astype(float)


def hard_network(path, case):
    """Standardised rows, and parameters of a network that is within the tolerance of the bench."""
    inputs, hidden, _ = map(int, case.split("-"))
    if inputs == 2:
        ripley(path, Path(__file__).parents[2] / "crates/evocracy/embed")
        raw = np.fromfile(path, dtype="<f8")[2:]
        x, y = raw[: 2 * len(raw) // 3].reshape(-1, 2), raw[2 * len(raw) // 3 :]
    else:
        x, y = waves(400)
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    write(path, x, y)
    biases = hidden * inputs
    votes, last = biases + hidden, biases + 2 * hidden

    def error(at):
        units = np.tanh(x @ at[:biases].reshape(hidden, inputs).T + at[biases:votes])
        calls = units @ at[votes:last] + at[last] > 0
        return 1 - calls[y == 1].mean() * (1 - calls[y == 0].mean())

    rng = np.random.default_rng(0)
    at = rng.normal(size=last + 1)
    now = error(at)
    while now > 0.28:
        step = at + 0.2 * rng.normal(size=last + 1)
        new = error(step)
        if new <= now:
            at, now = step, new
    at.astype("<f8").tofile(path.with_suffix(".start"))


def make(bench, case, path):
    if bench == "abc":
        hard_network(path, case)
    elif bench == "network":
        network(path, case)
    elif bench == "front":
        candidates(path, case)
    elif bench == "rules":
        mixed(path, 32_000) if case == "adult-like" else embedded(path, case)
    elif "." in case:
        numbers(path, case)
    elif bench == "csv":
        table(path, int(case.removesuffix("MB")))
    elif bench == "archive":
        # So much noise leaves about 17,400 points that nothing dominates.
        sphere(path, {"sphere": 0.0, "noisy-sphere": 0.0307}[case])
    elif bench == "auc":
        scores(path, int(float(case.rsplit("-", 1)[1])))
    elif case == "screen":
        screen(path)
    elif case == "ripley":
        ripley(path, Path(__file__).parents[2] / "crates/evocracy/embed")
    elif case.startswith("moons"):
        moons(path, int(case.removeprefix("moons")))
    elif case.startswith("sinc"):
        sinc(path, int(case.removeprefix("sinc")))
    elif bench == "lcs":
        car(path) if case == "car" else multiplexer(path, int(case.removeprefix("mux")))
    elif case == "digits":
        digits(path)
    else:
        rows, columns = map(int, case.split("x"))
        classification(path, rows, columns)


def main():
    bench, case, folder = sys.argv[1:]
    if bench in ("onemax", "nsga2", "front-file", "sizes") or (bench == "csv" and "." in case):
        return  # they search, and need no data, or read what is there
    if bench == "abc" and not case[0].isdigit():
        return  # it makes its own
    if bench == "genes" and case != "screen":
        return  # a data set of EVOCRACY_DATA, or generated
    for ending in ("-predict", "-wall", "-cpu", "-search", "-fit"):
        case = case.removesuffix(ending)
    if bench == "network":
        case = case.split("-")[0]
    path = Path(folder) / f"{case}.{'csv' if bench in ('csv', 'rules') else 'bin'}"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        make(bench, case, path)


main()

"""Learning vector quantization as plain loops, for the tests of experts/lvq.

    python lvq.py > lvq.json

The codebook after every step, from a given start and order.
"""

import json

import numpy as np

RATE, WINDOW, EPSILON = 0.3, 0.4, 0.25


def step(kind, book, labels, rates, x, y, rate, turn):
    apart = np.linalg.norm(book - x, axis=1)
    first, second = np.argsort(apart, kind="stable")[:2]
    if kind == "lvq1":
        sign = 1 if labels[first] == y else -1
        book[first] += sign * rate * (x - book[first])
    elif kind == "olvq1":
        sign = 1 if labels[first] == y else -1
        book[first] += sign * rates[first] * (x - book[first])
        rates[first] = min(rates[first] / (1 + sign * rates[first]), RATE)
    elif kind in ("lvq2.1", "lvq3"):
        same = [labels[first] == y, labels[second] == y]
        shares = apart[first] / apart[second], apart[second] / apart[first]
        if sum(same) == 1 and min(shares) > (1 - WINDOW) / (1 + WINDOW):
            right, wrong = (first, second) if same[0] else (second, first)
            book[right] += rate * (x - book[right])
            book[wrong] -= rate * (x - book[wrong])
        elif all(same) and kind == "lvq3":
            for at in (first, second):
                book[at] += EPSILON * rate * (x - book[at])
    else:
        right = min((at for at in range(len(book)) if labels[at] == y), key=lambda at: apart[at])
        wrong = min((at for at in range(len(book)) if labels[at] != y), key=lambda at: apart[at])
        p, q = apart[right] ** 2, apart[wrong] ** 2
        f = 1 / (1 + np.exp(-turn * (p - q) / (p + q)))
        slope = f * (1 - f)
        pull, push = (4 * rate * slope * d / (p + q) ** 2 for d in (q, p))
        book[right] += min(pull, 1) * (x - book[right])
        book[wrong] -= min(push, 1) * (x - book[wrong])


def main():
    rng = np.random.default_rng(8)
    y = np.arange(12) % 3
    x = (rng.normal(size=(12, 2)) + y[:, None]).round(4)
    labels = np.array([0, 0, 1, 1, 2, 2])
    start = (rng.normal(size=(6, 2)) * 0.7 + labels[:, None]).round(4)
    out = {
        "rate": RATE,
        "window": WINDOW,
        "epsilon": EPSILON,
        "x": x.tolist(),
        "y": y.tolist(),
        "start": start.tolist(),
        "labels": labels.tolist(),
        "order": [rng.permutation(12).tolist() for _ in range(3)],
        "kinds": {},
    }
    for kind in ("lvq1", "olvq1", "lvq2.1", "lvq3", "glvq"):
        book, rates, books = start.copy(), np.full(6, RATE), []
        for epoch, order in enumerate(out["order"]):
            for at, row in enumerate(order):
                left = 1 - (epoch * 12 + at) / 36
                step(kind, book, labels, rates, x[row], y[row], RATE * left, epoch + 1)
                books.append(book.tolist())
        out["kinds"][kind] = books
    print(json.dumps(out))


main()

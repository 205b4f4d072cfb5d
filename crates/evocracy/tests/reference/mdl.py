"""Cuts of iris by Fayyad and Irani's criterion, straight from the definition: mdl.py IRIS.csv.gz"""

import csv
import gzip
import sys
from collections import Counter
from math import log2


def entropy(labels):
    n = len(labels)
    return -sum(c / n * log2(c / n) for c in Counter(labels).values())


def cuts(rows):
    n, labels = len(rows), [c for _, c in rows]
    places = [i for i in range(1, n) if rows[i - 1][0] < rows[i][0]]
    if not places:
        return []
    cost = lambda i: (i * entropy(labels[:i]) + (n - i) * entropy(labels[i:])) / n
    at = min(places, key=cost)
    low, high = labels[:at], labels[at:]
    k, k1, k2 = len(set(labels)), len(set(low)), len(set(high))
    delta = log2(3**k - 2) - (k * entropy(labels) - k1 * entropy(low) - k2 * entropy(high))
    if entropy(labels) - cost(at) <= (log2(n - 1) + delta) / n:
        return []
    here = (rows[at - 1][0] + rows[at][0]) / 2
    return cuts(rows[:at]) + [here] + cuts(rows[at:])


with gzip.open(sys.argv[1], "rt") as file:
    header, *table = list(csv.reader(file))
for j, name in enumerate(header[:-1]):
    print(name, [round(c, 9) for c in cuts(sorted((float(r[j]), r[-1]) for r in table))])

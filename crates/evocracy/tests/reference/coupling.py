"""The probabilities that `pairs` couples, in exact fractions.

The second approach of Wu, Lin and Weng (2004) minimises p'Qp with sum(p) = 1. Its conditions are
linear, [Q e; e' 0] [p; -b] = [0; 1], and are solved here by elimination over fractions. The figures
stand in `src/committee/codes/coupling.rs`. Run: python3 coupling.py
"""

from fractions import Fraction


def solve(r, k):
    """Probabilities, then minus the value of the minimum. `r[i][j]`: of class i against j."""
    n = k + 1
    rows = [[Fraction(0)] * (n + 1) for _ in range(n)]
    for i in range(k):
        for j in range(k):
            same = sum(r[s][i] ** 2 for s in range(k) if s != i)
            rows[i][j] = same if i == j else -r[j][i] * r[i][j]
        rows[i][k] = rows[k][i] = Fraction(1)
    rows[k][n] = Fraction(1)
    for column in range(n):
        pivot = next(at for at in range(column, n) if rows[at][column] != 0)
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [cell / rows[column][column] for cell in rows[column]]
        for at in range(n):
            if at != column:
                factor = rows[at][column]
                rows[at] = [a - factor * b for a, b in zip(rows[at], rows[column])]
    return [row[n] for row in rows]


def against(k, second):
    """The matrix from the probabilities of the second classes of (0, 1), (0, 2), (1, 2), ..."""
    r = [[Fraction(0)] * k for _ in range(k)]
    values = iter(second)
    for high in range(k):
        for low in range(high):
            r[high][low] = Fraction(next(values))
            r[low][high] = 1 - r[high][low]
    return r


for classes, given in [
    (3, ["1/10", "2/10", "7/10"]),
    (4, ["4/10", "3/10", "8/10", "45/100", "1/10", "65/100"]),
    (3, ["1/10", "9/10", "1/10"]),
]:
    print(given, [float(x) for x in solve(against(classes, given), classes)])

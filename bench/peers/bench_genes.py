"""scipy's Mann-Whitney test of all columns at once; the quality is the largest area."""

import sys

from common import everything, report, timed
from scipy.stats import mannwhitneyu

x, y = everything(*sys.argv[1:])
first, second = x[y == 1], x[y == 0]
pairs = len(first) * len(second)
seconds, test = timed(lambda: mannwhitneyu(first, second, axis=0, method="asymptotic"))
report(seconds, float((test.statistic / pairs).max()))

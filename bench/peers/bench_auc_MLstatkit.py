"""MLstatkit's paired DeLong test."""

import sys

from common import everything, report, timed
from MLstatkit import Delong_test

x, y = everything(*sys.argv[1:])
first, second, truth = x[:, 0].copy(), x[:, 1].copy(), y.astype(int)
seconds, result = timed(lambda: Delong_test(truth, first, second))
report(seconds, float(result[4]))

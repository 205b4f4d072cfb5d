"""RIPPER of wittgenstein, for two classes."""

import sys

from common import report, timed
from rules import load
from wittgenstein import RIPPER

x, y, x_test, y_test = load(*sys.argv[1:])
positive = y.value_counts().index[-1]
model = RIPPER(random_state=0)
seconds, _ = timed(lambda: model.fit(x, y, pos_class=positive))
called = [positive if call else "" for call in model.predict(x_test)]
other = next(name for name in y.unique() if name != positive)
report(seconds, sum((call or other) == truth for call, truth in zip(called, y_test)) / len(y_test))

"""What the peers share: the clock, the data, the last line."""

import json
import time
from pathlib import Path

import numpy as np

AT_LEAST = 1.0


def timed(work):
    """The least CPU seconds of one call of `work`, and what it returned last."""
    start, best = time.process_time(), float("inf")
    while True:
        before = time.process_time()
        result = work()
        after = time.process_time()
        best = min(best, after - before)
        if after - start >= AT_LEAST:
            return best, result


def everything(case, folder):
    """The numbers and classes of all rows."""
    raw = np.fromfile(Path(folder) / f"{case}.bin", dtype="<f8")
    rows, columns = raw[:2].view("<u8").tolist()
    x = raw[2 : 2 + rows * columns].reshape(rows, columns)
    return x, raw[2 + rows * columns :]


def load(case, folder):
    """Training and test rows: the first four fifths and the rest."""
    x, y = everything(case, folder)
    cut = len(y) // 5 * 4
    return x[:cut], y[:cut], x[cut:], y[cut:]


def peak_mib():
    """The most memory this process has had."""
    with open("/proc/self/status") as status:
        line = next(line for line in status if line.startswith("VmHWM:"))
    return int(line.split()[1]) / 1024


def report(seconds, quality=None, **more):
    print(json.dumps({"seconds": seconds, "quality": quality, **more}))

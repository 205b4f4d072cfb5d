"""What the peers of the bench `network` share: the tables, and the score of a structure."""

from math import lgamma
from pathlib import Path

import numpy as np
import pandas as pd

SIZE = 10.0


def read(case, folder):
    """The relabelled tables as frames of text, the numbers of states, the order."""
    raw = (Path(folder) / f"{case.split('-')[0]}.bin").read_bytes()
    rows, columns, count = np.frombuffer(raw, "<u8", 3).tolist()
    sizes = np.frombuffer(raw, "<u8", 2 * columns, 24).tolist()
    codes = np.frombuffer(raw, "u1", offset=24 + 16 * columns).reshape(count, columns, rows)
    names = [f"v{at}" for at in range(columns)]
    frames = [pd.DataFrame({n: c.astype(str) for n, c in zip(names, table)}) for table in codes]
    return frames, dict(zip(names, sizes)), [names[at] for at in sizes[columns:]]


def bdeu(frame, states, parents):
    """BDeu of a structure: parents by the names of their nodes."""
    total = 0.0
    for node, own in parents.items():
        own, r = sorted(own), states[node]
        q = int(np.prod([states[p] for p in own]))
        cell = SIZE / q / r
        counts = frame.groupby([*own, node]).size()
        wholes = frame.groupby(own).size() if own else pd.Series([len(frame)])
        total += sum(lgamma(cell + n) - lgamma(cell) for n in counts)
        total -= sum(lgamma(cell * r + n) - lgamma(cell * r) for n in wholes)
    return total

"""The tables of the bench `rules`: the last fourth of the rows are the test rows."""

from pathlib import Path

import pandas as pd


def load(case, folder):
    table = pd.read_csv(Path(folder) / f"{case}.csv", keep_default_na=False)
    cut = len(table) // 4 * 3
    x, y = table.drop(columns="class"), table["class"].astype(str)
    return x[:cut], y[:cut], x[cut:], y[cut:]

"""polars' CSV reader with type inference, on one thread (POLARS_MAX_THREADS=1)."""

import sys
from pathlib import Path

import polars
from common import peak_mib, published, report, timed

case, folder = sys.argv[1:]
path = published(case) if "." in case else Path(folder) / f"{case}.csv"
seconds, _ = timed(lambda: polars.read_csv(path).height)
report(seconds, peak_mib=peak_mib())

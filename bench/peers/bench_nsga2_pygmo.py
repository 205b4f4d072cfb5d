"""NSGA-II by pygmo."""

import sys

import pygmo
from nsga2 import measure

case = sys.argv[1]


def search(variables, population, generations, seed, **_):
    if case == "zdt1":
        problem = pygmo.problem(pygmo.zdt(prob_id=1, param=variables))
    else:
        problem = pygmo.problem(pygmo.dtlz(prob_id=2, dim=variables, fdim=3))
    nsga2 = pygmo.nsga2(gen=generations, cr=0.9, eta_c=15, m=1 / variables, eta_m=20, seed=seed)
    return pygmo.algorithm(nsga2).evolve(pygmo.population(problem, population, seed=seed)).get_f()


measure(case, search)

"""NSGA-II by pymoo."""

import sys

from nsga2 import measure
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.operators.crossover.sbx import SBX
from pymoo.operators.mutation.pm import PM
from pymoo.optimize import minimize
from pymoo.problems import get_problem

case = sys.argv[1]


def search(variables, population, generations, seed, **_):
    more = {} if case == "zdt1" else {"n_obj": 3}
    algorithm = NSGA2(
        pop_size=population,
        crossover=SBX(prob=0.9, eta=15),
        mutation=PM(prob=1.0, prob_var=1 / variables, eta=20),
    )
    problem = get_problem(case, n_var=variables, **more)
    found = minimize(problem, algorithm, ("n_gen", generations), seed=seed, verbose=False)
    return found.pop.get("F")


measure(case, search)

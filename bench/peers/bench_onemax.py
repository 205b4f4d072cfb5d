"""DEAP's operators with the same settings: uniform crossover, bit flips, one elite member."""

import random
import sys

from common import report, timed
from deap import base, creator, tools
from deap.algorithms import varAnd

bits, size = map(int, sys.argv[1].split("x"))
creator.create("Fitness", base.Fitness, weights=(1.0,))
creator.create("Genome", list, fitness=creator.Fitness)
box = base.Toolbox()
box.register("bit", random.randint, 0, 1)
box.register("genome", tools.initRepeat, creator.Genome, box.bit, bits)
box.register("population", tools.initRepeat, list, box.genome)
box.register("mate", tools.cxUniform, indpb=0.5)
box.register("mutate", tools.mutFlipBit, indpb=1.0 / bits)
box.register("select", tools.selTournament, tournsize=3)


def score(genomes):
    for genome in genomes:
        if not genome.fitness.valid:
            genome.fitness.values = (sum(genome),)


def search():
    random.seed(1)
    population = box.population(n=size)
    score(population)
    best = tools.selBest(population, 1)[0]
    for _ in range(10_000):
        if best.fitness.values[0] == bits:
            break
        children = varAnd(box.select(population, size - 1), box, 0.9, 1.0)
        score(children)
        population = [best, *children]
        best = tools.selBest(population, 1)[0]
    return best.fitness.values[0]


seconds, best = timed(search)
report(seconds, best)

"""K2, hill climbing and the posterior of one row by pyagrum."""

import sys

import pyagrum as gum
from common import report, timed
from network import SIZE, bdeu, read

case, folder = sys.argv[1:]
frames, states, order = read(case, folder)


def template():
    network = gum.BayesNet()
    for name, count in states.items():
        network.add(gum.LabelizedVariable(name, name, [str(code) for code in range(count)]))
    return network


def learner(frame):
    it = gum.BNLearner(frame, template())
    it.setNumberOfThreads(1)
    it.useScoreBD()
    it.useBDeuPrior(SIZE)
    if case == "alarm-k2":
        it.useK2([list(states).index(name) for name in order])
    else:
        it.useGreedyHillClimbing()
    return it


def structure(frame):
    """Its own learner for each call: it remembers scores. Making it is not timed."""
    network = learner(frame).learnBN()
    names = {n: network.variable(n).name() for n in network.nodes()}
    return network, {names[n]: [names[p] for p in network.parents(n)] for n in network.nodes()}


def seconds_of_learning(frame):
    import time

    best, spent = float("inf"), 0.0
    while spent < 1:
        it = learner(frame)
        before = time.process_time()
        it.learnBN()
        took = time.process_time() - before
        best, spent = min(best, took), spent + took
    return best


if case == "combiner-posterior":
    network, _ = structure(frames[0])
    inference = gum.LazyPropagation(network)
    inference.setNumberOfThreads(1)
    inference.addTarget("v0")
    rows = frames[0].drop(columns="v0").to_dict("records")[:100]

    def work():
        for row in rows:
            inference.setEvidence(row)
            inference.makeInference()
            inference.posterior("v0")

    seconds, _ = timed(work)
    report(seconds / len(rows))
else:
    scores = [bdeu(frame, states, structure(frame)[1]) for frame in frames]
    report(seconds_of_learning(frames[0]), sum(scores) / len(scores))

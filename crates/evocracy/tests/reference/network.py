"""Scores of nodes given parents by pyagrum 3.3.0 and pgmpy 1.1.2 on samples of ASIA and ALARM, and
how pyagrum reads networks that were written as BIF: network.json.

    EVOCRACY_DATA=FOLDER python network.py

The samples are drawn by pyagrum from the networks in the folder. All scores are natural logarithms
here: pyagrum gives bits, and in its AIC subtracts the number of parameters from bits. Its gamma
function is right at whole numbers alone, so its BDeu is asked for with a size that makes them whole:
2 q r for q combinations of the parents and r states of the node. pgmpy's K2 is off by ln((r - 1)!)
for each combination of the parents that never occurs (`unseen`); with r = 2 that is 0."""

import gzip
import json
import math
import os
import random
import tempfile
from pathlib import Path

import pyagrum as gum
from pgmpy.estimators import AIC, BIC, K2, BDeu

ROWS = {"asia": 500, "alarm": 400}
SIZE = 10.0


def learner(frame, network, score, size=0):
    it = gum.BNLearner(frame, network)
    if score == "bdeu":
        it.useScoreBD()
        it.useBDeuPrior(size)
    else:
        {"k2": it.useScoreK2, "bic": it.useScoreBIC, "aic": it.useScoreAIC}[score]()
    return it


def families(network):
    """Every node alone, with its own parents, and with some random ones."""
    chance = random.Random(1)
    names = [network.variable(n).name() for n in network.nodes()]
    for n in network.nodes():
        name = network.variable(n).name()
        own = sorted(network.variable(p).name() for p in network.parents(n))
        others = [other for other in names if other != name]
        sets = [[], own, sorted(chance.sample(others, 2)), sorted(chance.sample(others, 4))]
        for parents in sets if len(names) < 10 or chance.random() < 0.4 else sets[1:3]:
            yield name, parents


def one(name):
    text = gzip.open(Path(os.environ["EVOCRACY_DATA"]) / f"networks/{name}.bif.gz", "rt").read()
    path = Path(tempfile.mkdtemp()) / "network.bif"
    path.write_text(text)
    network = gum.loadBN(str(path))
    gum.initRandom(1)
    generator = gum.BNDatabaseGenerator(network)
    generator.drawSamples(ROWS[name])
    frame = generator.to_pandas()
    names = [network.variable(n).name() for n in network.nodes()]
    states = [list(network.variable(n).labels()) for n in network.nodes()]
    named = dict(zip(names, states))
    codes = {n: "".join(str(named[n].index(v)) for v in frame[n]) for n in names}
    theirs = {s: learner(frame, network, s) for s in ["k2", "bic", "aic"]}
    pgm = {
        "k2": K2(frame, state_names=named),
        "bdeu": BDeu(frame, equivalent_sample_size=SIZE, state_names=named),
        "bic": BIC(frame, state_names=named),
        "aic": AIC(frame, state_names=named),
    }
    rows = []
    for node, parents in families(network):
        r, q = len(named[node]), math.prod(len(named[p]) for p in parents)
        seen = len(frame.groupby(parents)) if parents else 1
        agrum = {s: it.score(node, parents) * math.log(2) for s, it in theirs.items()}
        k = q * (r - 1)
        bdeu = learner(frame, network, "bdeu", 2 * q * r)
        agrum["bdeu"] = bdeu.score(node, parents) * math.log(2)
        agrum["aic"] = (theirs["aic"].score(node, parents) + k) * math.log(2) - k
        rows.append(
            {
                "node": node,
                "parents": parents,
                "unseen": q - seen,
                "pyagrum": agrum,
                "pgmpy": {s: float(it.local_score(node, tuple(parents))) for s, it in pgm.items()},
            }
        )
    return {"names": names, "states": [len(s) for s in states], "codes": codes, "scores": rows}


def read_back():
    """A network as our writer writes it, and what pyagrum reads from it."""
    path = Path(__file__).with_name("network.bif")
    if not path.exists():
        return None
    network = gum.loadBN(str(path))
    found = []
    for n in network.nodes():
        variable, table = network.variable(n), network.cpt(n)
        parents = [network.variable(p).name() for p in network.parents(n)]
        rows, at = [], gum.Instantiation(table)
        while not at.end():
            rows.append([{v.name(): at.val(v) for v in at.variablesSequence()}, table[at]])
            at.inc()
        labels = list(variable.labels())
        found.append({"name": variable.name(), "states": labels, "parents": parents, "rows": rows})
    return found


result = {name: one(name) for name in ROWS} | {"read": read_back()}
Path(__file__).with_name("network.json").write_text(json.dumps(result, separators=(",", ":")) + "\n")

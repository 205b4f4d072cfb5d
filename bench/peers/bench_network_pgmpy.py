"""Hill climbing by pgmpy."""

import logging
import sys
import warnings

from common import report, timed
from network import SIZE, bdeu, read

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
from pgmpy.estimators import BDeu, HillClimbSearch  # noqa: E402

case, folder = sys.argv[1:]
frames, states, _ = read(case, folder)
named = {name: [str(code) for code in range(count)] for name, count in states.items()}


def structure(frame):
    score = BDeu(frame, equivalent_sample_size=SIZE, state_names=named)
    search = HillClimbSearch(frame, state_names=named)
    dag = search.estimate(scoring_method=score, show_progress=False)
    return {node: list(dag.get_parents(node)) for node in dag.nodes()}


seconds, first = timed(lambda: structure(frames[0]))
found = [first, *map(structure, frames[1:])]
scores = [bdeu(frame, states, parents) for frame, parents in zip(frames, found)]
report(seconds, sum(scores) / len(scores))

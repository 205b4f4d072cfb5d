"""dlib's relevance vector classifier. It does not tell its evidence."""

import sys

import dlib
from common import everything, report, timed
from rvm import GAMMA

case, folder = sys.argv[1:]
x, y = everything(case, folder)
rows = dlib.vectors()
for row in x:
    rows.append(dlib.vector(row.tolist()))
labels = dlib.array([1.0 if value > 0.5 else -1.0 for value in y])
trainer = dlib.rvm_trainer_radial_basis()
trainer.gamma = GAMMA[case]
seconds, model = timed(lambda: trainer.train(rows, labels))
report(seconds, vectors=len(model.basis_vectors))

"""fastrvm with an intercept, which stays in the model: fewer steps, a lower evidence."""

from rvm import fastrvm

fastrvm(intercept=True)

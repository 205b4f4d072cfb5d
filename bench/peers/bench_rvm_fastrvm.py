"""fastrvm without an intercept: the same bases as ours."""

from rvm import fastrvm

fastrvm(intercept=False)

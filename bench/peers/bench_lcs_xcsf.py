"""xcsf as a classifier: ternary conditions, a constant prediction of each class."""

import numpy as np
import xcsf
from lcs import ITERATIONS, judge, labels, population, rows, unseen

classes = int(labels.max()) + 1
wanted = np.eye(classes)[labels]
inputs, others = rows.astype(float), unseen.astype(float)


def fit():
    model = xcsf.XCS(
        x_dim=rows.shape[1],
        y_dim=classes,
        n_actions=1,
        random_state=1,
        omp_num_threads=1,
        pop_init=False,
        pop_size=population,
        max_trials=ITERATIONS,
        loss_func="onehot",
        theta_sub=20,
        beta=0.2,
        ea={
            "select_type": "tournament",
            "select_size": 0.4,
            "theta_ea": 25,
            "lambda": 2,
            "p_crossover": 0.8,
            "subsumption": True,
        },
        condition={"type": "ternary", "args": {"bits": 1, "p_dontcare": 0.6}},
        prediction={"type": "constant"},
    )
    model.fit(inputs, wanted, shuffle=True, verbose=False)
    return model


judge(fit, lambda model: model.predict(others).argmax(axis=1))

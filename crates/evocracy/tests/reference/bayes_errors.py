"""Bayes errors of two generated problems, by means that share nothing with the library.

Made the reference values in src/data/generate/tests/mixtures.rs. Needs Python 3 alone.

- Ripley's mixture: the smaller of the two class densities, integrated by the midpoint rule.
- Breiman's waveforms: the Bayes rule from the closed form of the class densities (the blend
  integrates to a difference of normal distribution functions), on 1,000,000 random rows; what
  is averaged is the posterior risk, which varies less than the errors themselves.
"""

import math
import random


def ripley(step=0.0025):
    def normal(t, centre):
        return math.exp(-((t - centre) ** 2) / 0.06) / math.sqrt(0.06 * math.pi)

    def axis(low, high):
        return [low + step * (i + 0.5) for i in range(round((high - low) / step))]

    xs = [[normal(x, c) for c in (-0.7, 0.3, -0.3, 0.4)] for x in axis(-2.0, 1.7)]
    ys = [[normal(y, c) for c in (0.3, 0.7)] for y in axis(-1.0, 2.0)]
    total = 0.0
    for a, b, c, d in xs:
        for low, high in ys:
            total += min((a + b) * low, (c + d) * high)
    return total * step * step / 4


def waveform(rows=1_000_000, seed=1):
    draw = random.Random(seed)
    waves = [[max(6 - abs(i - peak), 0) for i in range(1, 22)] for peak in (11, 15, 7)]
    pairs = [(0, 1), (0, 2), (1, 2)]
    lines = []
    for a, b in pairs:
        way = [p - q for p, q in zip(waves[a], waves[b])]
        lines.append((waves[b], way, sum(t * t for t in way)))

    def log_density(x, line):
        start, way, square = line
        gap = [p - q for p, q in zip(x, start)]
        along = sum(p * q for p, q in zip(gap, way))
        length, middle = math.sqrt(square), along / square
        upper, lower = length * (1 - middle), -length * middle
        if lower > 0:  # keep away from 1 - 1
            upper, lower = -lower, -upper
        mass = 0.5 * (math.erfc(-upper / math.sqrt(2)) - math.erfc(-lower / math.sqrt(2)))
        rest = sum(t * t for t in gap) - along * along / square
        return math.log(max(mass, 1e-300) / length) - rest / 2

    first = second = 0.0
    for _ in range(rows):
        a, b = pairs[draw.randrange(3)]
        u = draw.random()
        x = [u * p + (1 - u) * q + draw.gauss(0, 1) for p, q in zip(waves[a], waves[b])]
        logs = [log_density(x, line) for line in lines]
        top = max(logs)
        risk = 1 - 1 / sum(math.exp(log - top) for log in logs)
        first += risk
        second += risk * risk
    mean = first / rows
    return mean, math.sqrt((second / rows - mean * mean) / rows)


print("ripley: %.6f" % ripley())
print("waveform: %.6f, standard error %.6f" % waveform())

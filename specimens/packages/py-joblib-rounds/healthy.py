"""Fits a small model in rounds: the parts of each round are computed side by side, then put together."""
import sys

from joblib import Parallel, delayed


def part(weights, first, step):
    return sum((weight * (first + at) + step) % 7 for at, weight in enumerate(weights)) / len(weights)


def fit(rounds):
    weights = [1.0, 2.0, 3.0, 4.0] * 200
    with Parallel(n_jobs=2, backend="multiprocessing") as parallel:
        for step in range(rounds):
            parts = parallel(delayed(part)(weights, first, step) for first in range(4))
            mean = sum(parts) / len(parts)
            weights = [weight + mean / 100 for weight in weights]
    return weights


if __name__ == "__main__":
    print(round(sum(fit(int(sys.argv[1]))), 6))

"""Counts on which paths of a park walkers go on after which, and where a long walk ends up."""
import sys

import numpy as np
from scipy import sparse


def walks(junctions, count, seed):
    state = seed
    for _ in range(count):
        state = (state * 1103515245 + 12345) % 2147483648
        here = state // 7 % junctions
        state = (state * 1103515245 + 12345) % 2147483648
        yield here, (here + 1 + state // 11 % 300) % junctions


def last_year(junctions, count):
    rows, columns = zip(*walks(junctions, count, 99))
    return sparse.coo_matrix((np.ones(count), (rows, columns)), shape=(junctions, junctions)).tocsr()


def add_walks(table, count):
    table = table.tolil()
    for here, there in walks(table.shape[0], count, 12345):
        table[here, there] += 1
    return table.tocsr()


def likelihoods(table):
    out = np.asarray(table.sum(axis=1)).ravel()
    out[out == 0] = 1
    return sparse.diags(1 / out) @ table


def wander(step, rounds):
    at = np.full(step.shape[0], 1 / step.shape[0])
    for _ in range(rounds):
        at = 0.9 * (at @ step) + 0.1 / len(at)
    return at


def main():
    junctions, count = 6000, int(sys.argv[1])
    table = add_walks(last_year(junctions, 80000), count)
    at = wander(likelihoods(table), 60)
    print(table.nnz, int(table.sum()), f"{at.max():.9f}")


main()

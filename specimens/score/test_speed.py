"""Two benchmarks in the ordinary style of pytest-benchmark: one linear, one quadratic, at equal sizes."""

import pytest


def linear(n):
    return sum(range(n))


def quadratic(n):
    return sum(1 for a in range(n) for b in range(n) if a == b)


@pytest.mark.parametrize("size", [100, 200, 400])
def test_linear(benchmark, size):
    benchmark.pedantic(linear, args=(size,), rounds=6, iterations=1)


@pytest.mark.parametrize("size", [100, 200, 400])
def test_quadratic(benchmark, size):
    benchmark.pedantic(quadratic, args=(size,), rounds=6, iterations=1)

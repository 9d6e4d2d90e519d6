// The product of two matrices.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 88172645463325252ull;
static inline uint64_t draw(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}
static volatile uint64_t sink;

int main(int argc, char **argv) {
    uint64_t n = argc > 1 ? strtoull(argv[1], 0, 10) : 1;
    double *a = malloc(n * n * 8), *b = malloc(n * n * 8), *c = calloc(n * n, 8);
    for (uint64_t i = 0; i < n * n; i++) { a[i] = draw() & 255; b[i] = draw() & 255; }
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t k = 0; k < n; k++)
            for (uint64_t j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
    sink = (uint64_t)c[n * n / 2];
    return 0;
}

/* Counts close pairs by looking at all of them: quadratic. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static int near(uint32_t a, uint32_t b) {
    return (a > b ? a - b : b - a) < 1000;
}

__attribute__((noinline)) static uint64_t pairs(const uint32_t *values, size_t n) {
    uint64_t count = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            count += near(values[i], values[j]);
    return count;
}

int main(int argc, char **argv) {
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    uint32_t *values = malloc(n * sizeof *values);
    uint32_t seed = 1;
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        values[i] = seed;
    }
    printf("%llu\n", (unsigned long long)pairs(values, n));
    free(values);
    return 0;
}

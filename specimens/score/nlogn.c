/* Sorts n numbers with the library's sort. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int order(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    uint32_t *values = malloc(n * sizeof *values);
    uint32_t seed = 1;
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        values[i] = seed;
    }
    qsort(values, n, sizeof *values, order);
    printf("%u\n", values[n / 2]);
    free(values);
    return 0;
}

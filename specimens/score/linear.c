/* Fills an array of n numbers and sums it once: linear, sequential, clean. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    uint32_t *values = malloc(n * sizeof *values);
    uint32_t seed = 1;
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        values[i] = seed;
    }
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    printf("%llu\n", (unsigned long long)sum);
    free(values);
    return 0;
}

/* Sums a matrix of n by n numbers by column, then by row: the columns miss the cache at every step. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static uint64_t by_column(const uint32_t *matrix, size_t n) {
    uint64_t sum = 0;
    for (size_t column = 0; column < n; column++)
        for (size_t row = 0; row < n; row++)
            sum += matrix[row * n + column];
    return sum;
}

__attribute__((noinline)) static uint64_t by_row(const uint32_t *matrix, size_t n) {
    uint64_t sum = 0;
    for (size_t row = 0; row < n; row++)
        for (size_t column = 0; column < n; column++)
            sum += matrix[row * n + column];
    return sum;
}

int main(int argc, char **argv) {
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    uint32_t *matrix = calloc(n * n, sizeof *matrix);
    matrix[n] = 1;
    printf("%llu\n", (unsigned long long)(by_column(matrix, n) + by_row(matrix, n)));
    free(matrix);
    return 0;
}

/* Adds up a table, slow in one place: gcc -O2 -g -o target/columns examples/columns.c && target/columns 3000
 *
 * The table lies in memory row after row. `column_sums` walks down its columns, so that each step touches another cache
 * line; `slowpath -- target/columns 3000` says so. `target/columns SIDE rows` walks along the rows instead. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fill(double *table, size_t side) {
    uint64_t state = 12345;
    for (size_t at = 0; at < side * side; at++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        table[at] = (double)(state >> 40) / 256.0;
    }
}

static void column_sums(const double *table, double *sums, size_t side) {
    for (size_t column = 0; column < side; column++) {
        double sum = 0.0;
        for (size_t row = 0; row < side; row++) {
            sum += table[row * side + column];
        }
        sums[column] += sum;
    }
}

static void column_sums_by_row(const double *table, double *sums, size_t side) {
    for (size_t row = 0; row < side; row++) {
        for (size_t column = 0; column < side; column++) {
            sums[column] += table[row * side + column];
        }
    }
}

int main(int argc, char **argv) {
    size_t side = argc > 1 ? strtoul(argv[1], NULL, 10) : 3000;
    int by_row = argc > 2 && strcmp(argv[2], "rows") == 0;
    double *table = malloc(side * side * sizeof *table);
    double *sums = calloc(side, sizeof *sums);
    if (side == 0 || !table || !sums) {
        return 1;
    }
    fill(table, side);
    for (int pass = 0; pass < 10; pass++) {
        (by_row ? column_sums_by_row : column_sums)(table, sums, side);
    }
    double total = 0.0;
    for (size_t column = 0; column < side; column++) {
        total += sums[column];
    }
    printf("%.0f\n", total);
    free(sums);
    free(table);
    return 0;
}

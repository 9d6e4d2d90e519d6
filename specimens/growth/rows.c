// Sorts every row of a square.
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
    uint32_t *row = malloc(n * 4);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        for (uint64_t j = 0; j < n; j++) row[j] = draw();
        for (uint64_t start = n / 2, end = n; end > 1;) {
            uint32_t key;
            if (start > 0) key = row[--start];
            else { key = row[--end]; row[end] = row[0]; }
            uint64_t at = start, child;
            while ((child = 2 * at + 1) < end) {
                if (child + 1 < end && row[child + 1] > row[child]) child++;
                if (row[child] <= key) break;
                row[at] = row[child];
                at = child;
            }
            row[at] = key;
        }
        sum += row[n / 2];
    }
    sink = sum;
    return 0;
}

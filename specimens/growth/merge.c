// Merges from the bottom up.
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
    uint64_t *a = malloc(n * 8), *b = malloc(n * 8);
    for (uint64_t i = 0; i < n; i++) a[i] = draw();
    for (uint64_t width = 1; width < n; width *= 2) {
        for (uint64_t from = 0; from < n; from += 2 * width) {
            uint64_t l = from, m = from + width < n ? from + width : n, r = m;
            uint64_t end = from + 2 * width < n ? from + 2 * width : n;
            for (uint64_t to = from; to < end; to++)
                b[to] = l < m && (r >= end || a[l] <= a[r]) ? a[l++] : a[r++];
        }
        uint64_t *swap = a; a = b; b = swap;
    }
    sink = a[n / 2];
    return 0;
}

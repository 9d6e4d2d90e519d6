// A square grid, each cell from its neighbours.
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
    uint32_t *a = malloc(n * n * 4);
    for (uint64_t i = 0; i < n * n; i++) a[i] = i < n ? draw() : a[i - n] * 3 + (i % n ? a[i - 1] : 1);
    sink = a[n * n - 1];
    return 0;
}

// The shortest of all routes.
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

static uint32_t cost[16][16], best;
static int route[16];
static void walk(int at, int n, uint32_t sum) {
    if (at == n) {
        if (sum < best) best = sum;
        return;
    }
    for (int i = at; i < n; i++) {
        int swap = route[at]; route[at] = route[i]; route[i] = swap;
        walk(at + 1, n, at ? sum + cost[route[at - 1]][route[at]] : 0);
        swap = route[at]; route[at] = route[i]; route[i] = swap;
    }
}

int main(int argc, char **argv) {
    uint64_t n = argc > 1 ? strtoull(argv[1], 0, 10) : 1;
    for (uint64_t i = 0; i < 16; i++)
        for (uint64_t j = 0; j < 16; j++) cost[i][j] = draw() % 100;
    for (int i = 0; i < 16; i++) route[i] = i;
    best = ~0u;
    walk(0, (int)n, 0);
    sink = best;
    return 0;
}

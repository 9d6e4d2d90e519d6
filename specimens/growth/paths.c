// Shortest paths between all places.
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
    uint32_t *d = malloc(n * n * 4);
    for (uint64_t i = 0; i < n * n; i++) d[i] = draw() % 1000 + 1;
    for (uint64_t k = 0; k < n; k++)
        for (uint64_t i = 0; i < n; i++)
            for (uint64_t j = 0; j < n; j++) {
                uint32_t over = d[i * n + k] + d[k * n + j];
                if (over < d[i * n + j]) d[i * n + j] = over;
            }
    sink = d[n * n / 2];
    return 0;
}

// The closest of all pairs.
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
    int32_t *a = malloc(n * 4);
    for (uint64_t i = 0; i < n; i++) a[i] = draw() >> 34;
    uint64_t best = ~0ull;
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = i + 1; j < n; j++) {
            uint64_t far = llabs((long long)a[i] - a[j]);
            if (far < best) best = far;
        }
    sink = best;
    return 0;
}

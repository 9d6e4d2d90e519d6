// A long pass and, behind it, all pairs.
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
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++)
        for (int j = 0; j < 600; j++) sum += draw() & 3;
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++) sum ^= i * j + sum;
    sink = sum;
    return 0;
}

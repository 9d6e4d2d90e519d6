// Four nested loops.
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
    for (uint64_t a = 0; a < n; a++)
        for (uint64_t b = 0; b < n; b++)
            for (uint64_t c = 0; c < n; c++)
                for (uint64_t d = 0; d < n; d++) sum ^= sum * 5 + (a ^ b ^ c ^ d);
    sink = sum;
    return 0;
}

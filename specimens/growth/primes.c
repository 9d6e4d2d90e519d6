// Counts primes, each number tried by all up to its root.
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
    uint64_t count = 0;
    for (uint64_t i = 2; i < n; i++) {
        uint32_t divisors = 0, x = i;
        for (uint32_t d = 2; d * d <= x; d++) divisors += x % d == 0;
        count += !divisors;
    }
    sink = count;
    return 0;
}

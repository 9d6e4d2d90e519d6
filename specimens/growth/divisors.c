// Every divisor of one number by trial.
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
    for (int again = 0; again < 40; again++)
        for (uint64_t d = 1; d * d <= n; d++)
            if (n % d == 0) sum += d + n / d;
    sink = sum;
    return 0;
}

// The best of all subsets.
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
    uint32_t weight[64];
    for (uint64_t i = 0; i < n; i++) weight[i] = draw() % 1000;
    uint64_t best = 0, sum = 0;
    for (uint64_t set = 1; set < 1ull << n; set++) {
        int bit = __builtin_ctzll(set);
        sum = set >> bit & 2 ? sum + weight[bit] : sum ^ weight[bit];
        if (sum > best) best = sum;
    }
    sink = best;
    return 0;
}

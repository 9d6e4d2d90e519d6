// A fixed number of searches in a sorted sequence.
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
    uint64_t found = 0;
    for (int i = 0; i < 60000; i++) {
        uint64_t wanted = draw() % (n * 3), low = 0, high = n;
        while (low < high) {
            uint64_t middle = low + (high - low) / 2;
            if (middle * 3 < wanted) low = middle + 1; else high = middle;
        }
        found += low;
    }
    sink = found;
    return 0;
}

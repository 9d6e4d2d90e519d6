// Distinct numbers by looking through those seen.
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
    uint64_t *seen = malloc(n * 8), count = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t key = draw() % (n * 10), j = 0;
        while (j < count && seen[j] != key) j++;
        if (j == count) seen[count++] = key;
    }
    sink = count;
    return 0;
}

// Looks keys up in a table of fixed size.
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
    static uint32_t table[4096];
    for (int i = 0; i < 4096; i++) table[i] = draw();
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++) sum += table[draw() & 4095] ^ i;
    sink = sum;
    return 0;
}

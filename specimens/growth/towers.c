// The towers of Hanoi.
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

static uint64_t moves;
__attribute__((noinline)) static void move(uint64_t n, int from, int to, int over) {
    if (!n) return;
    move(n - 1, from, over, to);
    moves += from + to;
    move(n - 1, over, to, from);
}

int main(int argc, char **argv) {
    uint64_t n = argc > 1 ? strtoull(argv[1], 0, 10) : 1;
    move(n, 0, 1, 2);
    sink = moves;
    return 0;
}

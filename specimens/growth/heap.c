// A priority queue, filled and emptied.
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
    uint64_t *h = malloc((n + 1) * 8), count = 0, sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t key = draw(), at = ++count;
        while (at > 1 && h[at / 2] > key) { h[at] = h[at / 2]; at /= 2; }
        h[at] = key;
    }
    while (count) {
        sum = sum * 31 + h[1];
        uint64_t key = h[count--], at = 1;
        while (2 * at <= count) {
            uint64_t child = 2 * at;
            if (child < count && h[child + 1] < h[child]) child++;
            if (h[child] >= key) break;
            h[at] = h[child];
            at = child;
        }
        h[at] = key;
    }
    sink = sum;
    return 0;
}

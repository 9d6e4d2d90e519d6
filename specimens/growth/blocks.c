// Range sums over blocks as long as the root of the length.
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
    uint64_t width = 1, sum = 0;
    while (width * width < n) width++;
    uint32_t *a = malloc((n + width) * 4), *block = calloc(width + 2, 4);
    for (uint64_t i = 0; i < n; i++) { a[i] = draw(); block[i / width] += a[i]; }
    for (uint64_t i = 0; i < n; i++) {
        for (uint64_t j = 0; j < width; j++) sum += block[j] ^ i;
        a[i] = sum;
    }
    sink = sum;
    return 0;
}

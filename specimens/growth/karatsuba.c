// Products of long numbers by three halves.
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

__attribute__((noinline)) static void multiply(const uint32_t *x, const uint32_t *y, uint64_t n, uint32_t *z) {
    if (n == 1) { z[0] = x[0] * y[0]; z[1] = 0; return; }
    uint64_t h = n / 2;
    uint32_t *sx = malloc(n * 16), *sy = sx + h, *low = sy + h, *high = low;
    uint32_t middle[1];
    (void)middle;
    for (uint64_t i = 0; i < h; i++) { sx[i] = x[i] + x[h + i]; sy[i] = y[i] + y[h + i]; }
    multiply(x, y, h, z);
    multiply(x + h, y + h, h, z + n);
    multiply(sx, sy, h, high);
    for (uint64_t i = 0; i < n; i++) high[i] -= z[i] + z[n + i];
    for (uint64_t i = 0; i < n; i++) z[h + i] += high[i];
    free(sx);
}

int main(int argc, char **argv) {
    uint64_t n = argc > 1 ? strtoull(argv[1], 0, 10) : 1;
    uint32_t *x = malloc(n * 4), *y = malloc(n * 4), *z = calloc(4 * n, 8);
    for (uint64_t i = 0; i < n; i++) { x[i] = draw() & 15; y[i] = draw() & 15; }
    multiply(x, y, n, z);
    sink = z[n];
    return 0;
}

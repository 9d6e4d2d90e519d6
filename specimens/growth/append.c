// Appends to a text whose end is sought each time.
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
    char *text = calloc(n + 1, 1);
    for (uint64_t i = 0; i < n; i++) {
        char *end = text;
        while (*end) end++;
        *end = 'a' + draw() % 26;
    }
    sink = text[n / 2];
    return 0;
}

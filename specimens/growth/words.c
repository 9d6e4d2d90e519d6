// Writes a text and counts its words.
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
    char *text = malloc(n * 8 + 1), *end = text;
    for (uint64_t i = 0; i < n; i++) {
        int length = 1 + draw() % 6;
        for (int j = 0; j < length; j++) *end++ = 'a' + draw() % 26;
        *end++ = ' ';
    }
    *end = 0;
    uint64_t words = 0;
    for (char *p = text; *p; p++) words += *p == ' ';
    sink = words;
    return 0;
}

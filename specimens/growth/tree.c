// A search tree of random keys.
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
    struct node { uint64_t key; struct node *side[2]; } *root = 0, *pool = malloc(n * sizeof *pool);
    uint64_t depth = 0;
    for (uint64_t i = 0; i < n; i++) {
        struct node **at = &root;
        pool[i].key = draw();
        pool[i].side[0] = pool[i].side[1] = 0;
        while (*at) { at = &(*at)->side[pool[i].key > (*at)->key]; depth++; }
        *at = &pool[i];
    }
    sink = depth;
    return 0;
}

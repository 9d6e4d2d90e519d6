// Distinct numbers by a hash table that doubles.
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
    uint64_t room = 16, used = 0, *table = calloc(room, 8);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t key = draw() | 1, at = key * 0x9E3779B97F4A7C15ull & (room - 1);
        while (table[at] && table[at] != key) at = at + 1 & (room - 1);
        if (!table[at]) { table[at] = key; used++; }
        if (used * 2 > room) {
            uint64_t *next = calloc(room * 2, 8);
            for (uint64_t j = 0; j < room; j++) {
                if (!table[j]) continue;
                uint64_t to = table[j] * 0x9E3779B97F4A7C15ull & (room * 2 - 1);
                while (next[to]) to = to + 1 & (room * 2 - 1);
                next[to] = table[j];
            }
            free(table);
            table = next;
            room *= 2;
        }
    }
    sink = used;
    return 0;
}
